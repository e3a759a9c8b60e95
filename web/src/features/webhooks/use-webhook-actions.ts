import { useApolloClient } from '@apollo/client/react';
import { runAction } from '../../lib/server/faults/run-action.ts';
import { toast } from '../../lib/state/toasts.ts';
import { plural } from '../../lib/text/time.ts';
import { DeliveriesDocument, ReplayDeliveryDocument } from './delivery-documents.ts';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  PauseWebhookDocument,
  ReplayEventsDocument,
  ResumeWebhookDocument,
  RotateWebhookSecretDocument,
  SendTestEventDocument,
  UpdateWebhookDocument,
  type Webhook,
  WebhooksDocument,
} from './webhook-documents.ts';
import { shortUrl } from './webhook-words.ts';

/** A secret, which the page knows only now. */
export interface ShownSecret {
  webhookId: string;
  name: string;
  secret: string;
}

export interface WebhookFields {
  url: string;
  events: string[];
  description: string;
}

/** Actions on webhooks, which fetch the shown data again afterwards. Secrets are never cached. */
export function useWebhookActions(onShown: (shown: ShownSecret) => void) {
  const client = useApolloClient();
  const refetch = () => {
    // Apollo warns of a query that no component on screen uses.
    const isLogOpen = [...client.getObservableQueries()].some(({ queryName }) => queryName === 'Deliveries');
    return client.refetchQueries({ include: isLogOpen ? [WebhooksDocument, DeliveriesDocument] : [WebhooksDocument] });
  };
  const run = (failure: string | null, work: () => Promise<void>) => runAction(failure, work, refetch);
  const fetchPolicy = 'no-cache';
  const show = ({ webhook, secret }: { webhook: Webhook; secret: string }) =>
    onShown({ webhookId: webhook.id, name: shortUrl(webhook.url), secret });
  return {
    create: (variables: WebhookFields) =>
      run(null, async () => {
        const { data } = await client.mutate({ mutation: CreateWebhookDocument, variables, fetchPolicy });
        if (data) show(data.createWebhook);
      }),
    update: ({ id }: Webhook, fields: WebhookFields) =>
      run(null, async () => {
        await client.mutate({ mutation: UpdateWebhookDocument, variables: { id, ...fields } });
        toast('Webhook changed', 'New events use these settings.');
      }),
    rotate: ({ id }: Webhook) =>
      run('The secret was not replaced', async () => {
        const { data } = await client.mutate({ mutation: RotateWebhookSecretDocument, variables: { id }, fetchPolicy });
        if (data) show(data.rotateWebhookSecret);
      }),
    pause: ({ id }: Webhook) =>
      run('The webhook was not paused', async () => {
        await client.mutate({ mutation: PauseWebhookDocument, variables: { id } });
        toast('Webhook paused', 'Its events wait for up to 7 days.');
      }),
    resume: ({ id, waiting }: Webhook) =>
      run('The webhook was not resumed', async () => {
        await client.mutate({ mutation: ResumeWebhookDocument, variables: { id } });
        toast(
          'Webhook resumed',
          waiting > 0
            ? `${plural(waiting, 'waiting event')} ${waiting === 1 ? 'is' : 'are'} on the way.`
            : 'It receives events again.',
        );
      }),
    remove: ({ id, url }: Webhook) =>
      run('The webhook was not deleted', async () => {
        await client.mutate({ mutation: DeleteWebhookDocument, variables: { id } });
        toast('Webhook deleted', `${shortUrl(url)} no longer receives events.`);
      }),
    test: ({ id, url }: Webhook) =>
      run('The test was not sent', async () => {
        await client.mutate({ mutation: SendTestEventDocument, variables: { id } });
        toast('Test event sent', `It is on its way to ${shortUrl(url)}.`);
      }),
    replay: (id: string) =>
      run('The event was not sent again', async () => {
        await client.mutate({ mutation: ReplayDeliveryDocument, variables: { id } });
        toast('Sent again', 'It keeps its ID, so that your program can recognize it.');
      }),
    replayFrom: ({ id }: Webhook, hours: number) =>
      run('The events were not sent again', async () => {
        const since = new Date(Date.now() - hours * 3_600_000).toISOString();
        const { data } = await client.mutate({ mutation: ReplayEventsDocument, variables: { id, since } });
        const count = data?.replayEvents.count ?? 0;
        toast(
          count === 0 ? 'Nothing to send again' : `Sending ${plural(count, 'event')} again`,
          'Their IDs stay the same.',
        );
      }),
  };
}

export type WebhookActions = ReturnType<typeof useWebhookActions>;
