import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { plural } from '../../lib/text/time.ts';
import { NewSecret } from '../../ui/form/NewSecret.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { type ApiKey, ApiKeysDocument } from './api-key-documents.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyRow } from './KeyRow.tsx';
import { isLive } from './key-words.ts';
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx';
import { RotateKeyDialog } from './RotateKeyDialog.tsx';
import { Summary } from './Summary.tsx';
import { type ShownKey, useKeyActions } from './use-key-actions.ts';

type Open = { what: 'create' } | { what: 'rotate' | 'revoke'; apiKey: ApiKey } | null;

/** The viewer's keys, and all that can be done with them. */
export function KeyList({ onKnown }: { onKnown: () => void }) {
  const asked = useQuery(ApiKeysDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(asked);
  const [open, setOpen] = useState<Open>(null);
  const [shown, setShown] = useState<ShownKey | null>(null);
  const actions = useKeyActions(setShown);
  const close = () => setOpen(null);
  const keys = asked.data?.apiKeys;
  const isKnown = keys !== undefined || error !== undefined;
  useEffect(() => {
    if (isKnown) onKnown();
  }, [isKnown, onKnown]);
  if (!keys && error) {
    return (
      <ErrorPanel title="Your keys could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  return (
    <Card as="section" aria-labelledby="keys" pad="lg">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Box minW="0">
          <Heading id="keys" size="md">
            API keys
          </Heading>
          <Muted mt="1">A key acts as you, without your password. At most 20 at a time.</Muted>
        </Box>
        <Button onClick={() => setOpen({ what: 'create' })}>
          <Plus size={16} aria-hidden />
          Create Key
        </Button>
      </Flex>
      {shown ? (
        <Box mt="5">
          <NewSecret
            secret={shown.secret}
            what="key"
            title={`Copy the key “${shown.name}” now`}
            label="Your new API key"
            onDone={() => setShown(null)}
          >
            This is the only time we can show it: we keep no copy that can be read. Whoever has it acts as you.
          </NewSecret>
        </Box>
      ) : null}
      <Box mt="4">{keys ? <Keys keys={keys} onOpen={setOpen} /> : <KeySkeletons />}</Box>
      {open?.what === 'create' ? <CreateKeyDialog create={actions.create} onClose={close} /> : null}
      {open?.what === 'rotate' ? (
        <RotateKeyDialog apiKey={open.apiKey} rotate={actions.rotate} onClose={close} />
      ) : null}
      {open?.what === 'revoke' ? (
        <RevokeKeyDialog apiKey={open.apiKey} revoke={actions.revoke} onClose={close} />
      ) : null}
    </Card>
  );
}

function Keys({ keys, onOpen }: { keys: readonly ApiKey[]; onOpen: (open: Open) => void }) {
  const rows = (some: readonly ApiKey[]) => (
    <chakra.ul listStyleType="none" p="0" m="0">
      {some.map((apiKey) => (
        <KeyRow
          key={apiKey.id}
          apiKey={apiKey}
          onRotate={() => onOpen({ what: 'rotate', apiKey })}
          onRevoke={() => onOpen({ what: 'revoke', apiKey })}
        />
      ))}
    </chakra.ul>
  );
  const live = keys.filter(isLive);
  const ended = keys.filter((key) => !isLive(key));
  return (
    <>
      {live.length > 0 ? (
        rows(live)
      ) : (
        <Box bg="sunk" borderRadius="field" p="5" textAlign="center">
          <chakra.p fontWeight="600">No keys yet</chakra.p>
          <Muted mt="1">Create one for each program, so that you can end one without the others.</Muted>
        </Box>
      )}
      {ended.length > 0 ? (
        <chakra.details mt="2" borderTopWidth="1px" borderColor="line" pt="1">
          <Summary>{plural(ended.length, 'key')} that ended in the last 30 days</Summary>
          {rows(ended)}
        </chakra.details>
      ) : null}
    </>
  );
}

function KeySkeletons() {
  return (
    <>
      <LoadingNote>Loading your keys</LoadingNote>
      <Skeleton h="22" mb="3" />
      <Skeleton h="22" />
    </>
  );
}
