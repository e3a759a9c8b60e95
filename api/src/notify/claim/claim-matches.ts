import { randomUUID } from 'node:crypto';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { mayLeaveAt } from '../../domain/throttle.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { keepFitting } from './keep-fitting.ts';
import { lockAlerts, type WatchingAlert } from './lock-alerts.ts';
import { lookAtWaiting, type Pair } from './look-at-pairs.ts';
import { type PutOff, putAside, putOffAlerts } from './put-aside.ts';

export interface AlertClaims {
  mails: ClaimedMail[];
  /** Alerts whose rows could not be touched: somebody else holds them, so look later. */
  busy: number[];
}

function byAlert(pairs: readonly Pair[]): Map<number, Pair[]> {
  const groups = new Map<number, Pair[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.alertId);
    if (group) group.push(pair);
    else groups.set(pair.alertId, [pair]);
  }
  return groups;
}

/** Writes a mail for each alert as 'sending', takes its rows and starts its five minutes, in one statement. */
async function writeMails(client: Client, alerts: readonly WatchingAlert[], pairs: readonly Pair[]) {
  if (alerts.length === 0) return [];
  const { rows } = await client.query<Omit<ClaimedMail, 'lookedAtMs'>>({
    name: 'notify-claim',
    text: `with mail as (
         insert into mails (id, kind, user_id, alert_id, to_address, status, claimed_at, attempts)
         select id, 'match', user_id, alert_id, address, 'sending', now(), 1
           from unnest($1::uuid[], $2::int8[], $3::int8[], $4::text[]) m (id, user_id, alert_id, address) returning *
       ), taken as (
         update notifications n set status = 'sending', mail_id = mail.id from mail
          where n.id = any($5::int8[]) and n.alert_id = mail.alert_id
       ), mailed as (
         update alerts set last_mailed_at = now() where id = any($3::int8[])
       )
       select id, kind, user_id as "userId", alert_id as "alertId", to_address as "to", data, attempts, 0 as "ageMs" from mail`,
    values: [
      alerts.map(() => randomUUID()),
      alerts.map(({ userId }) => userId),
      alerts.map(({ id }) => id),
      alerts.map(({ email }) => email),
      pairs.map(({ id }) => id),
    ],
  });
  return rows;
}

/**
 * Claims what waits for these alerts, one mail an alert, in one short transaction that holds the alerts: looks again
 * whether they may be sent, keeps to the pace, and writes the mails as 'sending' before anything is handed over.
 */
export function claimAlerts(pool: Pool, alertIds: readonly number[], confirmEmail: boolean): Promise<AlertClaims> {
  return inTransaction(pool, async (client) => {
    const lookedAtMs = performance.now();
    const looks = await lockAlerts(client, alertIds, confirmEmail);
    await putAside(client, looks);
    if (looks.watching.size === 0) return { mails: [], busy: looks.busy };
    const { fitting } = await keepFitting(client, () => lookAtWaiting(client, looks.watching));

    const leaving: WatchingAlert[] = [];
    const putOffs: PutOff[] = [];
    const groups = byAlert(fitting);
    for (const [alertId, pairs] of groups) {
      const alert = looks.watching.get(alertId);
      if (!alert) continue;
      const firstWaitingAt = new Date(Math.min(...pairs.map(({ createdAt }) => createdAt.getTime())));
      const leaves = mayLeaveAt(firstWaitingAt, alert.lastMailedAt);
      if (leaves > alert.lookedAt) putOffs.push({ alertId, until: leaves });
      else leaving.push(alert);
    }
    await putOffAlerts(client, putOffs);
    const taken = leaving.flatMap(({ id }) => groups.get(id) ?? []);
    const rows = await writeMails(client, leaving, taken);
    return { mails: rows.map((row) => ({ ...row, lookedAtMs })), busy: looks.busy };
  });
}
