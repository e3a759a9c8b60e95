import { ClaimScan } from '../../../base/claim-scan.ts';
import { type Client, inTransaction, type Pool } from '../../../base/database.ts';
import { ELITE_PLAN_ID } from '../../../domain/plan-list.ts';
import { keysOf, type OwnedRow } from '../../../entities/owned-rows.ts';
import type { Claim } from '../../adapter.ts';
import { beginClaim } from '../../claim.ts';
import { BEGINNING, type DueScan, type Placed, placedRows, readPlaced, soonest } from '../claim-place.ts';

/** One event for one webhook: a row of `webhook_deliveries` that this process has claimed. */
export interface ClaimedMessage extends Claim {
  id: number;
  messageId: string;
  webhookId: number;
  userId: number;
  /** Attempts including this one. */
  tries: number;
  /** The end of its lease to the microsecond, by which the claim is known: tries begin again when it is sent again. */
  leasedUntil: string;
  url: string;
  secretCiphertexts: string[];
  cursor: number;
  type: string;
  data: Record<string, unknown>;
  happenedAt: Date;
  /** The request that asked for it to be sent; null for what happened without one. */
  requestId: string | null;
}

/** A call takes ten seconds at most; a claim that is older was left behind by a process that ended. */
export const LEASE_MS = 20_000;
const LEASE = `interval '${LEASE_MS} ms'`;
const CALLS_OF_ONE = 4;

const isDue = `d.status in ('waiting', 'sending') and d.next_try_at <= now()`;

const isOpen = `d.status in ('waiting', 'sending')`;

/**
 * Webhooks with waiting messages, one step in the index each, as most webhooks have none.
 * @param from where the claim begins, a parameter: by the times of the next tries, of each webhook
 */
const withMessages = (from: string): string => `recursive awaited as (
    (select d.webhook_id as id, d.user_id from webhook_deliveries d
      where ${isOpen} and d.next_try_at >= ${from} order by d.webhook_id limit 1)
    union all
    select next.* from awaited cross join lateral (
      select d.webhook_id, d.user_id from webhook_deliveries d
       where ${isOpen} and d.webhook_id > awaited.id and d.next_try_at >= ${from} order by d.webhook_id limit 1) next)`;

/** How many more messages a webhook may get now: four concurrently, one while it fails, less those being delivered. */
const roomOf = `(case when w.failures_in_row > 0 then 1 else ${CALLS_OF_ONE} end - (
    select count(*) from webhook_deliveries s
     where s.webhook_id = w.id and s.user_id = w.user_id and s.status = 'sending' and s.next_try_at > now()))`;

const mayGetMore = '(w.backoff_until is null or w.backoff_until <= now())';

/**
 * Locks webhooks that may get messages now, the longest waiting first, and skips those that are locked. The next claim
 * begins with the messages that wait for room too.
 */
async function lockReady(client: Client, limit: number, from: string) {
  const { rows } = await client.query<Placed<OwnedRow>>({
    name: 'webhooks-lock-ready',
    text: `with ${withMessages('$2')}, waiting as materialized (
           select w.id, w.user_id, due.at from awaited join webhooks w on w.id = awaited.id and w.user_id = awaited.user_id join users u on u.id = w.user_id
            cross join lateral (
              select d.next_try_at as at from webhook_deliveries d
               where d.webhook_id = w.id and d.user_id = w.user_id and ${isDue} and d.next_try_at >= $2 and (w.state = 'active' or d.resend_requested)
               order by d.next_try_at limit 1) due
            where u.plan_id = ${ELITE_PLAN_ID} and ${mayGetMore}
         ), ready as materialized (
           select w.id, w.user_id from waiting join webhooks w on w.id = waiting.id and w.user_id = waiting.user_id where ${mayGetMore} and ${roomOf} > 0
            order by waiting.at, w.id limit $1 for no key update of w skip locked)
         ${placedRows('ready.id, ready.user_id as "userId"', 'select min(at) from waiting', 'ready')}`,
    values: [limit, from],
  });
  return readPlaced(rows, 'id');
}

/** A separate statement, which sees what other processes claimed before they unlocked the webhooks. */
async function claimOf(client: Client, webhooks: readonly OwnedRow[], limit: number, from: string) {
  const leasedAtMs = performance.now();
  const [ids, userIds] = keysOf(webhooks);
  const { rows } = await client.query<Omit<ClaimedMessage, 'leasedAtMs' | 'validatedAtMs'>>({
    name: 'webhooks-claim',
    text: `with picked as materialized (
         select d.id, w.user_id from webhooks w
          cross join lateral (
            select d.id, d.event_id from webhook_deliveries d
             where d.webhook_id = w.id and d.user_id = w.user_id and ${isDue} and d.next_try_at >= $3 and (w.state = 'active' or d.resend_requested)
             order by d.event_id
             limit greatest(0, ${roomOf})) d
          where w.id = any($1::int8[]) and w.user_id = any($4::int8[])
          order by d.event_id limit $2
       ), claimed as (
         update webhook_deliveries d set status = 'sending', tries = d.tries + 1, next_try_at = now() + ${LEASE}
           from picked p where d.id = p.id and d.user_id = p.user_id and ${isDue}
         returning d.*
       )
       select c.id, c.message_id as "messageId", c.webhook_id as "webhookId", c.user_id as "userId", c.tries,
              c.next_try_at::text as "leasedUntil", w.url,
              array_remove(array[w.secret_ciphertext, case when w.previous_until > now() then w.previous_secret_ciphertext end], null)
                as "secretCiphertexts",
              e.id as cursor, e.type, e.data, e.created_at as "happenedAt", c.request_id as "requestId"
         from claimed c
         join webhooks w on w.id = c.webhook_id and w.user_id = c.user_id
         join webhook_events e on e.id = c.event_id and e.user_id = c.user_id
        order by e.id`,
    values: [ids, limit, from, userIds],
  });
  return rows.map((row): ClaimedMessage => ({ ...row, leasedAtMs, validatedAtMs: leasedAtMs }));
}

/** Claims messages that are due: a few a webhook, one of a webhook that fails, none where the owner left Elite. */
export async function claimMessages(
  pool: Pool,
  limit: number,
  scan: DueScan = new ClaimScan(),
): Promise<ClaimedMessage[]> {
  return inTransaction(
    pool,
    async (client) => {
      const begun = performance.now();
      const from = scan.next();
      const { rows: ready, place } = await lockReady(client, limit, from ?? BEGINNING).catch((error: unknown) =>
        scan.failed(from, performance.now() - begun, error),
      );
      scan.done(from, performance.now() - begun, place);
      if (ready.length === 0) return [];
      return claimOf(client, ready, limit, from ?? BEGINNING);
    },
    beginClaim('webhook'),
  );
}

/** Milliseconds until the next message may be delivered; null when none is deferred. */
export async function nextDueInMs(pool: Pool, scan: DueScan = new ClaimScan()): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'webhooks-next-message',
    text: `with ${withMessages('$1')}
           select (extract(epoch from min(case when w.backoff_until > now() then greatest(w.backoff_until, d.at) else d.at end)
                   - now()) * 1000)::float8 as ms
             from awaited join webhooks w on w.id = awaited.id and w.user_id = awaited.user_id join users u on u.id = w.user_id
            cross join lateral (
              select next_try_at as at from webhook_deliveries
               where webhook_id = w.id and user_id = w.user_id and status in ('waiting', 'sending') and next_try_at >= $1
                 and (w.state = 'active' or resend_requested) and (next_try_at > now() or w.backoff_until > now())
               order by next_try_at limit 1) d
            where u.plan_id = ${ELITE_PLAN_ID}`,
    values: [scan.next() ?? BEGINNING],
  });
  return soonest(...rows.map(({ ms }) => ms), scan.restMs);
}
