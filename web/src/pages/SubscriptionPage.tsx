import { useQuery } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { PlanCard } from '../features/billing/PlanCard.tsx';
import { PlanGrid } from '../features/billing/PlanGrid.tsx';
import { graphql } from '../gql/gql.ts';
import { readFault } from '../lib/server/errors.ts';
import { plural } from '../lib/text/time.ts';
import { Badge, Muted } from '../ui/parts/Card.tsx';
import { PageTitle } from '../ui/parts/PageTitle.tsx';
import { ErrorPanel } from '../ui/parts/states.tsx';

const SubscriptionPageDocument = graphql(`
  query SubscriptionPage {
    plans {
      ...PlanGrid_plan
    }
    currentSubscription {
      planId
      subscriptionPlanId
      planName
      status
    }
    canCreateAlert {
      canCreateAlert
      needsUpgrade
      alertsUsed
      alertLimit
    }
  }
`);

/** The plans and which one is the viewer's. */
export function SubscriptionPage() {
  const { data, error, refetch } = useQuery(SubscriptionPageDocument, { fetchPolicy: 'cache-and-network' });
  const current = data?.currentSubscription;
  return (
    <>
      <PageTitle title="Subscription" subtitle={data ? usageText(data) : 'Your plan and what it gives you.'} />
      <Box mt="6">
        {error && !data ? (
          <ErrorPanel title="Could not load the plans" onRetry={() => void refetch().catch(() => undefined)}>
            {readFault(error).message}
          </ErrorPanel>
        ) : (
          <PlanGrid plans={data?.plans}>
            {(plan) => {
              const isCurrent = plan.id === current?.planId;
              return (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  headingLevel={2}
                  isMarked={isCurrent}
                  mark={markOf(isCurrent, plan.isPopular)}
                />
              );
            }}
          </PlanGrid>
        )}
        <Muted mt="5">Paid plans can't be bought yet. The free plan stays free.</Muted>
      </Box>
    </>
  );
}

function markOf(isCurrent: boolean, isPopular: boolean) {
  if (isCurrent) return <Badge>Current Plan</Badge>;
  return isPopular ? <Badge tone="quiet">Most Popular</Badge> : null;
}

interface Usage {
  currentSubscription: { planName: string };
  canCreateAlert: { alertsUsed: number; alertLimit: number };
}

function usageText({ currentSubscription, canCreateAlert }: Usage): string {
  const { alertsUsed, alertLimit } = canCreateAlert;
  return `You are on ${currentSubscription.planName}: ${alertsUsed} of ${plural(alertLimit, 'active alert')} used.`;
}
