import type { Queryable } from '../../base/database.ts';
import type { AlertLooks } from './lock-alerts.ts';

const waitingRows = "status = 'waiting' and channel = 'email'";

/** Rows of an address that isn't confirmed are looked at again this often; confirming releases them at once. */
const PARKED_MS = 3_600_000;
/** What matching is about to judge anew is looked at again so much later. */
export const REMATCHED_MS = 500;

/** When what waits for an alert is looked at next. */
export interface PutOff {
  alertId: number;
  until: Date;
}

/** Puts everything off that waits for these alerts. */
export async function putOffAlerts(queryable: Queryable, putOffs: readonly PutOff[]): Promise<void> {
  if (putOffs.length === 0) return;
  await queryable.query({
    name: 'notify-put-off',
    text: `update notifications n set due_at = p.until
             from unnest($1::int8[], $2::timestamptz[]) p (alert_id, until)
            where n.alert_id = any($1::int8[]) and n.alert_id = p.alert_id and ${waitingRows}`,
    values: [putOffs.map(({ alertId }) => alertId), putOffs.map(({ until }) => until)],
  });
}

/** `putOffAlerts` from now, by the database's clock. */
export async function putOffFor(queryable: Queryable, alertIds: readonly number[], ms: number): Promise<void> {
  if (alertIds.length === 0) return;
  await queryable.query({
    name: 'notify-put-off-for',
    text: `update notifications set due_at = now() + $2 * interval '1 ms' where alert_id = any($1::int8[]) and ${waitingRows}`,
    values: [alertIds, ms],
  });
}

/** A look of its own: the address may have been confirmed after the one at the alert, and its rows be released. */
async function park(queryable: Queryable, alertIds: readonly number[]): Promise<void> {
  if (alertIds.length === 0) return;
  await queryable.query({
    name: 'notify-park',
    text: `update notifications n set due_at = now() + interval '${PARKED_MS} ms' from alerts a, users u
            where n.alert_id = any($1::int8[]) and ${waitingRows} and a.id = n.alert_id and u.id = a.user_id
              and u.email_confirmed_at is null`,
    values: [alertIds],
  });
}

/** Settles or puts off what waits for alerts that can't be mailed now. */
export async function putAside(queryable: Queryable, looks: AlertLooks): Promise<void> {
  const over = [...looks.off, ...looks.gone];
  if (over.length > 0) {
    await queryable.query({
      name: 'notify-drop-alerts',
      text: `update notifications set status = 'dropped', settled_at = now()
              where alert_id = any($1::int8[]) and ${waitingRows}`,
      values: [over],
    });
  }
  await park(queryable, looks.unconfirmed);
  await putOffFor(queryable, looks.rematching, REMATCHED_MS);
}
