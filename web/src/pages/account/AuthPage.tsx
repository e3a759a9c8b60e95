import { Box, chakra, Grid } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LoginForm } from '../../features/account/LoginForm.tsx';
import { RegisterForm } from '../../features/account/RegisterForm.tsx';
import { useViewer } from '../../features/account/viewer.ts';
import { hasPendingAlert, keptAlertOf, readSentAlert, storeDraftAlert } from '../../features/alert-form/draft-alert.ts';
import { isPaid } from '../../features/billing/subscription.ts';
import { useDrawn } from '../../lib/state/drawn.ts';
import { localPath, outsidePage } from '../../lib/text/local-path.ts';
import { HeadlightScene } from '../../ui/parts/art.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { NeedsScript } from '../../ui/parts/NeedsScript.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { Tabs } from '../../ui/parts/sections/Tabs.tsx';
import { Spinner } from '../../ui/parts/states.tsx';
import { KeptStrip } from './KeptStrip.tsx';

/** Login and register. A signed-in user is led to the pending alert, the requested page or the dashboard. */
export function AuthPage() {
  useDocumentTitle('Sign in');
  const { viewer, loading } = useViewer();
  const location = useLocation();
  const { search } = location;
  // A reload keeps the state, which the server doesn't know.
  const state: unknown = useDrawn() ? null : location.state;
  const beside = outsidePage(search);
  const plan = new URLSearchParams(search).get('plan');
  const sent = readSentAlert(search);
  useEffect(() => {
    const values = readSentAlert(search);
    if (values) storeDraftAlert('pending', values);
  }, [search]);
  const [chosenTab, setTab] = useState<number>();
  const tab = chosenTab ?? (plan || sent || registers(state) ? 1 : 0);
  if (loading) return <Spinner page />;
  if (viewer && beside && !hasPendingAlert()) return <LoadedByBrowser path={beside} />;
  if (viewer)
    return <Navigate to={hasPendingAlert() ? '/create-alert' : (localPath(state) ?? homeWith(plan))} replace />;
  return (
    <Grid
      templateColumns={{ base: '1fr', lg: '1fr 460px' }}
      gap={{ base: '6', lg: '16' }}
      alignItems="start"
      maxW="1080px"
      mx="auto"
      px={{ base: '4', md: '6' }}
      py={{ base: '8', md: '16' }}
    >
      <Box pt={{ lg: '6' }}>
        <Heading as="h1" size="2xl" maxW="16ch">
          Your next car, the minute it's listed.
        </Heading>
        <Muted fontSize="md" mt="3" maxW="46ch">
          Say what you are looking for once. We read every new listing and notify you in seconds when one matches.
        </Muted>
        <chakra.div display={{ base: 'none', lg: 'block' }} mt="10" maxW="460px">
          <HeadlightScene />
        </chakra.div>
      </Box>
      <Card pad="lg">
        {hasEnded(state) ? (
          <Box role="status" px="4" py="3" mb="5" borderRadius="field" bg="brandSoft" fontSize="sm">
            You have been signed out. An admin session ends after 30 minutes without use, and after 12 hours at most.
          </Box>
        ) : null}
        <NeedsScript>
          Signing in and creating an account need JavaScript. Please turn it on and reload this page.
        </NeedsScript>
        <KeptStrip plan={plan} sent={keptAlertOf(sent)} />
        <Tabs
          label="Login or register"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: 'Login', content: <LoginForm /> },
            { name: 'Register', content: <RegisterForm /> },
          ]}
        />
      </Card>
    </Grid>
  );
}

/** Whether the link that led here asks for a new account. */
const registers = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'registers' in state && state.registers === true;

/** Where a new account begins: a paid plan that was chosen is paid on the page of plans. */
const homeWith = (plan: string | null): string =>
  plan && isPaid(plan) ? `/subscription?plan=${encodeURIComponent(plan)}` : '/dashboard';

/** Whether a session of the admin has just ended on the page that led here. */
const hasEnded = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'ended' in state && state.ended === true;

/** Loads a page that the router doesn't have. */
function LoadedByBrowser({ path }: { path: string }) {
  useEffect(() => location.replace(path), [path]);
  return <Spinner page />;
}
