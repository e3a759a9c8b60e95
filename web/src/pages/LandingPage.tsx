import { useQuery } from '@apollo/client/react';
import { chakra } from '@chakra-ui/react';
import { useViewer } from '../features/account/viewer.ts';
import { PlanCard } from '../features/billing/PlanCard.tsx';
import { PlanGrid } from '../features/billing/PlanGrid.tsx';
import { graphql } from '../gql/gql.ts';
import { readFault } from '../lib/server/errors.ts';
import { LinkButton } from '../ui/parts/Button.tsx';
import { Badge, Heading } from '../ui/parts/Card.tsx';
import { useDocumentTitle } from '../ui/parts/PageTitle.tsx';
import { ErrorPanel } from '../ui/parts/states.tsx';
import { Band } from './landing/Band.tsx';
import { Hero } from './landing/Hero.tsx';
import { HowItWorks } from './landing/HowItWorks.tsx';
import { LastCall } from './landing/LastCall.tsx';
import { MatchExample } from './landing/MatchExample.tsx';

const LandingPageDocument = graphql(`
  query LandingPage {
    plans {
      ...PlanGrid_plan
    }
  }
`);

/** The public front page: the quick form, why seconds matter, how it works, the plans. */
export function LandingPage() {
  useDocumentTitle("Find your dream car the minute it's listed");
  const { viewer } = useViewer();
  const { data, error, refetch } = useQuery(LandingPageDocument);
  return (
    <>
      <Hero isSignedIn={viewer !== null} />
      <MatchExample />
      <HowItWorks />
      <Band labelledBy="plans">
        <Heading id="plans" size="2xl" textAlign={{ base: 'left', md: 'center' }}>
          Plans
        </Heading>
        <chakra.p mt="2" mb={{ base: '6', md: '10' }} color="muted" textAlign={{ base: 'left', md: 'center' }}>
          No credit card is required for the free plan.
        </chakra.p>
        {error && !data ? (
          <ErrorPanel title="Could not load the plans" onRetry={() => void refetch().catch(() => undefined)}>
            {readFault(error).message}
          </ErrorPanel>
        ) : (
          <PlanGrid plans={data?.plans}>
            {(plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                isMarked={plan.isPopular}
                mark={plan.isPopular ? <Badge>POPULAR</Badge> : null}
                action={<PlanLink plan={plan} to={viewer ? '/subscription' : '/auth'} />}
              />
            )}
          </PlanGrid>
        )}
      </Band>
      <LastCall to={viewer ? '/create-alert' : '/auth'} />
    </>
  );
}

interface PlanLinkProps {
  plan: { name: string; price: string; isPopular: boolean };
  to: string;
}

function PlanLink({ plan, to }: PlanLinkProps) {
  const text = Number(plan.price) > 0 ? 'Choose Plan' : 'Get Started';
  return (
    <LinkButton to={to} variant={plan.isPopular ? 'solid' : 'outline'} aria-label={`${text}: ${plan.name}`}>
      {text}
    </LinkButton>
  );
}
