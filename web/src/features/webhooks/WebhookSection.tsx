import { useQuery } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Fault, readFault } from '../../lib/server/faults/errors.ts';
import { useOnLoaded } from '../../lib/server/use-on-loaded.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { NewSecret } from '../../ui/form/NewSecret.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';
import { ListSection, NoRows, RowList } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';
import { type ShownSecret, useWebhookActions, type WebhookActions } from './use-webhook-actions.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { type DialogAction, WebhookRow } from './WebhookRow.tsx';
import { type Webhook, WebhooksDocument } from './webhook-documents.ts';
import { shortUrl } from './webhook-words.ts';

type OpenDialog = { what: 'create' } | { what: DialogAction; webhook: Webhook } | null;

const REFRESH_MS = 15_000;
const MAX_WEBHOOKS = 10;

/** The viewer's webhooks with their actions. */
export function WebhookSection({ onLoaded }: { onLoaded: () => void }) {
  const result = useQuery(WebhooksDocument, {
    fetchPolicy: 'cache-and-network',
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
  });
  const error = useOnLoaded(result, onLoaded);
  const [open, setOpen] = useState<OpenDialog>(null);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const actions = useWebhookActions(setShown);
  const webhooks = result.data?.webhooks;
  if (!webhooks && error) {
    return (
      <ErrorPanel title="Your webhooks could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  const isFull = (webhooks?.length ?? 0) >= MAX_WEBHOOKS;
  // The action may end when another dialog is open.
  const close = () => setOpen((now) => (now === open ? null : now));
  const hideSecret = (id: string) => setShown((now) => (now?.webhookId === id ? null : now));
  return (
    <>
      <ListSection
        id="webhooks"
        title="Webhooks"
        about={
          isFull
            ? `You have ${MAX_WEBHOOKS} webhooks, which is the maximum. Delete one to add another.`
            : 'Your server receives matches, price drops and ending alerts as they happen, in signed messages.'
        }
        loading="Loading your webhooks"
        action={
          <Button disabled={!webhooks || isFull} onClick={() => setOpen({ what: 'create' })}>
            <Plus size={16} aria-hidden />
            Add Webhook
          </Button>
        }
        notice={
          shown ? (
            <NewSecret
              secret={shown.secret}
              what="secret"
              title={`Copy the secret of ${shown.name} now`}
              label="Your webhook's secret"
              onDone={() => setShown(null)}
            >
              Your program uses it to verify that a message comes from us. This is the only time we can show it.
            </NewSecret>
          ) : null
        }
      >
        {webhooks ? <Webhooks {...{ webhooks, actions }} onOpen={setOpen} /> : undefined}
      </ListSection>
      <Dialogs open={open} actions={actions} onClose={close} onDeleted={hideSecret} />
    </>
  );
}

interface WebhooksProps {
  webhooks: readonly Webhook[];
  actions: WebhookActions;
  onOpen: (open: OpenDialog) => void;
}

function Webhooks({ webhooks, actions, onOpen }: WebhooksProps) {
  if (webhooks.length === 0) {
    return <NoRows title="No webhooks yet">Add the address of your server, and we post each new match there.</NoRows>;
  }
  return (
    <RowList>
      {webhooks.map((webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          actions={actions}
          onOpenDialog={(what) => onOpen({ what, webhook })}
        />
      ))}
    </RowList>
  );
}

interface DialogsProps {
  open: OpenDialog;
  actions: WebhookActions;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

function Dialogs({ open, actions, onClose, onDeleted }: DialogsProps) {
  if (!open) return null;
  if (open.what === 'create') return <WebhookDialog save={actions.create} onClose={onClose} />;
  const { what, webhook } = open;
  if (what === 'edit') {
    return <WebhookDialog webhook={webhook} save={(fields) => actions.update(webhook, fields)} onClose={onClose} />;
  }
  if (what === 'replay') {
    return <ReplayDialog replay={(hours) => actions.replayFrom(webhook, hours)} onClose={onClose} />;
  }
  if (what === 'rotate') {
    return (
      <ConfirmDialog
        title="Rotate the secret?"
        button="Rotate Secret"
        act={() => actions.rotate(webhook)}
        onClose={onClose}
      >
        You get a new secret. For 24 hours, messages are signed with both, so that your program can verify all of them.
      </ConfirmDialog>
    );
  }
  const remove = async () => {
    const fault = await actions.remove(webhook);
    if (fault === null) onDeleted(webhook.id);
    return fault;
  };
  return (
    <ConfirmDialog title="Delete the webhook?" button="Delete Webhook" danger act={remove} onClose={onClose}>
      {shortUrl(webhook.url)} will no longer receive events, and the events that wait for it are lost. This can't be
      undone.
    </ConfirmDialog>
  );
}

const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

/** Asks for the time from which events are replayed. */
function ReplayDialog({ replay, onClose }: { replay: (hours: number) => Promise<Fault | null>; onClose: () => void }) {
  const [hours, setHours] = useState('24');
  return (
    <ConfirmDialog
      title="Send events again"
      button="Send Again"
      acting="Sending..."
      act={() => replay(Number(hours))}
      onClose={onClose}
    >
      Each event keeps its ID and cursor, so a program that stores the IDs processes no event twice.
      <Box mt="4" color="ink">
        <Field label="Events of">
          {(control) => (
            <Select
              {...control}
              value={hours}
              options={spans}
              onChange={(event) => setHours(event.currentTarget.value)}
            />
          )}
        </Field>
      </Box>
    </ConfirmDialog>
  );
}
