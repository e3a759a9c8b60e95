import type { Client, Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Webhook } from '../../entities/webhook.ts';
import { requireApiAccess } from '../../policies/owned-records.ts';

/** The last attempt of all deliveries to a webhook. */
interface LastTry {
  at: Date;
  taken: boolean;
  statusCode: number | null;
  error: string | null;
}

/** A webhook as the list shows it. */
export type ShownWebhook = Pick<
  Webhook,
  | 'id'
  | 'userId'
  | 'url'
  | 'events'
  | 'description'
  | 'state'
  | 'pausedBecause'
  | 'pausedAt'
  | 'failingSince'
  | 'createdAt'
> & { previousSecretUntil: Date | null; waiting: number; lastTry: LastTry | null };

/** @throws AppError UNAUTHENTICATED when the account is gone, PLAN_REQUIRED on any plan but Elite */
export async function requireElite(
  db: Queryable,
  viewer: { id: number },
  lock: '' | 'for update' | 'for no key update' | 'for key share' = '',
): Promise<void> {
  const name = lock === '' ? '' : '/* lock-dealer */ ';
  const { rows } = await db.query<{ planId: number }>(
    `${name}select plan_id as "planId" from users where id = $1 ${lock}`,
    [viewer.id],
  );
  if (!rows[0]) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  requireApiAccess(rows[0]);
}

const shown = `
  select w.id, w.user_id as "userId", w.url, w.events, w.description, w.state, w.paused_because as "pausedBecause",
         w.paused_at as "pausedAt", w.failing_since as "failingSince", w.created_at as "createdAt",
         case when w.previous_until > now() then w.previous_until end as "previousSecretUntil",
         (select count(*)::int4 from webhook_deliveries d
           where d.webhook_id = w.id and d.user_id = w.user_id and d.status in ('waiting', 'sending')) as waiting,
         l.at as "lastAt", l.status_code as "lastStatusCode", l.error as "lastError"
    from webhooks w
    left join lateral (
      select t.at, t.status_code, t.error
        from (select id from webhook_deliveries where webhook_id = w.id and user_id = w.user_id and (tries > 0 or status <> 'waiting')
               order by id desc limit 50) d
        join webhook_attempts t on t.delivery_id = d.id and t.user_id = w.user_id order by t.id desc limit 1) l on true`;

type ShownRow = Omit<ShownWebhook, 'lastTry'> & {
  lastAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
};

function toShown({ lastAt, lastStatusCode, lastError, ...row }: ShownRow): ShownWebhook {
  const last = lastAt && { at: lastAt, taken: lastError === null, statusCode: lastStatusCode, error: lastError };
  return { ...row, lastTry: last };
}

/** Lists the user's webhooks, oldest first. @throws AppError PLAN_REQUIRED */
export async function listWebhooks(db: Queryable, viewer: { id: number }): Promise<ShownWebhook[]> {
  await requireElite(db, viewer);
  const { rows } = await db.query<ShownRow>(`${shown} where w.user_id = $1 order by w.id`, [viewer.id]);
  return rows.map(toShown);
}

/** @throws AppError PLAN_REQUIRED, NOT_FOUND for a webhook that is not the viewer's */
export async function readWebhook(db: Queryable, viewer: { id: number }, id: number): Promise<ShownWebhook> {
  await requireElite(db, viewer);
  const { rows } = await db.query<ShownRow>(`${shown} where w.id = $1 and w.user_id = $2`, [id, viewer.id]);
  const [row] = rows;
  if (!row) throw new AppError('NOT_FOUND', 'Webhook not found');
  return toShown(row);
}

interface LockedWebhook {
  url: string;
  events: string[];
  secretCiphertext: string;
}

/**
 * Locks the account of the viewer and then one of their webhooks until the transaction ends, in the order of an erasure.
 * @throws AppError UNAUTHENTICATED when the account is gone, PLAN_REQUIRED, NOT_FOUND for a webhook that is not the viewer's
 */
export async function lockWebhook(client: Client, viewer: { id: number }, id: number): Promise<LockedWebhook> {
  await requireElite(client, viewer, 'for key share');
  const { rows } = await client.query<LockedWebhook>(
    `select url, events, secret_ciphertext as "secretCiphertext" from webhooks
      where id = $1 and user_id = $2 for no key update`,
    [id, viewer.id],
  );
  const [row] = rows;
  if (!row) throw new AppError('NOT_FOUND', 'Webhook not found');
  return row;
}
