import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useViewer } from '../features/account/viewer.ts';
import type { AlertFormValues } from '../features/alert-form/alert-form-values.ts';
import { LoginRequiredDialog } from '../features/alert-form/LoginRequiredDialog.tsx';
import { QuickAlertForm } from '../features/alert-form/QuickAlertForm.tsx';
import { keepWaitingAlert } from '../features/alert-form/waiting-alert.ts';
import { PlanCard } from '../features/billing/PlanCard.tsx';
import { PlanGrid } from '../features/billing/PlanGrid.tsx';
import { graphql } from '../gql/gql.ts';
import { readFault } from '../lib/server/errors.ts';
import { useSite } from '../lib/server/site.ts';
import { plural } from '../lib/text/time.ts';
import { LinkButton, TextLink } from '../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../ui/parts/Card.tsx';
import { LiveDot } from '../ui/parts/LiveDot.tsx';
import { useDocumentTitle } from '../ui/parts/PageTitle.tsx';
import { ErrorPanel } from '../ui/parts/states.tsx';

const LandingPageDocument = graphql(`
  query LandingPage {
    plans {
      ...PlanGrid_plan
    }
  }
`);

const steps = [
  { title: 'Set your alert', text: 'Make, model, years, price and how far you would drive. One minute, once.' },
  { title: 'We watch', text: 'Every new listing is read and understood, whatever way the seller wrote it.' },
  { title: 'You move first', text: 'A mail with photo, price and distance, seconds after the car appears.' },
];

/** The public front page: the quick form, how it works, the plans. */
export function LandingPage() {
  useDocumentTitle("Find your dream car the minute it's listed");
  const { viewer } = useViewer();
  const { data, error, refetch } = useQuery(LandingPageDocument);
  return (
    <>
      <Hero isSignedIn={viewer !== null} />
      <chakra.section aria-labelledby="how" bg="sunk" borderYWidth="1px" borderColor="line">
        <Band>
          <Heading id="how" size="xl">
            How It Works
          </Heading>
          <Grid
            as="ol"
            templateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
            gap="5"
            mt="6"
            p="0"
            listStyleType="none"
          >
            {steps.map(({ title, text }, index) => (
              <Card as="li" key={title}>
                <Badge aria-hidden fontSize="sm" minH="26px">
                  {index + 1}
                </Badge>
                <Heading as="h3" size="md" mt="2.5">
                  {title}
                </Heading>
                <Muted mt="1">{text}</Muted>
              </Card>
            ))}
          </Grid>
        </Band>
      </chakra.section>
      <chakra.section aria-labelledby="plans" id="pricing">
        <Band>
          <Heading id="plans" size="xl">
            Plans
          </Heading>
          <Muted mt="1" mb="6">
            No credit card is required for the free plan.
          </Muted>
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
          <Flex mt="12" direction="column" align="center" gap="4" textAlign="center">
            <Heading as="p" size="lg">
              The good ones go in an hour.
            </Heading>
            <LinkButton to={viewer ? '/create-alert' : '/auth'} size="lg">
              Start Creating Alerts Now
            </LinkButton>
          </Flex>
        </Band>
      </chakra.section>
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

function Band({ children }: { children: React.ReactNode }) {
  return (
    <Box
      maxW="calc(var(--chakra-sizes-content) + 3rem)"
      mx="auto"
      px={{ base: '4', md: '6' }}
      py={{ base: '10', md: '14' }}
    >
      {children}
    </Box>
  );
}

function Hero({ isSignedIn }: { isSignedIn: boolean }) {
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const site = useSite();
  const submit = (values: AlertFormValues) => {
    keepWaitingAlert(isSignedIn ? 'prefill' : 'pending', values);
    if (isSignedIn) void navigate('/create-alert');
    else setIsAsked(true);
  };
  return (
    <Band>
      <Grid templateColumns={{ base: '1fr', lg: '1fr 498px' }} gap={{ base: '8', lg: '14' }} alignItems="center">
        <Box>
          <Badge gap="2" minH="28px" pl="1.5" visibility={site ? 'visible' : 'hidden'}>
            <LiveDot />
            {plural(site?.carsSeenLastHour ?? 0, 'car')} seen in the last hour
          </Badge>
          <Heading as="h1" size="hero" mt="5" maxW="14ch">
            Find your dream car the minute it's listed.
          </Heading>
          <chakra.p
            mt={{ base: '4', md: '6' }}
            fontSize="lg"
            color="muted"
            maxW="32em"
            lineHeight="1.5"
            textWrap="pretty"
          >
            Say what you want once. LotWatch reads every new listing, understands what the seller wrote, and tells you
            in seconds, not hours.
          </chakra.p>
          {isSignedIn ? null : (
            <chakra.p mt="5" color="muted">
              <TextLink to="/auth">Already have an account? Sign in</TextLink>
            </chakra.p>
          )}
        </Box>
        <QuickAlertForm onSubmit={submit} />
      </Grid>
      <LoginRequiredDialog open={isAsked} onClose={() => setIsAsked(false)} />
    </Band>
  );
}
