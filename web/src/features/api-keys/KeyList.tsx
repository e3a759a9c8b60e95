import { useQuery } from '@apollo/client/react';
import { chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useKnown } from '../../lib/server/use-known.ts';
import { plural } from '../../lib/text/time.ts';
import { NewSecret } from '../../ui/form/NewSecret.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';
import { ListSection, NoRows, RowList } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';
import { type ApiKey, ApiKeysDocument } from './api-key-documents.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyRow } from './KeyRow.tsx';
import { isLive } from './key-words.ts';
import { RotateKeyDialog } from './RotateKeyDialog.tsx';
import { Summary } from './Summary.tsx';
import { type KeyActions, type ShownKey, useKeyActions } from './use-key-actions.ts';

type Open = { what: 'create' } | { what: 'rotate' | 'revoke'; apiKey: ApiKey } | null;

/** The viewer's keys, and all that can be done with them. */
export function KeyList({ onKnown }: { onKnown: () => void }) {
  const asked = useQuery(ApiKeysDocument, { fetchPolicy: 'cache-and-network' });
  const error = useKnown(asked, onKnown);
  const [open, setOpen] = useState<Open>(null);
  const [shown, setShown] = useState<ShownKey | null>(null);
  const actions = useKeyActions(setShown);
  // What is done may end when another dialog is open.
  const close = () => setOpen((now) => (now === open ? null : now));
  const dropSecret = (id: string) => setShown((now) => (now?.id === id ? null : now));
  const keys = asked.data?.apiKeys;
  if (!keys && error) {
    return (
      <ErrorPanel title="Your keys could not be loaded" onRetry={() => asked.refetch()}>
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
              This is the only time we can show it: we keep no copy that can be read. Whoever has it acts as you.
            </NewSecret>
          ) : null
        }
      >
        {keys ? <Keys keys={keys} onOpen={setOpen} /> : undefined}
      </ListSection>
      <Dialogs open={open} actions={actions} onClose={close} onGone={dropSecret} />
    </>
  );
}

interface DialogsProps {
  open: Open;
  actions: KeyActions;
  onClose: () => void;
  onGone: (id: string) => void;
}

function Dialogs({ open, actions, onClose, onGone }: DialogsProps) {
  if (!open) return null;
  if (open.what === 'create') return <CreateKeyDialog create={actions.create} onClose={onClose} />;
  const { what, apiKey } = open;
  if (what === 'rotate') return <RotateKeyDialog apiKey={apiKey} rotate={actions.rotate} onClose={onClose} />;
  const revoke = async () => {
    const fault = await actions.revoke(apiKey);
    if (fault === null) onGone(apiKey.id);
    return fault;
  };
  return (
    <ConfirmDialog title={`Revoke “${apiKey.name}”?`} button="Revoke Key" danger act={revoke} onClose={onClose}>
      Programs that use it are refused at once, and their live connections end. This can't be undone.
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
        <NoRows title="No keys yet">Create one for each program, so that you can end one without the others.</NoRows>
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
