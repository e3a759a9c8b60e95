import { Box, Flex } from '@chakra-ui/react';
import { useCallback, useState } from 'react';
import { ApiHowTo } from '../../features/api-keys/ApiHowTo.tsx';
import { ElitePitch } from '../../features/api-keys/ElitePitch.tsx';
import { KeyList } from '../../features/api-keys/KeyList.tsx';
import { UsageCard } from '../../features/api-keys/usage/UsageCard.tsx';
import { hasApi, useCurrentSubscription } from '../../features/billing/subscription.ts';
import { WebhookSection } from '../../features/webhooks/WebhookSection.tsx';
import { readFault } from '../../lib/server/faults/errors.ts';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { SectionSkeleton } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';

/** Keys, their use, and webhooks; for Elite. Others see what it is. */
export function ApiSettingsPage() {
  const { current, error, retry } = useCurrentSubscription();
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <BackLink to="/settings" mb={{ base: '1', md: '2' }}>
          Settings
        </BackLink>
        <PageTitle title="API" subtitle="Keys and webhooks for your programs." />
      </div>
      {current ? hasApi(current.planId) ? <ForElite /> : <ElitePitch /> : null}
      {!current && error ? (
        <ErrorPanel title="Your plan could not be loaded" onRetry={retry}>
          {readFault(error).message}
        </ErrorPanel>
      ) : null}
      {!current && !error ? (
        <>
          <LoadingNote>Loading your plan</LoadingNote>
          <SectionSkeleton />
        </>
      ) : null}
    </Flex>
  );
}

const PARTS = 3;

/** Shown when all of it is there: else each part that comes would push those below it. */
function ForElite() {
  const [known, setKnown] = useState(0);
  const onKnown = useCallback(() => setKnown((count) => count + 1), []);
  const isWhole = known >= PARTS;
  return (
    <>
      {isWhole ? null : <Opening />}
      <Box display={isWhole ? 'contents' : 'none'}>
        <KeyList onKnown={onKnown} />
        <WebhookSection onKnown={onKnown} />
        <UsageCard onKnown={onKnown} />
        <ApiHowTo />
      </Box>
    </>
  );
}

function Opening() {
  return (
    <>
      <LoadingNote>Loading your keys</LoadingNote>
      <SectionSkeleton />
      <SectionSkeleton />
    </>
  );
}
