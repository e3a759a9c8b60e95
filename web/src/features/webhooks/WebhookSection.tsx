import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { NewSecret } from '../../ui/form/NewSecret.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { type ShownSecret, useWebhookActions, type WebhookActions } from './use-webhook-actions.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { type Ask, WebhookRow } from './WebhookRow.tsx';
import { type Webhook, WebhooksDocument } from './webhook-documents.ts';
import { shortUrl } from './webhook-words.ts';

type Asked = { what: 'create' } | { what: Ask; webhook: Webhook } | null;

const LOOK_AGAIN_MS = 15_000;
const MOST = 10;

/** The viewer's webhooks, and all that can be done with them. */
export function WebhookSection({ onKnown }: { onKnown: () => void }) {
  const asked = useQuery(WebhooksDocument, { fetchPolicy: 'cache-and-network', pollInterval: LOOK_AGAIN_MS });
  const error = useFailure(asked);
  const [open, setOpen] = useState<Asked>(null);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const actions = useWebhookActions(setShown);
  const webhooks = asked.data?.webhooks;
  const isKnown = webhooks !== undefined || error !== undefined;
  useEffect(() => {
    if (isKnown) onKnown();
  }, [isKnown, onKnown]);
  if (!webhooks && error) {
    return (
      <ErrorPanel title="Your webhooks could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  const isFull = (webhooks?.length ?? 0) >= MOST;
  return (
    <Card as="section" aria-labelledby="webhooks" pad="lg">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Box minW="0" flex="1 1 260px">
          <Heading id="webhooks" size="md">
            Webhooks
          </Heading>
          <Muted mt="1">
            {isFull
              ? `You have ${MOST}, as many as there can be. Delete one to add another.`
              : 'Your server hears of matches, price drops and ending alerts as they happen, signed.'}
          </Muted>
        </Box>
        <Button disabled={!webhooks || isFull} onClick={() => setOpen({ what: 'create' })}>
          <Plus size={16} aria-hidden />
          Add Webhook
        </Button>
      </Flex>
      {shown ? (
        <Box mt="5">
          <NewSecret
            secret={shown.secret}
            what="secret"
            title={`Copy the secret of ${shown.name} now`}
            label="Your webhook's secret"
            onDone={() => setShown(null)}
          >
            Your program verifies with it that a message is ours. This is the only time we can show it.
          </NewSecret>
        </Box>
      ) : null}
      <Box mt="4">{webhooks ? <Webhooks {...{ webhooks, actions }} onOpen={setOpen} /> : <WebhookSkeletons />}</Box>
      <Dialogs
        open={open}
        actions={actions}
        onClose={() => setOpen(null)}
        onGone={(id) => {
          if (shown?.webhookId === id) setShown(null);
        }}
      />
    </Card>
  );
}

interface WebhooksProps {
  webhooks: readonly Webhook[];
  actions: WebhookActions;
  onOpen: (open: Asked) => void;
}

function Webhooks({ webhooks, actions, onOpen }: WebhooksProps) {
  if (webhooks.length === 0) {
    return (
      <Box bg="sunk" borderRadius="field" p="5" textAlign="center">
        <chakra.p fontWeight="600">No webhooks yet</chakra.p>
        <Muted mt="1">Add the address of your server, and we post each new match there.</Muted>
      </Box>
    );
  }
  return (
    <chakra.ul listStyleType="none" p="0" m="0">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} actions={actions} onAsk={(what) => onOpen({ what, webhook })} />
      ))}
    </chakra.ul>
  );
}

interface DialogsProps {
  open: Asked;
  actions: WebhookActions;
  onClose: () => void;
  onGone: (id: string) => void;
}

function Dialogs({ open, actions, onClose, onGone }: DialogsProps) {
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
        You get a new one. For 24 hours messages are signed with both, so that your program misses none.
      </ConfirmDialog>
    );
  }
  const remove = async () => {
    if ((await actions.remove(webhook)) === null) onGone(webhook.id);
  };
  return (
    <ConfirmDialog title="Delete the webhook?" button="Delete Webhook" danger act={remove} onClose={onClose}>
      {shortUrl(webhook.url)} is told of nothing any more, and what waits for it is lost. This can't be undone.
    </ConfirmDialog>
  );
}

function WebhookSkeletons() {
  return (
    <>
      <LoadingNote>Loading your webhooks</LoadingNote>
      <Skeleton h="22" />
    </>
  );
}
