import { Box, chakra, Grid } from '@chakra-ui/react';
import { useViewer, type Viewer } from '../../features/account/viewer.ts';
import { QuickAlertForm } from '../../features/alert-form/QuickAlertForm.tsx';
import { useStartAlert } from '../../features/alert-form/use-start-alert.tsx';
import { type Site, usePolledSite } from '../../lib/server/site.ts';
import { useNow } from '../../lib/state/now.ts';
import { shortDuration, timeAgo } from '../../lib/text/time.ts';
import { Car } from '../../ui/parts/art.tsx';
import { TextLink } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { LiveDot } from '../../ui/parts/LiveDot.tsx';
import { night } from './Band.tsx';

/** The first section: the dark lot, the headline, and the quick form on a sheet of paper. */
export function Hero() {
  const { viewer, loading } = useViewer();
  const { start, dialog } = useStartAlert(viewer !== null);
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
        pt={{ base: '5', sm: '10', md: '16' }}
        pb={{ base: '10', md: '16' }}
        templateColumns={{ base: '1fr', lg: '1fr 500px' }}
        gap={{ base: '4', sm: '8', lg: '14' }}
        alignItems="stretch"
      >
        <Box className="dark" color="ink" display="flex" flexDirection="column" pt={{ base: '0', lg: '6' }}>
          <Freshness />
          {/* On a phone the form begins in the upper half of the screen. */}
          <Heading
            as="h1"
            id="promise"
            size="hero"
            mt={{ base: '3', sm: '5' }}
            maxW={{ sm: '14ch' }}
            fontSize={{ base: '2rem', sm: '2.625rem', md: '4xl' }}
          >
            Find your dream car the minute it's listed.
          </Heading>
          <chakra.p
            mt={{ base: '2', sm: '4', md: '6' }}
            fontSize={{ base: 'md', sm: 'lg' }}
            color="muted"
            maxW="31em"
            textWrap="pretty"
          >
            Say what you want once. LotWatch reads every new listing, understands what the seller wrote, and notifies
            you in seconds, not hours.
          </chakra.p>
          {/* The line is shown from the first paint; the viewer is known only later. */}
          <chakra.p mt={{ base: '0', sm: '5' }} display="flex" alignItems="center" minH={{ base: '44px', md: '24px' }}>
            {loading ? null : <HeroLink viewer={viewer} />}
          </chakra.p>
          <Box display={{ base: 'none', lg: 'block' }} mt="auto" pt="8">
            <LotScene />
          </Box>
        </Box>
        <Box color="ink">
          <QuickAlertForm onSubmit={start} />
        </Box>
      </Grid>
      {dialog}
    </chakra.section>
  );
}

/** How recent the last check is, and how fast mails leave: what is not known yet is left out. */
function Freshness() {
  const site = usePolledSite();
  const now = useNow(1000);
  return (
    <Badge gap="2" minH="28px" pl="1.5" alignSelf="flex-start" tone="beam" visibility={site ? 'visible' : 'hidden'}>
      <LiveDot on={site?.lastCheckedAt != null} />
      {freshnessText(site, now)}
    </Badge>
  );
}

function freshnessText(site: Site | undefined, now: Date): string {
  if (!site?.lastCheckedAt) return 'waiting for the first check';
  const checked = `checked ${timeAgo(site.lastCheckedAt, now)}`;
  const seconds = site.medianSecondsToMail;
  return seconds == null ? checked : `${checked} · ${shortDuration(seconds)} to mail (median)`;
}

function HeroLink({ viewer }: { viewer: Viewer | null }) {
  if (!viewer) return <TextLink to="/auth">Already have an account? Sign in</TextLink>;
  if (viewer.subscription.status !== 'past_due') return <TextLink to="/dashboard">See what your alerts found</TextLink>;
  return (
    <TextLink to="/subscription" color="bad" textWrap="balance">
      Your last payment didn't go through. See your plan
    </TextLink>
  );
}

/** A drawing of the lot at night, where a headlight finds one car among many. */
function LotScene() {
  return (
    <svg viewBox="0 0 620 176" width="100%" aria-hidden="true">
      <defs>
        <linearGradient id="lot-scene-beam" x1="0" x2="1">
          <stop offset="0" stopColor="#FFC04D" stopOpacity="0.75" />
          <stop offset="0.7" stopColor="#FFC04D" stopOpacity="0.2" />
          <stop offset="1" stopColor="#FFC04D" stopOpacity="0" />
        </linearGradient>
      </defs>
      <chakra.g opacity="0.5" filter="brightness(0.32) saturate(0.5)">
        <g transform="translate(96 60) scale(0.52)">
          <Car color="blue" />
        </g>
        <g transform="translate(216 60) scale(0.52)">
          <Car color="white" />
        </g>
        <g transform="translate(336 60) scale(0.52)">
          <Car color="red" />
        </g>
        <g transform="translate(456 60) scale(0.52)">
          <Car color="gray" />
        </g>
      </chakra.g>
      <path d="M0 168h620" stroke="#243331" strokeWidth="2" />
      <path d="M54 126 620 44v122H300L54 146z" fill="url(#lot-scene-beam)" />
      <g transform="translate(286 86) scale(0.94)">
        <Car color="silver" />
      </g>
      <rect x="2" y="112" width="52" height="52" rx="13" fill="#57C9BC" />
      <circle cx="20.5" cy="138" r="8" fill="none" stroke="#06211E" strokeWidth="5" />
      <path d="M35 129h10M35 138h10M35 147h10" stroke="#FFC04D" strokeWidth="4.2" strokeLinecap="round" />
    </svg>
  );
}
