import { Box, chakra, Flex } from '@chakra-ui/react';
import { startTransition, useEffect, useState } from 'react';
import { useViewer } from '../../features/account/viewer.ts';
import { PlanCard, PlanMark } from '../../features/billing/PlanCard.tsx';
import { PlanGrid } from '../../features/billing/PlanGrid.tsx';
import { choiceText, usePlans } from '../../features/billing/plans.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { drawnMoment } from '../../lib/state/drawn.ts';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Heading } from '../../ui/parts/Card.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';
import { Band } from './Band.tsx';
import { Hero } from './Hero.tsx';
import { HowItWorks } from './HowItWorks.tsx';
import { MatchExample } from './MatchExample.tsx';

/** On the first visit the content below the first screen is rendered a moment later, so that the quick form responds sooner. */
let wasShown = false;

/** The public front page: the quick form, why seconds matter, how it works, the plans. */
export function LandingPage() {
  useDocumentTitle("Find your dream car the minute it's listed");
  const { viewer } = useViewer();
  const [isWhole, setIsWhole] = useState(wasShown || drawnMoment() !== null);
  useEffect(() => {
    wasShown = true;
    startTransition(() => setIsWhole(true));
  }, []);
  return (
    <>
      <Hero />
      {/* Reserves a screen, so that the footer isn't visible first and then moved away. */}
      {isWhole ? <BelowTheForm isSignedIn={viewer !== null} /> : <Box minH="100vh" />}
    </>
  );
}

function BelowTheForm({ isSignedIn }: { isSignedIn: boolean }) {
  const { plans, failure, retry } = usePlans();
  return (
    <>
      <MatchExample />
      <HowItWorks />
      <Band labelledBy="plans">
        <Heading id="plans" size="2xl" textAlign={{ base: 'left', md: 'center' }}>
          Plans
        </Heading>
        <chakra.p mt="2" mb={{ base: '6', md: '10' }} color="muted" textAlign={{ base: 'left', md: 'center' }}>
          No credit card is required for the free plan.
        </chakra.p>
        {failure !== undefined ? (
          <ErrorPanel title="Could not load the plans" onRetry={retry}>
            {failure}
          </ErrorPanel>
        ) : (
          <PlanGrid plans={plans}>
            {(plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                isMarked={plan.isPopular}
                mark={plan.isPopular ? <PlanMark>POPULAR</PlanMark> : null}
                action={<PlanLink plan={plan} isSignedIn={isSignedIn} />}
              />
            )}
          </PlanGrid>
        )}
      </Band>
      <FinalCallToAction to={isSignedIn ? '/create-alert' : '/auth'} />
    </>
  );
}

interface PlanLinkProps {
  plan: PlanGrid_PlanFragment;
  isSignedIn: boolean;
}

/** A visitor's choice is in the address, which also works without scripts. */
function PlanLink({ plan, isSignedIn }: PlanLinkProps) {
  const text = choiceText(plan);
  return (
    <LinkButton
      to={isSignedIn ? '/subscription' : `/auth?plan=${plan.id}`}
      variant={plan.isPopular ? 'solid' : 'outline'}
      aria-label={`${text}: ${plan.name}`}
    >
      {text}
    </LinkButton>
  );
}

/** The last band: the beam, one sentence, one button. */
function FinalCallToAction({ to }: { to: string }) {
  return (
    <Band tone="night" labelledBy="final-call" backdrop={<Beam />}>
      <Flex direction="column" align="center" gap="4" textAlign="center" position="relative" color="ink">
        <Heading id="final-call" size="2xl" maxW="22ch">
          Somewhere, a seller is taking the photos right now.
        </Heading>
        <chakra.p color="muted" fontSize="lg" textWrap="balance">
          One alert is free for as long as you like.
        </chakra.p>
        <LinkButton to={to} size="lg" mt="2">
          Start Creating Alerts Now
        </LinkButton>
      </Flex>
    </Band>
  );
}

function Beam() {
  return (
    <Box aria-hidden position="absolute" inset="0" pointerEvents="none">
      <svg viewBox="0 0 1200 320" width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <linearGradient id="last-beam" x1="0" x2="1">
            <stop offset="0" stopColor="#FFC04D" stopOpacity="0.3" />
            <stop offset="1" stopColor="#FFC04D" stopOpacity="0.02" />
          </linearGradient>
        </defs>
        <path d="M-20 150 1200 0v320L-20 176z" fill="url(#last-beam)" />
      </svg>
    </Box>
  );
}
