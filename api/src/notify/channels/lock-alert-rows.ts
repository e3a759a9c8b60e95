import { type Client, pipeline } from '../../base/database.ts';
import { keysOf } from '../../entities/owned-rows.ts';
import type { DueAlert } from '../claim.ts';

/** Alerts that are locked until the transaction ends, as they are since then, and the ids of those that are not. */
interface LockedAlerts<Row> {
  rows: Row[];
  /** Another transaction has locked them. */
  busy: number[];
  gone: DueAlert[];
}

/** The ids of alerts and those of their owners, as parameters of a statement. */
export const alertKeys = (alerts: readonly DueAlert[]) =>
  keysOf(alerts.map(({ alertId, userId }) => ({ id: alertId, userId })));

const lockSql = (rows: 'a' | 'a, u') => `
  select a.id from alerts a join users u on u.id = a.user_id
   where a.id = any($1::int8[]) and a.user_id = any($2::int8[]) order by a.id for no key update of ${rows} skip locked`;

/**
 * Locks the alerts that are not locked yet until the transaction ends, and reads them with their owners. It never waits for
 * a lock, and so can't be part of a deadlock. One statement that reads and locks would see an owner as before a change that
 * ended just before the lock, and its caller would hold what that change has released.
 * @param read sends a statement that reads all of the alerts @param withOwners whether their owners are locked too
 */
export async function lockAlertRows<Row extends { id: number }>(
  client: Client,
  alerts: readonly DueAlert[],
  read: () => Promise<{ rows: Row[] }>,
  withOwners = false,
): Promise<LockedAlerts<Row>> {
  const name = withOwners ? 'notify-lock-alerts-and-owners' : 'notify-lock-alerts';
  const [locked, { rows }] = await pipeline(client, () => [
    client.query<{ id: number }>({ name, text: lockSql(withOwners ? 'a, u' : 'a'), values: alertKeys(alerts) }),
    read(),
  ]);
  const ours = new Set(locked.rows.map(({ id }) => id));
  const there = new Set(rows.map(({ id }) => id));
  return {
    rows: rows.filter(({ id }) => ours.has(id)),
    busy: alerts.map(({ alertId }) => alertId).filter((id) => there.has(id) && !ours.has(id)),
    gone: alerts.filter(({ alertId }) => !there.has(alertId)),
  };
}
