import { isDeepStrictEqual } from 'node:util';
import { type Client, inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import type { MailData } from '../../domain/mail-kinds.ts';
import { MAX_WEBHOOKS, newWebhookSecret, ROTATION_OVERLAP_HOURS } from '../../domain/webhooks/message.ts';
import { notifyOwner } from '../../notify/notify-owner.ts';
import { requireMayChangeUrl } from '../../policies/owned-records.ts';
import type { PostTargets } from '../../vendors/target-fault.ts';
import { startPosition } from '../events/read-new-matches.ts';
import { wakeDelivery } from '../events/stored-events.ts';
import { lockWebhook, readWebhook, requireElite, type ShownWebhook } from './own-webhook.ts';
import { type WebhookFields, webhookFaults } from './webhook-input.ts';

interface WebhookChange {
  what: MailData['webhook_changed']['what'];
  url: string;
  /** The former address, where it changed. */
  urlBefore?: string;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/** Queues a mail to a webhook's owner about what happened to it. */
function notifyOwnerOfWebhook(
  client: Client,
  confirmEmail: boolean,
  viewer: { id: number; key?: object | null | undefined },
  { what, url, urlBefore }: WebhookChange,
): Promise<void> {
  const hostBefore = urlBefore === undefined ? null : hostOf(urlBefore);
  const data = { at: new Date().toISOString(), what, host: hostOf(url), hostBefore, byKey: Boolean(viewer.key) };
  return notifyOwner(client, { userId: viewer.id, kind: 'webhook_changed', data, confirmEmail });
}

export interface WebhookDeps {
  pool: Pool;
  encryption: Encryption;
  targets: PostTargets;
  /** Whether an unconfirmed address gets no mail. */
  confirmEmail: boolean;
}

interface NewWebhook {
  webhook: ShownWebhook;
  /** `whsec_…`, shown only once. */
  secret: string;
}

const TOO_MANY = `You have ${MAX_WEBHOOKS} webhooks. Please delete one to create another.`;

/**
 * Creates a webhook that receives the events from now on.
 * @throws AppError VALIDATION with `fields`, PLAN_REQUIRED, CONFLICT at the tenth
 */
export async function createWebhook(
  { pool, encryption, targets, confirmEmail }: WebhookDeps,
  viewer: { id: number },
  fields: WebhookFields & { url: string; events: readonly string[] },
): Promise<NewWebhook> {
  await requireElite(pool, viewer);
  refuseInvalid(await webhookFaults(fields, targets));
  const secret = newWebhookSecret();
  return inTransaction(pool, async (client) => {
    // The lock makes parallel calls count each other's webhooks.
    await requireElite(client, viewer, 'for update');
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int4 as count from webhooks where user_id = $1',
      [viewer.id],
    );
    if ((rows[0]?.count ?? 0) >= MAX_WEBHOOKS) throw new AppError('CONFLICT', TOO_MANY);
    if (fields.events.includes('match.created')) await startPosition(client, viewer.id);
    const made = await client.query<{ id: number }>(
      'insert into webhooks (user_id, url, events, description, secret_ciphertext) values ($1, $2, $3, $4, $5) returning id',
      [viewer.id, fields.url.trim(), [...new Set(fields.events)], fields.description ?? '', encryption.encrypt(secret)],
    );
    await notifyOwnerOfWebhook(client, confirmEmail, viewer, { what: 'added', url: fields.url.trim() });
    return { webhook: await readWebhook(client, viewer, made.rows[0]?.id ?? 0), secret };
  });
}

type Viewer = { id: number; key?: object | null | undefined };

/** Makes waiting deliveries due now, with their attempts counted from the start. */
async function retryNow(client: Client, viewer: Viewer, id: number): Promise<void> {
  const key = [id, viewer.id];
  await client.query(
    'update webhooks set failures_in_row = 0, failing_since = null, backoff_until = null where id = $1 and user_id = $2',
    key,
  );
  await client.query(
    `update webhook_deliveries set tries = 0, next_try_at = now() where webhook_id = $1 and user_id = $2 and status = 'waiting'`,
    key,
  );
  await wakeDelivery(client);
}

/**
 * Changes the given fields. A changed address, or changed events, are mailed to the owner.
 * @throws AppError FORBIDDEN for an address with a key, VALIDATION with `fields`, PLAN_REQUIRED, NOT_FOUND
 */
export async function updateWebhook(
  { pool, targets, confirmEmail }: WebhookDeps,
  viewer: Viewer,
  id: number,
  fields: WebhookFields,
): Promise<ShownWebhook> {
  if (fields.url != null) requireMayChangeUrl(viewer);
  await requireElite(pool, viewer);
  refuseInvalid(await webhookFaults(fields, targets));
  return inTransaction(pool, async (client) => {
    // The lock lets parallel calls see each other, so that only the first that asks for matches starts the position.
    await requireElite(client, viewer, 'for no key update');
    const { url, events } = await lockWebhook(client, viewer, id);
    if (fields.events?.includes('match.created')) await startPosition(client, viewer.id);
    await client.query(
      `update webhooks set url = coalesce($2, url), events = coalesce($3, events), description = coalesce($4, description)
        where id = $1 and user_id = $5`,
      [
        id,
        fields.url?.trim() ?? null,
        fields.events ? [...new Set(fields.events)] : null,
        fields.description ?? null,
        viewer.id,
      ],
    );
    const newUrl = fields.url?.trim() ?? url;
    if (newUrl !== url) {
      await retryNow(client, viewer, id);
      await notifyOwnerOfWebhook(client, confirmEmail, viewer, { what: 'moved', url: newUrl, urlBefore: url });
    } else if (fields.events && !isDeepStrictEqual(new Set(fields.events), new Set(events))) {
      await notifyOwnerOfWebhook(client, confirmEmail, viewer, { what: 'changed', url });
    }
    return readWebhook(client, viewer, id);
  });
}

/**
 * Gives a webhook a new secret. The old one also signs for 24 hours, unless it can't be decrypted any more, in which case
 * the deliveries that waited for a valid secret are retried now.
 * @throws AppError PLAN_REQUIRED, NOT_FOUND
 */
export async function rotateWebhookSecret(
  { pool, encryption, confirmEmail }: WebhookDeps,
  viewer: Viewer,
  id: number,
): Promise<NewWebhook> {
  const secret = newWebhookSecret();
  return inTransaction(pool, async (client) => {
    const { secretCiphertext, url } = await lockWebhook(client, viewer, id);
    const isReadable = tryDecrypt(encryption, secretCiphertext) !== null;
    await client.query({
      name: 'webhooks-rotate-secret',
      text: `update webhooks set previous_secret_ciphertext = case when $3 then secret_ciphertext end, secret_ciphertext = $2,
              previous_until = case when $3 then now() + interval '${ROTATION_OVERLAP_HOURS} hours' end where id = $1 and user_id = $4`,
      values: [id, encryption.encrypt(secret), isReadable, viewer.id],
    });
    if (!isReadable) await retryNow(client, viewer, id);
    await notifyOwnerOfWebhook(client, confirmEmail, viewer, { what: 'new_secret', url });
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
    await lockWebhook(client, viewer, id);
    await work(client);
    return readWebhook(client, viewer, id);
  });
}

/** Pauses the webhook, so that its deliveries wait. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export function pauseWebhook(deps: WebhookDeps, viewer: Viewer, id: number): Promise<ShownWebhook> {
  return change(deps, viewer, id, (client) =>
    client.query(
      `update webhooks set state = 'paused', paused_because = 'owner', paused_at = now()
        where id = $1 and user_id = $2 and state = 'active'`,
      [id, viewer.id],
    ),
  );
}

/** Resumes the webhook. Waiting deliveries are sent, oldest first, with their attempts reset. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export function resumeWebhook(deps: WebhookDeps, viewer: Viewer, id: number): Promise<ShownWebhook> {
  return change(deps, viewer, id, async (client) => {
    await client.query(
      `update webhooks set state = 'active', paused_because = null, paused_at = null where id = $1 and user_id = $2`,
      [id, viewer.id],
    );
    await retryNow(client, viewer, id);
  });
}

/** Deletes the webhook with its deliveries and their attempts. @throws AppError PLAN_REQUIRED, NOT_FOUND */
export async function deleteWebhook({ pool, confirmEmail }: WebhookDeps, viewer: Viewer, id: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { url } = await lockWebhook(client, viewer, id);
    await client.query('delete from webhooks where id = $1 and user_id = $2', [id, viewer.id]);
    await notifyOwnerOfWebhook(client, confirmEmail, viewer, { what: 'deleted', url });
    return id;
  });
}

/**
 * Deletes webhooks of a user whose password was reset; the mail about the reset names them.
 * @param ids unknown ones and those of other users are ignored
 * @returns the hosts of their URLs
 */
export async function deleteWebhooks(db: Queryable, userId: number, ids: readonly number[]): Promise<string[]> {
  const { rows } = await db.query<{ url: string }>(
    'delete from webhooks where id = any($1::int8[]) and user_id = $2 returning url',
    [ids, userId],
  );
  return rows.map(({ url }) => hostOf(url));
}
