import { Box, Flex } from '@chakra-ui/react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { PausedBanner } from '../features/account/PausedBanner.tsx';
import { FirstPasswordBanner } from '../features/account/password/FirstPasswordBanner.tsx';
import { SuppressedBanner } from '../features/account/SuppressedBanner.tsx';
import { isAdmin, isLoggingOut, useViewer } from '../features/account/viewer.ts';
import { BillingBanners } from '../features/billing/BillingBanners.tsx';
import { CompareTray } from '../features/listings/compare/CompareTray.tsx';
import { readFault } from '../lib/server/faults/errors.ts';
import { startCompared } from '../lib/state/compared-cars.ts';
import { keptShown, VIEWER_KEY } from '../lib/state/offline.ts';
import { useStore } from '../lib/state/store.ts';
import { LinkButton } from '../ui/parts/Button.tsx';
import { ErrorPanel, Spinner } from '../ui/parts/states.tsx';
import { SideNav } from './SideNav.tsx';

/** Its form is no part of the pages of others. */
const LazyFirstPassword = lazy(() =>
  import('../features/account/password/FirstPassword.tsx').then((module) => ({ default: module.FirstPassword })),
);

/** The pages on whose cards cars are chosen to be compared. */
const hasCards = /^\/(dashboard|saved|alert\/\d+)\/?$/;

/** The pages that can be read without a connection. */
const isReadOffline = /^\/(dashboard|my-alerts|alert\/\d+)\/?$/;

interface FrameProps {
  /** The milliseconds before a visitor is led from a path to the sign-in page. */
  redirectDelayOf: (pathname: string) => number;
}

/** Pages that need a login: a spinner while the user is loading, then the page beside the side navigation, or /auth. */
export function MemberFrame({ redirectDelayOf }: FrameProps) {
  const { viewer, loading, error, retry } = useViewer();
  const { pathname, search, hash } = useLocation();
  const isKept = useStore(keptShown).has(VIEWER_KEY);
  const viewerId = viewer?.id;
  useEffect(() => {
    if (viewerId !== undefined) startCompared(viewerId);
  }, [viewerId]);
  useEffect(() => () => isLoggingOut.set(false), []);
  const wasAdmin = useRef(false);
  if (viewer) wasAdmin.current = isAdmin(viewer);
  if (loading) return <Spinner page />;
  if (error) {
    return (
      <Box maxW="form" mx="auto" px="4" py="10">
        <ErrorPanel title="We couldn't load your account" onRetry={retry}>
          {readFault(error).message}
        </ErrorPanel>
      </Box>
    );
  }
  if (!viewer && isLoggingOut.get()) return <Navigate to="/" replace />;
  if (!viewer) {
    const from = `${pathname}${search}${hash}`;
    return <RedirectToAuth from={from} ended={wasAdmin.current} waitMs={redirectDelayOf(pathname)} />;
  }
  if (viewer.restrictedTo === 'password') {
    return (
      <Suspense fallback={<Spinner page />}>
        <LazyFirstPassword username={viewer.username} />
      </Suspense>
    );
  }
  if (viewer.restrictedTo === 'secondFactor') return <TwoStepOnly pathname={pathname} />;
  return (
    <>
      {viewer.mustChangePassword ? <FirstPasswordBanner /> : null}
      {/* Within the frame, which comes in whole: above it, it would push what is there. */}
      <BillingBanners state={viewer.subscription} />
      {viewer.email && viewer.emailSuppression ? (
        <SuppressedBanner email={viewer.email} reason={viewer.emailSuppression.reason} />
      ) : null}
      {viewer.messagesPaused ? <PausedBanner /> : null}
      <Flex
        maxW="calc(var(--chakra-sizes-content) + 3rem)"
        mx="auto"
        px={{ base: '4', md: '6' }}
        py={{ base: '5', md: '8' }}
        gap="10"
      >
        <SideNav />
        <Box flex="1" minW="0" pb="10">
          {isKept && !isReadOffline.test(pathname) ? <NeedsConnection /> : <Outlet />}
          {hasCards.test(pathname) ? <CompareTray /> : null}
        </Box>
      </Flex>
    </>
  );
}

/** In the place of a page that changes something, or shows what is not stored. The page comes as soon as LotWatch answers. */
function NeedsConnection() {
  return (
    <Box maxW="form">
      <ErrorPanel
        level="h1"
        title="This page needs a connection"
        back={
          <LinkButton to="/dashboard" variant="outline">
            Dashboard
          </LinkButton>
        }
      >
        You are offline. Your dashboard, your alerts and their matches can be read as they were.
      </ErrorPanel>
    </Box>
  );
}

/** For users who must set up a second factor first: every address shows that page. */
function TwoStepOnly({ pathname }: { pathname: string }) {
  const page = '/settings/two-step';
  if (pathname !== page) return <Navigate to={page} replace />;
  return (
    <Box maxW="form" mx="auto" px="4" py={{ base: '8', md: '16' }}>
      <Outlet />
    </Box>
  );
}

interface RedirectProps {
  from: string;
  /** Whether the admin's session has just ended here, which the sign-in page explains. */
  ended: boolean;
  waitMs: number;
}

/** Leads a visitor to /auth. */
function RedirectToAuth({ from, ended, waitMs }: RedirectProps) {
  const navigate = useNavigate();
  useEffect(() => {
    if (waitMs === 0) return;
    const timer = setTimeout(() => void navigate('/auth', { replace: true, state: { from, ended } }), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs, navigate, from, ended]);
  return waitMs === 0 ? <Navigate to="/auth" replace state={{ from, ended }} /> : <Spinner page />;
}
