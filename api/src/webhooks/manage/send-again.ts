import { randomUUID } from 'node:crypto';
import { lockContended, locks } from '../../base/advisory-lock.ts';
import { type Client, inTransaction } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import { currentRequestId } from '../../base/request-id.ts';
import { TEST_EVENT } from '../../domain/webhooks/message.ts';
import { beginEpoch, wakeDelivery } from '../events/stored-events.ts';
import type { WebhookDeps } from './change-webhook.ts';
import { lockWebhook, requireElite } from './own-webhook.ts';
import { type Delivery, readDelivery } from './read-deliveries.ts';

type Viewer = { id: number };

/** Resets a delivery to its first try, under the same id. */
const reset = `status = 'waiting', tries = 0, next_try_at = now(), waiting_since = now(), settled_at = null`;

/** Ends the webhook's backoff and wakes the worker, so that a requested delivery is sent at once. */
async function endBackoff(client: Client, viewer: Viewer, webhookId: number): Promise<void> {
  await client.query('update webhooks set backoff_until = null where id = $1 and user_id = $2', [webhookId, viewer.id]);
  await wakeDelivery(client);
}

/**
 * Sends one webhook a test event, also while it is paused.
 * @throws AppError PLAN_REQUIRED, NOT_FOUND
 */
export async function sendTestEvent({ pool }: WebhookDeps, viewer: Viewer, id: number): Promise<Delivery> {
  return inTransaction(pool, async (client) => {
    // Locked before the lock that all webhooks share, since it may be held for long.
    await lockWebhook(client, viewer, id);
    // The lock makes the order of event ids that of the commits.
    await lockContended(client, locks.webhookEvents);
    await beginEpoch(client, [viewer.id]);
    const { rows } = await client.query<{ id: number }>({
      name: 'webhooks-test-event',
      text: `with event as (
         insert into webhook_events (user_id, type, subject, data) values ($2, $3, $4, $5) returning id
       )
       insert into webhook_deliveries (user_id, webhook_id, event_id, resend_requested, request_id)
       select $2, $1, id, true, $6 from event
       returning id`,
      values: [
        id,
        viewer.id,
        TEST_EVENT,
        randomUUID(),
        { message: 'This is a test. Nothing happened.' },
        currentRequestId(),
      ],
    });
    await endBackoff(client, viewer, id);
    return readDelivery(client, viewer, rows[0]?.id ?? 0);
  });
}

/**
 * Sends one message again, also while its webhook is paused.
 * @throws AppError PLAN_REQUIRED, NOT_FOUND
 */
export async function replayDelivery({ pool }: WebhookDeps, viewer: Viewer, id: number): Promise<Delivery> {
  return inTransaction(pool, async (client) => {
    await requireElite(client, viewer);
    const { rows } = await client.query<{ webhookId: number }>(
      'select webhook_id as "webhookId" from webhook_deliveries where id = $1 and user_id = $2',
      [id, viewer.id],
    );
    if (!rows[0]) throw new AppError('NOT_FOUND', 'Delivery not found');
    await lockWebhook(client, viewer, rows[0].webhookId);
    await client.query(
      `update webhook_deliveries set ${reset}, resend_requested = true, request_id = $2
        where id = $1 and user_id = $3 and status <> 'sending'`,
      [id, currentRequestId(), viewer.id],
    );
    await endBackoff(client, viewer, rows[0].webhookId);
    return readDelivery(client, viewer, id);
  });
}

/** Where a replay begins: after a cursor, or at a time. */
interface ReplayFrom {
  afterCursor?: string | null | undefined;
  since?: Date | null | undefined;
}

/**
 * Sends a webhook all stored events again that came after a cursor or time, also those from before it was created. A
 * paused webhook gets them when it is resumed. @returns how many
 * @throws AppError VALIDATION, PLAN_REQUIRED, NOT_FOUND
 */
export async function replayEvents(
  { pool }: WebhookDeps,
  viewer: Viewer,
  id: number,
  from: ReplayFrom,
): Promise<number> {
  const { afterCursor = null, since = null } = from;
  if ((afterCursor === null) === (since === null)) {
    const message = 'Give either a cursor or a time to begin after';
    throw new AppError('VALIDATION', message, { fields: { afterCursor: message } });
  }
  if (afterCursor !== null && !/^\d{1,15}$/.test(afterCursor)) {
    const message = 'This cursor is invalid.';
    throw new AppError('VALIDATION', message, { fields: { afterCursor: message } });
  }
  return inTransaction(pool, async (client) => {
    const { events } = await lockWebhook(client, viewer, id);
    const { rowCount } = await client.query({
      name: 'webhooks-replay',
      text: `insert into webhook_deliveries as d (user_id, webhook_id, event_id, request_id)
       select e.user_id, $1, e.id, $6 from webhook_events e
        where e.user_id = $2 and e.type = any($3) and ($4::int8 is null or e.id > $4)
          and ($5::timestamptz is null or e.created_at >= $5)
        order by e.id
       on conflict (user_id, webhook_id, event_id) do update set ${reset}, request_id = $6 where d.status <> 'sending'`,
      values: [id, viewer.id, events, afterCursor, since, currentRequestId()],
    });
    await wakeDelivery(client);
    return rowCount ?? 0;
  });
}
