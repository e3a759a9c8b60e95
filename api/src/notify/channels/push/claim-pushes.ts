import { randomUUID } from 'node:crypto';
import { ClaimScan } from '../../../base/claim-scan.ts';
import { type Client, inTransaction, type Pool } from '../../../base/database.ts';
import type { CarMailKind } from '../../../domain/mail-kinds.ts';
import type { Tries } from '../../../domain/throttle.ts';
import type { Claim, Verdict } from '../../adapter.ts';
import { beginClaim, type DueAlert } from '../../claim.ts';
import { BEGINNING, type DueScan, type Placed, placedRows, readPlaced } from '../claim-place.ts';
import { messageHold, messageKind } from '../delivery-settings.ts';
import { holdMessages, triesOf } from '../hold-messages.ts';
import { lockAlertRows } from '../lock-alert-rows.ts';
import {
  type AlertRow,
  alertColumns,
  dropWaiting,
  type LockedAlert,
  lockedAlert,
  readLeavingPairs,
} from '../one-alert.ts';
import { readMessagePairs, revalidatePairs } from '../revalidate-matches.ts';

/** A row of `pushes` that this process has claimed: its status is 'sending'. */
export interface ClaimedPush extends Claim, Tries {
  id: string;
  kind: CarMailKind;
  userId: number;
  alertId: number;
  /** The ids of the devices that have not got it yet; none for a user without devices. */
  devices: readonly number[];
  /** Claims including this one, by which it is known: the number only grows. */
  attempts: number;
  /** Whether a call may have been made before this claim. */
  wasTried: boolean;
}

type PushRow = Omit<ClaimedPush, 'leasedAtMs' | 'validatedAtMs'>;

/** A call takes ten seconds at most; a claim that is older was left behind by a process that ended. */
export const LEASE_MS = 30_000;
const LEASE = `interval '${LEASE_MS} ms'`;

const pushColumns = `p.id, p.kind, p.user_id as "userId", p.alert_id as "alertId", p.devices, p.attempts,
  ${triesOf('p')}`;

interface PushedAlert extends LockedAlert {
  /** The ids of the owner's devices. */
  devices: readonly number[];
  lastSentAt: Date | null;
}

/** Locks an alert as `lockTextedAlert` does. */
async function lockPushedAlert(client: Client, due: DueAlert): Promise<PushedAlert | 'busy' | 'off' | 'rematching'> {
  const { rows, busy } = await lockAlertRows(client, [due], () =>
    client.query<AlertRow & Omit<PushedAlert, keyof LockedAlert>>({
      name: 'pushes-read-alert',
      text: `select ${alertColumns('push_notifications')}, a.last_pushed_at as "lastSentAt",
              array(select s.id from push_subscriptions s where s.user_id = a.user_id order by s.id) as devices
         from alerts a join users u on u.id = a.user_id where a.id = $1 and a.user_id = $2`,
      values: [due.alertId, due.userId],
    }),
  );
  const [row] = rows;
  if (!row) return busy.length > 0 ? 'busy' : 'off';
  const { devices, lastSentAt } = row;
  const alert = lockedAlert(row, 'push');
  return typeof alert === 'string' ? alert : { ...alert, devices, lastSentAt };
}

/** Inserts the message as 'sending', assigns its rows and starts the alert's five minutes, in one statement. */
async function writePush(
  client: Client,
  { id, userId, devices }: PushedAlert,
  { kind, notificationIds }: { kind: CarMailKind; notificationIds: readonly number[] },
): Promise<PushRow[]> {
  const { rows } = await client.query<PushRow>({
    name: 'pushes-claim',
    text: `with push as (
         insert into pushes (id, kind, user_id, alert_id, devices, status, next_try_at)
         values ($1, $2, $3, $4, $5, 'sending', now() + ${LEASE}) returning *
       ), taken as (
         update notifications set status = 'sending', push_id = $1 where id = any($6::int8[]) and user_id = $3
       ), pushed as (
         update alerts set last_pushed_at = now() where id = $4 and user_id = $3
       )
       select ${pushColumns} from push p`,
    values: [randomUUID(), kind, userId, id, devices, notificationIds],
  });
  return rows;
}

/**
 * Claims the waiting rows of one alert for all devices of its owner, in one short transaction that locks the alert. `busy`:
 * another transaction has locked it, so it is claimed later.
 * @param toNobody whether messages are also sent to owners without devices
 */
export function claimAlert(
  pool: Pool,
  due: DueAlert,
  toNobody: boolean,
): Promise<{ claims: ClaimedPush[]; busy: number[] }> {
  return inTransaction(
    pool,
    async (client) => {
      const validatedAtMs = performance.now();
      const alert = await lockPushedAlert(client, due);
      if (alert === 'busy') return { claims: [], busy: [due.alertId] };
      const pairs = await readLeavingPairs(client, 'push', due, alert);
      if (pairs === null || typeof alert === 'string') return { claims: [], busy: [] };
      if (alert.devices.length === 0 && !toNobody) {
        await dropWaiting(client, 'push', due, 'no_device');
        return { claims: [], busy: [] };
      }
      const kind = messageKind(alert.settings, pairs);
      const rows = await writePush(client, alert, { kind, notificationIds: pairs.map(({ id }) => id) });
      return { claims: rows.map((row) => ({ ...row, leasedAtMs: validatedAtMs, validatedAtMs })), busy: [] };
    },
    beginClaim('push'),
  );
}

/**
 * Claims messages that are due again: ones to retry, and ones that a process left behind. One of a user at a time, so that a
 * push service that does not answer delays nobody else.
 * @param heldOwners the users whose messages this process is delivering
 */
export async function claimRetries(
  pool: Pool,
  limit: number,
  heldOwners: readonly number[],
  scan: DueScan = new ClaimScan(),
): Promise<ClaimedPush[]> {
  const leasedAtMs = performance.now();
  const from = scan.next();
  const claiming = pool.query<Placed<PushRow>>({
    name: 'pushes-claim-retries',
    text: `with open as materialized (
         select id, user_id, next_try_at from pushes
          where status in ('waiting', 'sending') and next_try_at <= now() and next_try_at >= $3
       ), due as materialized (
         select id, user_id from pushes
          where status in ('waiting', 'sending') and next_try_at <= now() and (select require_sendable('push')) and (id, user_id) in (
            select distinct on (user_id) id, user_id from open where user_id <> all($1::int8[]) order by user_id, next_try_at)
          order by next_try_at limit $2 for update skip locked
       ), p as (
         update pushes p set status = 'sending', next_try_at = now() + ${LEASE}, attempts = p.attempts + 1
           from due where p.id = due.id and p.user_id = due.user_id
         returning p.*
       )
       ${placedRows(pushColumns, 'select min(next_try_at) from open', 'p')}`,
    values: [heldOwners, limit, from ?? BEGINNING],
  });
  const claimed = await claiming.catch((error: unknown) => scan.failed(from, performance.now() - leasedAtMs, error));
  const { rows, place } = readPlaced(claimed.rows, 'id');
  scan.done(from, performance.now() - leasedAtMs, place);
  return rows.map(({ place: _, ...row }): ClaimedPush => ({ ...row, leasedAtMs, validatedAtMs: null }));
}

/** Renews the leases of claimed messages. Returns the ids of those that this process has not lost while it was stopped. */
export async function renewLeases(pool: Pool, pushes: readonly ClaimedPush[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'pushes-renew-leases',
    text: `update pushes p set next_try_at = now() + ${LEASE} from unnest($1::uuid[], $2::int4[], $3::int8[]) h (id, attempts, user_id)
            where p.id = h.id and p.user_id = h.user_id and p.attempts = h.attempts and p.status = 'sending' returning p.id`,
    values: [pushes.map(({ id }) => id), pushes.map(({ attempts }) => attempts), pushes.map(({ userId }) => userId)],
  });
  return new Set(rows.map(({ id }) => id));
}

const drop = { verdict: 'drop' } as const;
const later = { verdict: 'later' } as const;

/** A message may be delivered while it has a match that may still be announced, to the devices that are still there. */
function validatePush(pool: Pool, push: ClaimedPush, toNobody: boolean): Promise<Verdict<ClaimedPush>> {
  return inTransaction(pool, async (client) => {
    const alert = await lockPushedAlert(client, push);
    if (alert === 'busy' || alert === 'rematching') return later;
    if (alert === 'off') return drop;
    const { valid, waiting } = await revalidatePairs(client, () =>
      readMessagePairs(client, new Map([[alert.id, alert]]), 'push_id', [push]),
    );
    if (waiting.length > 0) return later;
    if (valid.length === 0) return drop;
    const hold = messageHold(alert.settings, valid, alert.lockedAt);
    if (hold) {
      await holdMessages(client, 'pushes', [{ claim: push, hold }]);
      return { verdict: 'held' };
    }
    const devices = push.devices.filter((id) => alert.devices.includes(id));
    const mayBeNone = toNobody && push.devices.length === 0;
    if (devices.length === 0 && !mayBeNone) return { verdict: 'drop', by: 'no_device' };
    return { verdict: 'deliver', claim: { ...push, devices } };
  });
}

/** Decides whether claimed messages may be delivered now. */
export async function validatePushes(
  pool: Pool,
  pushes: readonly ClaimedPush[],
  toNobody: boolean,
): Promise<ReadonlyMap<string, Verdict<ClaimedPush>>> {
  const verdicts = new Map<string, Verdict<ClaimedPush>>();
  for (const push of pushes) verdicts.set(push.id, await validatePush(pool, push, toNobody));
  return verdicts;
}
