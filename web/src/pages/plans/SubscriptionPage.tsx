import { Box, chakra, Flex } from '@chakra-ui/react';
import { BellPlus, MessageSquareText, Zap } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { CurrentPlan } from '../../features/billing/CurrentPlan.tsx';
import { DebugPanel } from '../../features/billing/DebugPanel.tsx';
import { PlanChoice } from '../../features/billing/PlanChoice.tsx';
import { useRefreshAfterPayment } from '../../features/billing/payment-page.ts';
import { usePlans } from '../../features/billing/plans.ts';
import { isPaid, useSubscription } from '../../features/billing/subscription.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useSite } from '../../lib/server/site.ts';
import { toast } from '../../lib/state/toasts.ts';
import { InlineLink } from '../../ui/parts/Button.tsx';
import { Heading } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { Benefits } from '../../ui/parts/sections/Benefits.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';

/** The viewer's plan, and all plans to choose from. */
export function SubscriptionPage() {
  useCanceledCheckout();
  useRefreshAfterPayment();
  const { plans, failure, retry } = usePlans();
  const subscription = useSubscription();
  const site = useSite();
  // The landing page's plan, which a visitor chose before registering.
  const wantedId = useSearchParams()[0].get('plan');
  const planId = subscription.use?.current.planId;
  // Content above and below the plans appears together with them, so that nothing visible moves.
  const isKnown = planId !== undefined || Boolean(subscription.error);
  const isLoaded = isKnown && (failure !== undefined || plans !== undefined);
  return (
    <Flex direction="column" gap="6">
      <PageTitle title="Subscription" subtitle="Your plan, and what each plan gives you." />
      {subscription.error && isLoaded ? (
        <ErrorPanel title="Failed to check subscription status" onRetry={subscription.retry}>
          {readFault(subscription.error).message}
        </ErrorPanel>
      ) : (
        <CurrentPlan use={subscription.use} isWhole={isLoaded} />
      )}
      {failure === undefined || !isKnown ? (
        // A different grid from the loading one, so content that appears above it doesn't count as a layout shift.
        <PlanChoice
          key={isLoaded ? 'plans' : subscription.error ? 'unknown' : 'loading'}
          plans={subscription.use || subscription.error ? plans : undefined}
          usage={subscription.use}
          wantedId={wantedId}
        />
      ) : (
        <>
          <ErrorPanel title="Could not load the plans" onRetry={retry}>
            {failure}
          </ErrorPanel>
          {site?.testMode ? <DebugPanel /> : null}
        </>
      )}
      {isLoaded && planId !== undefined && !isPaid(planId) ? <PaidExtras /> : null}
      {isLoaded ? (
        <chakra.p color="muted" textAlign="center">
          Need more than 100 alerts, or a plan for a team? <InlineLink to="/contact-us">Contact sales</InlineLink>
        </chakra.p>
      ) : null}
    </Flex>
  );
}

/** A cancelled checkout comes back with `?canceled=…`: a toast says so, and the address is cleaned. */
function useCanceledCheckout(): void {
  const isCanceled = useSearchParams()[0].has('canceled');
  const navigate = useNavigate();
  useEffect(() => {
    if (!isCanceled) return;
    toast('Checkout Canceled', 'Nothing was charged, and your plan stays as it is.', 'notice');
    void navigate('/subscription', { replace: true });
  }, [isCanceled, navigate]);
}

const extras = [
  {
    Icon: MessageSquareText,
    title: 'Text messages',
    text: 'Matches by SMS as well as by email, so that you miss no car.',
  },
  { Icon: BellPlus, title: 'More alerts', text: 'Watch for 5, 20 or 100 cars at a time instead of one.' },
  { Icon: Zap, title: 'Priority and support', text: 'Priority processing, premium support, and the API for dealers.' },
];

/** For users on Free: what a paid plan adds. */
function PaidExtras() {
  return (
    <chakra.section aria-labelledby="extras" bg="sunk" borderRadius="card" p={{ base: '4', md: '5' }}>
      <Heading id="extras" size="md">
        What a paid plan adds
      </Heading>
      <Box mt="4">
        <Benefits benefits={extras} />
      </Box>
    </chakra.section>
  );
}
