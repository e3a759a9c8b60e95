import { randomUUID } from 'node:crypto';
import { ClaimScan } from '../../../base/claim-scan.ts';
import { type Client, inTransaction, type Pool } from '../../../base/database.ts';
import type { CarMailKind } from '../../../domain/mail-kinds.ts';
import { FREE_PLAN_ID } from '../../../domain/plan-list.ts';
import { PRIORITY_MS, type Tries } from '../../../domain/throttle.ts';
import { isThrottled, throttledUntil } from '../../../entities/notification-rules.ts';
import type { Claim } from '../../adapter.ts';
import { beginClaim, type DueAlert } from '../../claim.ts';
import { copyToThrottles } from '../../copy-to-throttles.ts';
import { BEGINNING, type DueScan, type Placed, placedRows, readPlaced } from '../claim-place.ts';
import { currentHold, holdOf, messageKind, readSentToday } from '../delivery-settings.ts';
import { DUE_ROWS_A_READ, type DueRows, dueOrder, findDueFairly } from '../due-alerts.ts';
import { triesOf } from '../hold-messages.ts';
import { PAIRS_A_MESSAGE, PAIRS_A_READ, type Pair, readWaitingPairs, revalidatePairs } from '../revalidate-matches.ts';
import { type DeferredAlert, deferAlerts, endOrDeferWaiting, lockAlerts, type WatchingAlert } from './lock-alerts.ts';

/** A row of `mails` that this process has claimed: its status is 'sending'. */
export interface ClaimedMail extends Claim, Tries {
  id: string;
  kind: string;
  /** `NOBODY` where it belongs to no account. */
  userId: number;
  alertId: number | null;
  to: string;
  data: Record<string, unknown>;
  /** The request or job run that enqueued the mail; null for those about matches, which the claim writes. */
  requestId: string | null;
  /** Claims including this one, by which it is known: the number only grows. */
  attempts: number;
  /** Whether a call may have been made before this claim. */
  wasTried: boolean;
}

type MailRow = Omit<ClaimedMail, 'leasedAtMs' | 'validatedAtMs'>;

const dueRows = "status = 'waiting' and channel = 'email' and due_at <= now()";
const priority = `interval '${PRIORITY_MS} ms'`;

/**
 * Defers due rows of alerts that were mailed less than five minutes ago, in one statement for all of them. It never waits
 * for a lock: a locked row is left to the next call. Returns how many rows were deferred.
 */
async function deferThrottled(pool: Pool, from: string): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'notify-defer-throttled',
    text: `with throttled as materialized (
         select n.id, n.user_id, ${throttledUntil('a.last_mailed_at')} as until from notifications n
          cross join lateral (select a.last_mailed_at from alerts a where a.id = n.alert_id and a.user_id = n.user_id offset 0) a
          where ${dueRows} and n.due_at >= $1 and ${isThrottled('a.last_mailed_at')}
          order by due_at limit ${DUE_ROWS_A_READ} for no key update of n skip locked
       )
       update notifications n set due_at = throttled.until from throttled
        where n.id = throttled.id and n.user_id = throttled.user_id`,
    values: [from],
  });
  return rowCount ?? 0;
}

const prior = `d.due_at - case when u.is_paid then ${priority} else interval '0' end`;

type DueMails = DueRows & { isThrottled: boolean };

/**
 * Finds alerts with due rows, the longest waiting first; those of paid plans count as having waited a minute longer, and
 * owners take turns. Rows of alerts that were mailed less than five minutes ago are deferred.
 */
export async function findDueAlerts(
  pool: Pool,
  skipped: readonly number[] = [],
  scan: DueScan = new ClaimScan(),
): Promise<DueAlert[]> {
  for (;;) {
    const rows = await findDueFairly(scan, skipped, async (passedOver, from) => {
      const read = await pool.query<Placed<DueMails>>({
        name: 'notify-due-alerts',
        text: `with due as materialized (
           select alert_id, user_id, due_at from notifications
            where ${dueRows} and due_at >= $3 and alert_id <> all($1::int8[]) and user_id <> all($2::int8[])
            order by due_at limit ${DUE_ROWS_A_READ}
         )
         ${placedRows(
           `d.alert_id as "alertId", d.user_id as "userId", d.rows, coalesce(${isThrottled('a.last_mailed_at')}, false) as "isThrottled", ${dueOrder(prior)}`,
           'select min(due_at) from due',
           '(select alert_id, min(user_id) as user_id, min(due_at) as due_at, count(*)::int4 as rows from due group by alert_id) d',
         )}
           left join lateral (select a.last_mailed_at, a.user_id from alerts a where a.id = d.alert_id and a.user_id = d.user_id offset 0) a on true
           left join lateral (select u.plan_id > ${FREE_PLAN_ID} as is_paid from users u where u.id = a.user_id offset 0) u on true
          order by ${prior}`,
        values: [skipped, passedOver, from],
      });
      return readPlaced(read.rows, 'alertId');
    });
    const due = rows.filter(({ isThrottled }) => !isThrottled);
    const deferred = due.length < rows.length ? await deferThrottled(pool, scan.next() ?? BEGINNING) : 0;
    if (due.length > 0 || deferred === 0) return due;
  }
}

/** An alert whose waiting rows become a mail. */
interface Leaving {
  alert: WatchingAlert;
  kind: CarMailKind;
  pairs: readonly Pair[];
}

/** Inserts a mail for each alert as 'sending', assigns its rows and starts its five minutes, in one statement. */
async function writeMails(client: Client, leaving: readonly Leaving[]) {
  if (leaving.length === 0) return [];
  const alerts = leaving.map(({ alert }) => alert);
  const { rows } = await client.query<MailRow>({
    name: 'notify-claim',
    text: `with mail as (
         insert into mails (id, kind, user_id, alert_id, to_address, status, claimed_at, attempts)
         select id, kind, user_id, alert_id, address, 'sending', now(), 1
           from unnest($1::uuid[], $2::int8[], $3::int8[], $4::text[], $6::text[]) m (id, user_id, alert_id, address, kind) returning *
       ), taken as (
         update notifications n set status = 'sending', mail_id = mail.id from mail
          where n.id = any($5::int8[]) and n.alert_id = mail.alert_id and n.user_id = mail.user_id
       ), mailed as (
         update alerts set last_mailed_at = now() where id = any($3::int8[]) and user_id = any($2::int8[]) returning id, user_id, last_mailed_at
       ), throttled as (${copyToThrottles('mailed')}
       )
       select id, kind, user_id as "userId", alert_id as "alertId", to_address as "to", data, request_id as "requestId", attempts, 0 as "ageMs", 1 as tries, false as "wasTried" from mail`,
    values: [
      alerts.map(() => randomUUID()),
      alerts.map(({ userId }) => userId),
      alerts.map(({ id }) => id),
      alerts.map(({ email }) => email),
      leaving.flatMap(({ pairs }) => pairs.map(({ id }) => id)),
      leaving.map(({ kind }) => kind),
    ],
  });
  return rows;
}

/** Defers the rows of alerts that may send nothing now, and removes these alerts: their pairs are revalidated when they leave. */
async function deferHeld(client: Client, watching: Map<number, WatchingAlert>): Promise<void> {
  const deferred: DeferredAlert[] = [];
  for (const { id, userId, settings, lockedAt } of [...watching.values()]) {
    const hold = currentHold(settings, lockedAt);
    if (!hold) continue;
    deferred.push({ alertId: id, userId, ...hold });
    watching.delete(id);
  }
  await deferAlerts(client, deferred);
}

/**
 * Revalidates the waiting pairs of the alerts. An alert with more pairs than one read takes is read whole, so that it sends
 * one mail; one such alert a claim, so that memory is bounded. `crowded`: further such alerts, to be claimed later.
 */
async function readPairs(client: Client, watching: ReadonlyMap<number, WatchingAlert>) {
  const read = await revalidatePairs(client, () => readWaitingPairs(client, watching, 'email'));
  const crowded = [...Map.groupBy(read.valid, ({ alertId }) => alertId)]
    .filter(([, pairs]) => pairs.length === PAIRS_A_READ)
    .map(([alertId]) => alertId);
  const [first, ...others] = crowded;
  const alert = first === undefined ? undefined : watching.get(first);
  if (!alert) return { valid: read.valid, crowded: [] };
  const whole = await revalidatePairs(client, () =>
    readWaitingPairs(client, new Map([[alert.id, alert]]), 'email', PAIRS_A_MESSAGE),
  );
  return {
    valid: [...read.valid.filter(({ alertId }) => !crowded.includes(alertId)), ...whole.valid],
    crowded: others,
  };
}

/**
 * Claims the waiting rows of these alerts, one mail an alert, in one short transaction that locks the alerts: it validates
 * them and their pairs, enforces the five minutes, and inserts the mails as 'sending' before anything is delivered.
 * `busy`: alerts that another transaction has locked.
 */
export function claimAlerts(
  pool: Pool,
  alerts: readonly DueAlert[],
  confirmEmail: boolean,
): Promise<{ claims: ClaimedMail[]; busy: number[] }> {
  return inTransaction(
    pool,
    async (client) => {
      const validatedAtMs = performance.now();
      const locked = await lockAlerts(client, alerts, confirmEmail);
      await endOrDeferWaiting(client, locked);
      await deferHeld(client, locked.watching);
      if (locked.watching.size === 0) return { claims: [], busy: locked.busy };
      const { valid, crowded } = await readPairs(client, locked.watching);
      const busy = [...locked.busy, ...crowded];

      const byAlert = Map.groupBy(valid, ({ alertId }) => alertId);
      const sentToday = await readSentToday(
        client,
        [...locked.watching.values()].map(({ id, userId, settings, lockedAt }) => ({
          id,
          userId,
          settings,
          now: lockedAt,
        })),
      );
      const leaving: Leaving[] = [];
      const deferred: DeferredAlert[] = [];
      for (const [alertId, pairs] of byAlert) {
        const alert = locked.watching.get(alertId);
        if (!alert) continue;
        const sent = { lastSentAt: alert.lastMailedAt, sentToday: sentToday.get(alertId) ?? 0 };
        const hold = holdOf(alert.settings, pairs, sent, alert.lockedAt);
        if (hold) deferred.push({ alertId, userId: alert.userId, ...hold });
        else leaving.push({ alert, kind: messageKind(alert.settings, pairs), pairs });
      }
      await deferAlerts(client, deferred);
      const rows = await writeMails(client, leaving);
      return { claims: rows.map((row) => ({ ...row, leasedAtMs: validatedAtMs, validatedAtMs })), busy };
    },
    beginClaim('email'),
  );
}

const dueMail = `(status = 'waiting' and next_try_at <= now()
  or status = 'sending' and claimed_at <= now() - $1 * interval '1 ms')`;

/**
 * Claims mails that are due: new ones, ones to retry, and ones that a process left behind.
 * @param leaseMs a claim that is older was left behind
 * @param held ids that this process already has
 */
export async function claimEnqueued(
  pool: Pool,
  limit: number,
  leaseMs: number,
  held: Iterable<unknown>,
  scan: DueScan = new ClaimScan(),
) {
  const leasedAtMs = performance.now();
  const from = scan.next();
  const claiming = pool.query<Placed<MailRow & { leftBehind: boolean }>>({
    name: 'notify-claim-enqueued',
    text: `with due as materialized (
         select id, user_id, status, next_try_at from mails
          where status in ('waiting', 'sending') and next_try_at >= $4 and ${dueMail} and id <> all($2::uuid[])
            and (select require_sendable('email'))
          order by next_try_at limit $3 for update skip locked
       ), claimed as (
         update mails m set status = 'sending', claimed_at = now(), attempts = m.attempts + 1
           from due where m.id = due.id and m.user_id = due.user_id
         returning m.id, m.kind, m.user_id as "userId", m.alert_id as "alertId", m.to_address as "to", m.data, m.request_id as "requestId", m.attempts,
                   ${triesOf('m')}, due.status = 'sending' as "leftBehind"
       )
       ${placedRows('claimed.*', 'select min(next_try_at) from due', 'claimed')}`,
    values: [leaseMs, [...held], limit, from ?? BEGINNING],
  });
  const claimed = await claiming.catch((error: unknown) => scan.failed(from, performance.now() - leasedAtMs, error));
  const { rows, place } = readPlaced(claimed.rows, 'id');
  scan.done(from, performance.now() - leasedAtMs, place);
  return rows.map(({ place: _, ...row }): ClaimedMail => ({ ...row, leasedAtMs, validatedAtMs: null }));
}

/** Renews the leases of claimed mails. Returns the ids of those that this process has not lost while it was stopped. */
export async function renewLeases(pool: Pool, mails: readonly ClaimedMail[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'notify-renew-leases',
    text: `update mails m set claimed_at = now() from unnest($1::uuid[], $2::int4[], $3::int8[]) h (id, attempts, user_id)
            where m.id = any($1::uuid[]) and m.id = h.id and m.user_id = h.user_id and m.attempts = h.attempts and m.status = 'sending'
          returning m.id`,
    values: [mails.map(({ id }) => id), mails.map(({ attempts }) => attempts), mails.map(({ userId }) => userId)],
  });
  return new Set(rows.map(({ id }) => id));
}
