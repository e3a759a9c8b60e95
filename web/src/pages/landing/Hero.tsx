import { Box, chakra, Grid } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useViewer, type Viewer } from '../../features/account/viewer.ts';
import type { AlertFormValues } from '../../features/alert-form/alert-form-values.ts';
import { QuickAlertForm } from '../../features/alert-form/QuickAlertForm.tsx';
import { keepWaitingAlert } from '../../features/alert-form/waiting-alert.ts';
import { useSite } from '../../lib/server/site.ts';
import { plural } from '../../lib/text/time.ts';
import { TextLink } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { LiveDot } from '../../ui/parts/LiveDot.tsx';
import { night } from './Band.tsx';
import { LotScene } from './LotScene.tsx';

const LoginRequiredDialog = lazy(() =>
  import('../../features/alert-form/LoginRequiredDialog.tsx').then((m) => ({ default: m.LoginRequiredDialog })),
);

/** The dark lot, the promise, and the quick form on a sheet of paper. */
export function Hero() {
  const { viewer, loading } = useViewer();
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const site = useSite();
  const submit = (values: AlertFormValues) => {
    keepWaitingAlert(viewer ? 'prefill' : 'pending', values);
    if (viewer) void navigate('/create-alert');
    else setIsAsked(true);
  };
  return (
    <chakra.section
      aria-labelledby="promise"
      {...night}
      bgImage="radial-gradient(90% 120% at 0% 100%, rgb(255 192 77 / 13%), transparent 60%)"
    >
      <Grid
        maxW="calc(var(--chakra-sizes-content) + 3rem)"
        mx="auto"
        px={{ base: '4', md: '6' }}
        py={{ base: '10', md: '16' }}
        templateColumns={{ base: '1fr', lg: '1fr 500px' }}
        gap={{ base: '8', lg: '14' }}
        alignItems="stretch"
      >
        <Box className="dark" color="ink" display="flex" flexDirection="column" pt={{ base: '0', lg: '6' }}>
          <Badge
            gap="2"
            minH="28px"
            pl="1.5"
            alignSelf="flex-start"
            tone="beam"
            visibility={site ? 'visible' : 'hidden'}
          >
            <LiveDot />
            {plural(site?.carsSeenLastHour ?? 0, 'car')} seen in the last hour
          </Badge>
          <Heading as="h1" id="promise" size="hero" mt="5" maxW="14ch">
            Find your dream car the minute it's listed.
          </Heading>
          <chakra.p mt={{ base: '4', md: '6' }} fontSize="lg" color="muted" maxW="31em" textWrap="pretty">
            Say what you want once. LotWatch reads every new listing, understands what the seller wrote, and tells you
            in seconds, not hours.
          </chakra.p>
          {/* The line stands from the first paint on: who it is for is known a moment later. */}
          <chakra.p mt="5" display="flex" alignItems="center" minH={{ base: '44px', md: '24px' }}>
            {loading ? null : <WayOn viewer={viewer} />}
          </chakra.p>
          <Box display={{ base: 'none', lg: 'block' }} mt="auto" pt="8">
            <LotScene />
          </Box>
        </Box>
        <Box color="ink">
          <QuickAlertForm onSubmit={submit} />
        </Box>
      </Grid>
      {isAsked ? (
        <Suspense fallback={null}>
          <LoginRequiredDialog open onClose={() => setIsAsked(false)} />
        </Suspense>
      ) : null}
    </chakra.section>
  );
}

function WayOn({ viewer }: { viewer: Viewer | null }) {
  if (!viewer) return <TextLink to="/auth">Already have an account? Sign in</TextLink>;
  if (viewer.subscription.status !== 'past_due') return <TextLink to="/dashboard">See what your alerts found</TextLink>;
  return (
    <TextLink to="/subscription" color="bad" textWrap="balance">
      Your last payment didn't go through. See your plan
    </TextLink>
  );
}
