import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useOnLoaded } from '../../lib/server/use-on-loaded.ts';
import { useNow } from '../../lib/state/now.ts';
import { dateText, dayText, plural } from '../../lib/text/time.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { NewSecret } from '../../ui/form/NewSecret.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';
import { ListRow, ListSection, NoRows, RowList } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';
import { type ApiKey, ApiKeysDocument } from './api-key-documents.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { endText, isLive, lastUsedText, scopesText, stateText } from './key-words.ts';
import { Summary } from './Summary.tsx';
import { type KeyActions, type ShownKey, useKeyActions } from './use-key-actions.ts';

type Open = { what: 'create' } | { what: 'rotate' | 'revoke'; apiKey: ApiKey } | null;

/** The viewer's keys with their actions. */
export function KeyList({ onLoaded }: { onLoaded: () => void }) {
  const result = useQuery(ApiKeysDocument, { fetchPolicy: 'cache-and-network' });
  const error = useOnLoaded(result, onLoaded);
  const [open, setOpen] = useState<Open>(null);
  const [shown, setShown] = useState<ShownKey | null>(null);
  const actions = useKeyActions(setShown);
  // The action may end when another dialog is open.
  const close = () => setOpen((now) => (now === open ? null : now));
  const hideSecret = (id: string) => setShown((now) => (now?.id === id ? null : now));
  const keys = result.data?.apiKeys;
  if (!keys && error) {
    return (
      <ErrorPanel title="Your keys could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  return (
    <>
      <ListSection
        id="keys"
        title="API keys"
        about="A key acts as you, without your password. At most 20 at a time."
        loading="Loading your keys"
        action={
          <Button disabled={!keys} onClick={() => setOpen({ what: 'create' })}>
            <Plus size={16} aria-hidden />
            Create Key
          </Button>
        }
        notice={
          shown ? (
            <NewSecret
              secret={shown.secret}
              what="key"
              title={`Copy the key “${shown.name}” now`}
              label="Your new API key"
              onDone={() => setShown(null)}
            >
              This is the only time we can show it, because we store only its hash. Anyone who has it can act as you.
            </NewSecret>
          ) : null
        }
      >
        {keys ? <Keys keys={keys} onOpen={setOpen} /> : undefined}
      </ListSection>
      <Dialogs open={open} actions={actions} onClose={close} onRevoked={hideSecret} />
    </>
  );
}

interface DialogsProps {
  open: Open;
  actions: KeyActions;
  onClose: () => void;
  onRevoked: (id: string) => void;
}

function Dialogs({ open, actions, onClose, onRevoked }: DialogsProps) {
  if (!open) return null;
  if (open.what === 'create') return <CreateKeyDialog create={actions.create} onClose={onClose} />;
  const { what, apiKey } = open;
  if (what === 'rotate') return <RotateKeyDialog apiKey={apiKey} rotate={actions.rotate} onClose={onClose} />;
  const revoke = async () => {
    const fault = await actions.revoke(apiKey);
    if (fault === null) onRevoked(apiKey.id);
    return fault;
  };
  return (
    <ConfirmDialog title={`Revoke “${apiKey.name}”?`} button="Revoke Key" danger act={revoke} onClose={onClose}>
      Programs that use it are refused immediately, and their live connections end. This can't be undone.
    </ConfirmDialog>
  );
}

function Keys({ keys, onOpen }: { keys: readonly ApiKey[]; onOpen: (open: Open) => void }) {
  const rows = (some: readonly ApiKey[]) => (
    <RowList>
      {some.map((apiKey) => (
        <KeyRow
          key={apiKey.id}
          apiKey={apiKey}
          onRotate={() => onOpen({ what: 'rotate', apiKey })}
          onRevoke={() => onOpen({ what: 'revoke', apiKey })}
        />
      ))}
    </RowList>
  );
  const live = keys.filter(isLive);
  const ended = keys.filter((key) => !isLive(key));
  return (
    <>
      {live.length > 0 ? (
        rows(live)
      ) : (
        <NoRows title="No keys yet">
          Create one for each program, so that you can revoke one without affecting the others.
        </NoRows>
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

interface KeyRowProps {
  apiKey: ApiKey;
  onRotate: () => void;
  onRevoke: () => void;
}

const tones = { active: 'brand', replaced: 'outline', expired: 'quiet', revoked: 'quiet' } as const;

/** A key in the list: its name, prefix, scopes and actions. */
function KeyRow({ apiKey, onRotate, onRevoke }: KeyRowProps) {
  const now = useNow(30_000);
  const live = isLive(apiKey);
  return (
    <ListRow sided>
      <Box flex="1" minW="0">
        <Flex gap="2.5" align="center" wrap="wrap">
          <Heading as="h3" size="sm" overflowWrap="anywhere" color={live ? 'ink' : 'muted'}>
            {apiKey.name}
          </Heading>
          <Badge tone={tones[apiKey.state]}>{stateText(apiKey, now)}</Badge>
        </Flex>
        <chakra.code display="block" mt="1" fontFamily="ui-monospace, monospace" fontSize="xs" color="muted">
          {apiKey.prefix}…
        </chakra.code>
        <Muted mt="1" display="flex" columnGap="3" flexWrap="wrap">
          <span>{scopesText(apiKey)}</span>
          <span title={dateText(apiKey.createdAt)}>Created {dayText(apiKey.createdAt, now)}</span>
          <span>{live ? lastUsedText(apiKey, now) : `Ended ${endText(apiKey, now)}`}</span>
        </Muted>
      </Box>
      {live ? (
        <Flex gap="2" flexShrink={0}>
          {apiKey.state === 'active' ? (
            <Button variant="outline" size="sm" aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
              Rotate
            </Button>
          ) : null}
          <Button variant="outline" size="sm" color="bad" aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
            Revoke
          </Button>
        </Flex>
      ) : null}
    </ListRow>
  );
}

const overlaps = [
  { value: '24', label: '24 more hours' },
  { value: '1', label: '1 more hour' },
  { value: '168', label: '7 more days' },
  { value: '0', label: 'Not at all' },
];

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  rotate: KeyActions['rotate'];
  onClose: () => void;
}

/** Rotates a key: the old one works for a while, so that programs can be changed. */
function RotateKeyDialog({ apiKey, rotate, onClose }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState('24');
  return (
    <ConfirmDialog
      title={`Rotate “${apiKey.name}”`}
      button="Rotate Key"
      acting="Rotating..."
      act={() => rotate(apiKey, Number(overlap))}
      onClose={onClose}
    >
      You get a new key with the same name and access. Change your program to it before the old one ends.
      <Box mt="4" color="ink">
        <Field label="The old key works">
          {(control) => (
            <Select
              {...control}
              value={overlap}
              options={overlaps}
              onChange={(event) => setOverlap(event.currentTarget.value)}
            />
          )}
        </Field>
      </Box>
    </ConfirmDialog>
  );
}
