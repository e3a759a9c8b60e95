import { Box, chakra, Flex } from '@chakra-ui/react';
import { KeyRound, ListChecks, Webhook } from 'lucide-react';
import { useCallback, useState } from 'react';
import { KeyList } from '../../features/api-keys/KeyList.tsx';
import { UsageCard } from '../../features/api-keys/UsageCard.tsx';
import { hasApi, useCurrentSubscription } from '../../features/billing/subscription.ts';
import { WebhookSection } from '../../features/webhooks/WebhookSection.tsx';
import { readFault } from '../../lib/server/faults/errors.ts';
import { AnchorButton, BackLink, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { Benefits } from '../../ui/parts/sections/Benefits.tsx';
import { SectionSkeleton } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';

/** Keys, their usage and webhooks, for users on Elite. Others see what the plan offers. */
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

/** Shown when all parts are loaded; otherwise each part would move those below it. */
function ForElite() {
  const [known, setKnown] = useState(0);
  const onLoaded = useCallback(() => setKnown((count) => count + 1), []);
  const isWhole = known >= PARTS;
  return (
    <>
      {isWhole ? null : <Opening />}
      <Box display={isWhole ? 'contents' : 'none'}>
        <KeyList onLoaded={onLoaded} />
        <WebhookSection onLoaded={onLoaded} />
        <UsageCard onLoaded={onLoaded} />
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

const benefits = [
  {
    Icon: KeyRound,
    title: 'API keys',
    text: 'All features of LotWatch for your programs: REST, GraphQL and live matches.',
  },
  { Icon: Webhook, title: 'Webhooks', text: 'New matches and price drops posted to your server, signed and retried.' },
  { Icon: ListChecks, title: 'Bulk calls', text: 'A hundred alerts in one call, and matches as an export.' },
];

/** For users on other plans: what the API offers, and how to get it. */
function ElitePitch() {
  return (
    <Card as="section" aria-labelledby="elite" pad="lg">
      <Heading id="elite" size="md">
        The API is part of the Elite plan
      </Heading>
      <Muted mt="1" maxW="60ch">
        For dealers and tools that build on LotWatch. Keys and webhooks that you made before are kept, and work again
        after an upgrade.
      </Muted>
      <Box mt="6">
        <Benefits benefits={benefits} />
      </Box>
      <LinkButton to="/subscription" mt="7">
        Upgrade
      </LinkButton>
    </Card>
  );
}

/** An example of a call, and links to the documentation. */
function ApiHowTo() {
  const call = `curl ${location.origin}/api/alerts/user \\\n  -H "Authorization: Bearer lw_live_…"`;
  return (
    <Card as="section" aria-labelledby="how-to" pad="lg">
      <Heading id="how-to" size="md">
        Your first call
      </Heading>
      <Muted mt="1">
        Send the key as a header with REST, GraphQL and live connections. Each answer states how many requests are left
        in the current hour.
      </Muted>
      <chakra.pre
        mt="4"
        p="4"
        bg="sunk"
        borderRadius="field"
        fontFamily="ui-monospace, monospace"
        fontSize="xs"
        lineHeight="1.6"
        overflowX="auto"
        // A long address scrolls by keyboard too.
        tabIndex={0}
        role="region"
        aria-label="Example call"
      >
        {call}
      </chakra.pre>
      <Flex mt="4" gap="3" wrap="wrap">
        <AnchorButton href="/api/docs" variant="outline" size="sm">
          REST reference
        </AnchorButton>
        <AnchorButton href="/playground" variant="outline" size="sm">
          GraphQL playground
        </AnchorButton>
      </Flex>
    </Card>
  );
}
