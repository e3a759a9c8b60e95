import { isDeepStrictEqual } from 'node:util';
import { type Client, inTransaction } from '../../base/database.ts';
import { refuseInvalid } from '../../base/errors.ts';
import { tryOpen } from '../../base/seal.ts';
import { ROTATION_OVERLAP_HOURS } from '../../domain/webhooks/event-types.ts';
import { newWebhookSecret } from '../../domain/webhooks/sign-message.ts';
import { requireMayAddress } from '../../policies/webhook.ts';
import { wakeDelivery } from '../events/add-events.ts';
import { startPosition } from '../events/read-new-matches.ts';
import type { NewWebhook, WebhookDeps } from './create-webhook.ts';
import { holdWebhook, readWebhook, requireElite, type ShownWebhook } from './own-webhook.ts';
import { tellOfWebhook } from './tell-of-webhook.ts';
import { type WebhookFields, webhookFaults } from './webhook-input.ts';

type Viewer = { id: number; key?: object | null | undefined };

/** What waits is tried anew, from the first try on, and at once. */
async function tryAnew(client: Client, id: number): Promise<void> {
  await client.query('update webhooks set failures_in_row = 0, failing_since = null, rest_until = null where id = $1', [
    id,
  ]);
  await client.query(
    `update webhook_deliveries set tries = 0, next_try_at = now() where webhook_id = $1 and status = 'waiting'`,
    [id],
  );
  await wakeDelivery(client);
}

/**
 * Changes what is given; the rest stays. Its owner is told by mail of another address and of other events.
 * @throws AppError FORBIDDEN for an address with a key, VALIDATION with `fields`, PLAN_REQUIRED, NOT_FOUND
 */
export async function updateWebhook(
  { pool, targets, confirmEmail }: WebhookDeps,
  viewer: Viewer,
  id: number,
  fields: WebhookFields,
): Promise<ShownWebhook> {
  if (fields.url != null) requireMayAddress(viewer);
  await requireElite(pool, viewer);
  refuseInvalid(await webhookFaults(fields, targets));
  return inTransaction(pool, async (client) => {
    // One after another: two that begin to wait for matches would each not see the other.
    await requireElite(client, viewer, 'for no key update');
    const { url, events } = await holdWebhook(client, viewer, id);
    if (fields.events?.includes('match.created')) await startPosition(client, viewer.id);
    await client.query(
      `update webhooks set url = coalesce($2, url), events = coalesce($3, events), description = coalesce($4, description)
        where id = $1`,
      [id, fields.url?.trim() ?? null, fields.events ? [...new Set(fields.events)] : null, fields.description ?? null],
    );
    const newUrl = fields.url?.trim() ?? url;
    if (newUrl !== url) {
      await tryAnew(client, id);
      await tellOfWebhook(client, confirmEmail, viewer, { what: 'moved', url: newUrl, urlBefore: url });
    } else if (fields.events && !isDeepStrictEqual(new Set(fields.events), new Set(events))) {
      await tellOfWebhook(client, confirmEmail, viewer, { what: 'changed', url });
    }
    return readWebhook(client, viewer, id);
  });
}

/**
 * Gives a webhook a new secret. The old one signs beside it for 24 hours, unless it can't be read any more: then what
 * waits for a readable one leaves now.
 * @throws AppError PLAN_REQUIRED, NOT_FOUND
 */
export async function rotateWebhookSecret(
  { pool, seal, confirmEmail }: WebhookDeps,
  viewer: Viewer,
  id: number,
): Promise<NewWebhook> {
  const secret = newWebhookSecret();
  return inTransaction(pool, async (client) => {
    const { secretBox, url } = await holdWebhook(client, viewer, id);
    const isReadable = tryOpen(seal, secretBox) !== null;
    await client.query(
      `update webhooks set previous_secret_box = case when $3 then secret_box end, secret_box = $2,
              previous_until = case when $3 then now() + interval '${ROTATION_OVERLAP_HOURS} hours' end where id = $1`,
      [id, seal.close(secret), isReadable],
    );
    if (!isReadable) await tryAnew(client, id);
    await tellOfWebhook(client, confirmEmail, viewer, { what: 'new_secret', url });
    return { webhook: await readWebhook(client, viewer, id), secret };
  });
}

async function change(
  { pool }: WebhookDeps,
  viewer: Viewer,
  id: number,
  work: (client: Client) => Promise<unknown>,
): Promise<ShownWebhook> {
  return inTransaction(pool, async (client) => {
    await holdWebhook(client, viewer, id);
    await work(client);
    return readWebhook(client, viewer, id);
  });
}

/** Lets events wait. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export function pauseWebhook(deps: WebhookDeps, viewer: Viewer, id: number): Promise<ShownWebhook> {
  return change(deps, viewer, id, (client) =>
    client.query(
      `update webhooks set state = 'paused', paused_because = 'owner', paused_at = now()
        where id = $1 and state = 'active'`,
      [id],
    ),
  );
}

/** Tells of what waits, oldest first, with all tries anew. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export function resumeWebhook(deps: WebhookDeps, viewer: Viewer, id: number): Promise<ShownWebhook> {
  return change(deps, viewer, id, async (client) => {
    await client.query(`update webhooks set state = 'active', paused_because = null, paused_at = null where id = $1`, [
      id,
    ]);
    await tryAnew(client, id);
  });
}

/** Its messages and their tries go with it. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export async function deleteWebhook({ pool, confirmEmail }: WebhookDeps, viewer: Viewer, id: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { url } = await holdWebhook(client, viewer, id);
    await client.query('delete from webhooks where id = $1', [id]);
    await tellOfWebhook(client, confirmEmail, viewer, { what: 'deleted', url });
    return id;
  });
}
