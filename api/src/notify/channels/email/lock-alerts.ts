import type { Client, Queryable } from '../../../base/database.ts';
import type { AlertCriteria } from '../../../domain/criteria/criteria.ts';
import type { DeliverySettings } from '../../../domain/delivery/departure.ts';
import { isSuppressed, waitsOf } from '../../../entities/notification-rules.ts';
import type { DueAlert } from '../../claim.ts';
import { type Hold, settingsOf } from '../delivery-settings.ts';
import { alertKeys, lockAlertRows } from '../lock-alert-rows.ts';
import { type AlertRow, alertColumns } from '../one-alert.ts';
import { REMATCHED_MS } from '../revalidate-matches.ts';

export interface WatchingAlert {
  id: number;
  userId: number;
  version: number;
  email: string;
  lastMailedAt: Date | null;
  /** By the database's clock. */
  lockedAt: Date;
  criteria: AlertCriteria;
  settings: DeliverySettings;
  wantsDrops: boolean;
}

/**
 * The ids of alerts by whether they may be mailed now. `busy`: another transaction has locked the alert, so it is claimed
 * later; `rematching`: its criteria were just edited, and its pairs are being searched again; `unconfirmed`: its mails
 * wait until the address is confirmed; `suppressed`: until mails to the address are resumed.
 */
export interface LockedAlerts {
  watching: Map<number, WatchingAlert>;
  off: DueAlert[];
  unconfirmed: DeferredAlert[];
  suppressed: DeferredAlert[];
  rematching: DueAlert[];
  gone: DueAlert[];
  busy: number[];
}

interface MailedRow extends AlertRow {
  lastMailedAt: Date | null;
  email: string | null;
  emailConfirmedAt: Date | null;
  isSuppressed: boolean;
}

function toAlert(row: MailedRow, email: string): WatchingAlert {
  const { id, userId, version, lastMailedAt, lockedAt, wantsDrops } = row;
  const settings = settingsOf(row, 'email');
  return { id, userId, version, email, lastMailedAt, lockedAt, criteria: row, settings, wantsDrops };
}

/** How long rows are deferred whose owner has to act first, which releases them at once. */
const ADDRESS_MS = 24 * 3_600_000;

const heldByAddress = ({ id, userId, lockedAt }: MailedRow, heldBy: 'suppressed' | 'unconfirmed'): DeferredAlert => ({
  alertId: id,
  userId,
  until: new Date(lockedAt.getTime() + ADDRESS_MS),
  heldBy,
});

/** Locks the alerts, so that they can't be deactivated, deleted or edited before the claim. */
export async function lockAlerts(
  client: Client,
  alerts: readonly DueAlert[],
  confirmEmail: boolean,
): Promise<LockedAlerts> {
  const { rows, busy, gone } = await lockAlertRows(client, alerts, () =>
    client.query<MailedRow>({
      name: 'notify-read-alerts',
      text: `select ${alertColumns('email_notifications')}, a.last_mailed_at as "lastMailedAt",
              u.email, u.email_confirmed_at as "emailConfirmedAt", ${isSuppressed('u.email')} as "isSuppressed"
         from alerts a join users u on u.id = a.user_id
        where a.id = any($1::int8[]) and a.user_id = any($2::int8[]) order by a.id`,
      values: alertKeys(alerts),
    }),
  );
  const locked: LockedAlerts = {
    watching: new Map(),
    off: [],
    unconfirmed: [],
    suppressed: [],
    rematching: [],
    gone,
    busy,
  };
  for (const row of rows) {
    const { id: alertId, userId } = row;
    if (!row.wanted || row.email === null) locked.off.push({ alertId, userId });
    else if (confirmEmail && row.emailConfirmedAt === null) locked.unconfirmed.push(heldByAddress(row, 'unconfirmed'));
    else if (row.isSuppressed) locked.suppressed.push(heldByAddress(row, 'suppressed'));
    else if (row.isRematching) locked.rematching.push({ alertId, userId });
    else locked.watching.set(row.id, toAlert(row, row.email));
  }
  return locked;
}

/** @param userIds a parameter: the owners of the alerts $1 */
const waitingMails = (userIds: string): string =>
  `channel = 'email' and ${waitsOf('notifications', '$1::int8[]', userIds)}`;

/** SQL: what an array has for the alert of a notification. */
const deferredOf = (array: string): string => `(${array})[array_position($1::int8[], notifications.alert_id)]`;

export type DeferredAlert = Hold & DueAlert;

/** Defers all waiting rows of these alerts, and records which rule holds them. Rows that wait for it already stay untouched. */
export async function deferAlerts(queryable: Queryable, deferred: readonly DeferredAlert[]): Promise<void> {
  if (deferred.length === 0) return;
  const [alertIds, userIds] = alertKeys(deferred);
  await queryable.query({
    name: 'notify-defer',
    // A join could read all rows once for each alert.
    text: `update notifications set due_at = ${deferredOf('$2::timestamptz[]')}, held_by = ${deferredOf('$3::text[]')}
            where ${waitingMails('$4::int8[]')}
              and (due_at, held_by) is distinct from (${deferredOf('$2::timestamptz[]')}, ${deferredOf('$3::text[]')})`,
    values: [alertIds, deferred.map(({ until }) => until), deferred.map(({ heldBy }) => heldBy), userIds],
  });
}

/** `deferAlerts` from now, by the database's clock. */
export async function deferAlertsFor(queryable: Queryable, alerts: readonly DueAlert[], ms: number): Promise<void> {
  if (alerts.length === 0) return;
  const [alertIds, userIds] = alertKeys(alerts);
  await queryable.query({
    name: 'notify-defer-for',
    text: `update notifications set due_at = now() + $2 * interval '1 ms' where ${waitingMails('$3::int8[]')}`,
    values: [alertIds, ms, userIds],
  });
}

/** Drops or defers the waiting rows of alerts that can't be mailed now. */
export async function endOrDeferWaiting(queryable: Queryable, locked: LockedAlerts): Promise<void> {
  const over = [...locked.off, ...locked.gone];
  if (over.length > 0) {
    await queryable.query({
      name: 'notify-drop-alerts',
      text: `update notifications set status = 'dropped', settled_at = now()
              where ${waitingMails('$2::int8[]')}`,
      values: alertKeys(over),
    });
  }
  await deferAlerts(queryable, [...locked.unconfirmed, ...locked.suppressed]);
  await deferAlertsFor(queryable, locked.rematching, REMATCHED_MS);
}
