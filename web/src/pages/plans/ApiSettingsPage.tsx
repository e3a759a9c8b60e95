import { Box, Flex } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useState } from 'react';
import { ApiHowTo } from '../../features/api-keys/ApiHowTo.tsx';
import { ElitePitch } from '../../features/api-keys/ElitePitch.tsx';
import { KeyList } from '../../features/api-keys/KeyList.tsx';
import { UsageCard } from '../../features/api-keys/usage/UsageCard.tsx';
import { hasApi, useCurrentSubscription } from '../../features/billing/subscription.ts';
import { WebhookSection } from '../../features/webhooks/WebhookSection.tsx';
import { readFault } from '../../lib/server/faults/errors.ts';
import { TextLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** Keys, their use, and webhooks; for Elite. Others see what it is. */
export function ApiSettingsPage() {
  const { current, error, retry } = useCurrentSubscription();
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <TextLink to="/settings" fontSize="sm">
          <ArrowLeft size={16} aria-hidden style={{ display: 'inline', marginRight: 6, verticalAlign: '-3px' }} />
          Settings
        </TextLink>
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
          <Skeleton h="48" />
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
      <Skeleton h="64" />
      <Skeleton h="64" />
    </>
  );
}
