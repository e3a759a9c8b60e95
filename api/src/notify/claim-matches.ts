import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { mayLeaveAt } from '../domain/pacing.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { type AlertLook, dropNotifications, lockAlert, lookAtPairs } from './look-again.ts';

const waitingRows = "alert_id = $1 and status = 'waiting' and channel = 'email'";

/** Rows of an address that isn't confirmed are looked at again this often; confirming releases them at once. */
const PARKED = "interval '1 hour'";

/** `progressed`: rows were settled or put off; `busy`: nothing was done, somebody else holds the alert. */
export type AlertClaim = { mail: ClaimedMail } | { mail: null; result: 'progressed' | 'busy' };

async function putAside(client: Client, alertId: number, look: Exclude<AlertLook, { state: 'watching' }>) {
  switch (look.state) {
    case 'busy':
      return 'busy';
    case 'gone':
    case 'off':
      await client.query(`update notifications set status = 'dropped', settled_at = now() where ${waitingRows}`, [
        alertId,
      ]);
      return 'progressed';
    case 'unconfirmed':
      await client.query(`update notifications set due_at = now() + ${PARKED} where ${waitingRows}`, [alertId]);
      return 'progressed';
    case 'rematching':
      await client.query(`update notifications set due_at = now() + interval '500 ms' where ${waitingRows}`, [alertId]);
      return 'progressed';
  }
}

/**
 * Claims what waits for one alert as one mail, in one short transaction that holds the alert: looks again whether it
 * may be sent, keeps to the pace, and writes the mail as 'sending' before anything is handed over.
 */
export function claimAlert(pool: Pool, alertId: number, confirmEmail: boolean): Promise<AlertClaim> {
  return inTransaction(pool, async (client): Promise<AlertClaim> => {
    const look = await lockAlert(client, alertId, confirmEmail);
    if (look.state !== 'watching') return { mail: null, result: await putAside(client, alertId, look) };
    const { alert } = look;
    const { fitting, failing } = await lookAtPairs(client, alert, null);
    await dropNotifications(client, failing);
    const first = fitting[0];
    if (!first) return { mail: null, result: failing.length > 0 ? 'progressed' : 'busy' };

    const firstWaitingAt = new Date(Math.min(...fitting.map(({ createdAt }) => createdAt.getTime())));
    const leaves = mayLeaveAt(firstWaitingAt, alert.lastMailedAt);
    if (leaves > alert.lookedAt) {
      await client.query(`update notifications set due_at = $2 where ${waitingRows}`, [alertId, leaves]);
      return { mail: null, result: 'progressed' };
    }

    const { rows } = await client.query<ClaimedMail>({
      name: 'notify-claim',
      text: `with mail as (
         insert into mails (kind, user_id, alert_id, to_address, status, claimed_at, attempts)
         values ('match', $1, $2, $3, 'sending', now(), 1) returning *
       ), taken as (
         update notifications n set status = 'sending', mail_id = mail.id from mail where n.id = any($4::int8[])
       ), mailed as (
         update alerts set last_mailed_at = now() where id = $2
       )
       select id, kind, user_id as "userId", alert_id as "alertId", to_address as "to", data, attempts,
              created_at as "createdAt" from mail`,
      values: [alert.userId, alert.id, alert.email, fitting.map(({ id }) => id)],
    });
    const mail = rows[0];
    return mail ? { mail } : { mail: null, result: 'busy' };
  });
}

/** Alerts with a row whose time has come, the longest waiting first. */
export async function findDueAlerts(pool: Pool, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ alertId: number }>(
    `select alert_id as "alertId" from (
       select alert_id, due_at from notifications
        where status = 'waiting' and channel = 'email' and due_at <= now() order by due_at limit 2000
     ) due group by alert_id order by min(due_at) limit $1`,
    [limit],
  );
  return rows.map(({ alertId }) => alertId);
}
