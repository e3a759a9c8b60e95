import { useApolloClient } from '@apollo/client/react';
import { runAction } from '../../lib/server/faults/run-action.ts';
import { toast } from '../../lib/state/toasts.ts';
import { plural } from '../../lib/text/time.ts';
import { DeliveriesDocument, ReplayDeliveryDocument } from './log/delivery-documents.ts';
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

/** A secret at the only time at which it is known here. */
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

/** All that can be done with webhooks; what is on screen is asked for anew. Secrets never come into the cache. */
export function useWebhookActions(onShown: (shown: ShownSecret) => void) {
  const client = useApolloClient();
  const lookAnew = () => {
    // One that is not on screen is unknown to the client, which would say so.
    const isLogOpen = [...client.getObservableQueries()].some(({ queryName }) => queryName === 'Deliveries');
    return client.refetchQueries({ include: isLogOpen ? [WebhooksDocument, DeliveriesDocument] : [WebhooksDocument] });
  };
  const run = (failure: string | null, work: () => Promise<void>) => runAction(failure, work, lookAnew);
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
        toast('Webhook changed', 'What comes from now on goes there.');
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
        const those = waiting === 1 ? 'that waited is' : 'that waited are';
        toast(
          'Webhook resumed',
          waiting > 0 ? `${plural(waiting, 'event')} ${those} on the way.` : 'It is told again.',
        );
      }),
    remove: ({ id, url }: Webhook) =>
      run('The webhook was not deleted', async () => {
        await client.mutate({ mutation: DeleteWebhookDocument, variables: { id } });
        toast('Webhook deleted', `${shortUrl(url)} is told of nothing any more.`);
      }),
    test: ({ id, url }: Webhook) =>
      run('The test was not sent', async () => {
        await client.mutate({ mutation: SendTestEventDocument, variables: { id } });
        toast('Test event sent', `It is on its way to ${shortUrl(url)}.`);
      }),
    replay: (id: string) =>
      run('It was not sent again', async () => {
        await client.mutate({ mutation: ReplayDeliveryDocument, variables: { id } });
        toast('Sent again', 'It has the same id, so that your program knows it.');
      }),
    replayFrom: ({ id }: Webhook, hours: number) =>
      run('They were not sent again', async () => {
        const since = new Date(Date.now() - hours * 3_600_000).toISOString();
        const { data } = await client.mutate({ mutation: ReplayEventsDocument, variables: { id, since } });
        const count = data?.replayEvents.count ?? 0;
        toast(
          count === 0 ? 'Nothing to send again' : `Sending ${plural(count, 'event')} again`,
          'Their ids stay the same.',
        );
      }),
  };
}

export type WebhookActions = ReturnType<typeof useWebhookActions>;
