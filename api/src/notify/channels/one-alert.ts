import { ClaimScan } from '../../base/claim-scan.ts';
import type { Client, Pool, Queryable } from '../../base/database.ts';
import { alertName } from '../../domain/alert-name.ts';
import type { AlertCriteria } from '../../domain/criteria/criteria.ts';
import type { DeliverySettings } from '../../domain/delivery/departure.ts';
import type { DropRule } from '../../domain/delivery/drop-rules.ts';
import { criteriaColumns } from '../../entities/criteria-columns.ts';
import { waitsOf } from '../../entities/notification-rules.ts';
import type { DueAlert } from '../claim.ts';
import { type DueScan, type Placed, placedRows, readPlaced } from './claim-place.ts';
import { currentHold, type DeliveryRow, deliveryColumns, type Hold, holdOf, settingsOf } from './delivery-settings.ts';
import { DUE_ROWS_A_READ, type DueRows, dueOrder, findDueFairly } from './due-alerts.ts';
import { PAIRS_A_MESSAGE, type Pair, REMATCHED_MS, readWaitingPairs, revalidatePairs } from './revalidate-matches.ts';

/** The channels that claim the waiting rows of one alert at a time. */
type OneAlertChannel = 'sms' | 'push';

/** An alert that is locked until the transaction ends, and may send messages. */
export interface LockedAlert {
  id: number;
  userId: number;
  version: number;
  /** 'Toyota Camry' */
  name: string;
  /** 'Austin, TX' */
  place: string;
  /** By the database's clock. */
  lockedAt: Date;
  criteria: AlertCriteria;
  settings: DeliverySettings;
  wantsDrops: boolean;
}

/** As `alertColumns` reads it. */
export interface AlertRow extends AlertCriteria, DeliveryRow, Omit<LockedAlert, 'name' | 'criteria' | 'settings'> {
  wanted: boolean;
  isRematching: boolean;
}

/**
 * SQL: what a claim reads of an alert `a` and its owner `u`.
 * @param flag the column by which the owner asks for messages of the channel
 */
export const alertColumns = (flag: 'email_notifications' | 'text_notifications' | 'push_notifications'): string => `
  a.id, a.user_id as "userId", a.version, ${criteriaColumns('a')}, a.place, a.price_drops as "wantsDrops", a.pending_match as "isRematching",
  a.is_active and a.expires_at > now() and a.${flag} as wanted,
  ${deliveryColumns('a', 'u')}, clock_timestamp() as "lockedAt"`;

/** The row as claims use it. `off`: it sends no messages any more; `rematching`: its pairs are being searched again. */
export function lockedAlert(row: AlertRow, channel: OneAlertChannel): LockedAlert | 'off' | 'rematching' {
  if (!row.wanted) return 'off';
  if (row.isRematching) return 'rematching';
  const { id, userId, version, place, lockedAt, wantsDrops } = row;
  const settings = settingsOf(row, channel);
  return { id, userId, version, place, lockedAt, wantsDrops, name: alertName(row), criteria: row, settings };
}

const ALERTS_A_READ = 200;

/** Finds alerts with due rows, and their owners, who take turns. */
export async function findDueAlerts(
  pool: Pool,
  channel: OneAlertChannel,
  skipped: readonly number[],
  scan: DueScan = new ClaimScan(),
): Promise<DueAlert[]> {
  const due = await findDueFairly(scan, skipped, async (passedOver, from) => {
    const { rows } = await pool.query<Placed<DueRows>>({
      name: `notify-due-alerts-${channel}`,
      // The channel is no parameter, as the index has only the rows of one.
      text: `with due as materialized (
               select alert_id, user_id, due_at from notifications
                where status = 'waiting' and channel = '${channel}' and due_at <= now() and alert_id <> all($1::int8[])
                  and user_id <> all($2::int8[]) and due_at >= $3
                order by due_at limit ${DUE_ROWS_A_READ}
             )
             ${placedRows(
               `d.alert_id as "alertId", d.user_id as "userId", d.rows, ${dueOrder('d.due_at')}`,
               'select min(due_at) from due',
               `(select alert_id, min(user_id) as user_id, count(*)::int4 as rows, min(due_at) as due_at from due group by alert_id) d`,
             )}
              order by d.due_at`,
      values: [skipped, passedOver, from],
    });
    return readPlaced(rows, 'alertId');
  });
  return due.slice(0, ALERTS_A_READ);
}

/** SQL: whether a notification waits and is of the alert $1. @param userId a parameter: its owner */
const waitsOfAlert = (userId: string): string => waitsOf('notifications', 'array[$1::int8]', `array[${userId}::int8]`);

/** @param by the rule that the log of notifications shows; null where the alert itself sends nothing any more */
export async function dropWaiting(
  client: Client,
  channel: OneAlertChannel,
  { alertId, userId }: DueAlert,
  by: DropRule | null,
): Promise<void> {
  await client.query({
    name: 'notify-drop-waiting',
    text: `update notifications set status = 'dropped', settled_at = now(), held_by = coalesce($3, held_by)
            where channel = $2 and ${waitsOfAlert('$4')}`,
    values: [alertId, channel, by, userId],
  });
}

async function deferUntil(
  client: Client,
  channel: OneAlertChannel,
  { alertId, userId }: DueAlert,
  { until, heldBy }: Hold,
): Promise<void> {
  await client.query({
    name: 'notify-defer-until',
    text: `update notifications set due_at = $3, held_by = $4
            where channel = $2 and ${waitsOfAlert('$5')}
              and (due_at, held_by) is distinct from ($3::timestamptz, $4::text)`,
    values: [alertId, channel, until, heldBy, userId],
  });
}

/** Defers the waiting rows of an alert, from now by the database's clock. */
export async function deferWaiting(
  db: Queryable,
  channel: OneAlertChannel,
  { alertId, userId }: DueAlert,
  ms: number,
): Promise<void> {
  await db.query({
    name: 'notify-defer-waiting',
    text: `update notifications set due_at = now() + $3 * interval '1 ms'
            where channel = $2 and ${waitsOfAlert('$4')}`,
    values: [alertId, channel, ms, userId],
  });
}

/**
 * Drops or defers the waiting rows of an alert that may send nothing now, and returns the pairs that may leave otherwise: it
 * validates the alert and its pairs, and enforces the delivery rules.
 * @returns null when nothing leaves now
 */
export async function readLeavingPairs(
  client: Client,
  channel: OneAlertChannel,
  due: DueAlert,
  alert: (LockedAlert & { lastSentAt: Date | null }) | 'off' | 'rematching',
): Promise<Pair[] | null> {
  if (alert === 'off') {
    await dropWaiting(client, channel, due, null);
    return null;
  }
  if (alert === 'rematching') {
    await deferWaiting(client, channel, due, REMATCHED_MS);
    return null;
  }
  const held = currentHold(alert.settings, alert.lockedAt);
  if (held) {
    await deferUntil(client, channel, due, held);
    return null;
  }
  const { valid } = await revalidatePairs(client, () =>
    readWaitingPairs(client, new Map([[due.alertId, alert]]), channel, PAIRS_A_MESSAGE),
  );
  if (valid.length === 0) return null;
  const hold = holdOf(alert.settings, valid, { lastSentAt: alert.lastSentAt, sentToday: 0 }, alert.lockedAt);
  if (hold) await deferUntil(client, channel, due, hold);
  return hold ? null : valid;
}
