import { channels } from '../base/channels.ts';
import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { waitsOf } from '../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';

/** Of a message that no rule has held, tries are counted since it was made, however often a rule changes. */
const endHold = 'retry_since = case when retry_since > now() then now() else retry_since end';

/**
 * Makes due what waits of these alerts, on all channels, so that the rules of delivery are applied to it again: what they
 * still hold is deferred by its claim. Call it in the transaction that changes a rule, with the alerts locked.
 */
export async function releaseAlerts(queryable: Queryable, alerts: readonly OwnedRow[]): Promise<void> {
  if (alerts.length === 0) return;
  const values = keysOf(alerts);
  await queryable.query({
    name: 'notify-release-rows',
    text: `update notifications set due_at = now(), held_by = case when held_by in ('digest', 'interval') then null else held_by end
            where ${waitsOf('notifications', '$1::int8[]', '$2::int8[]')}`,
    values,
  });
  await queryable.query({
    name: 'notify-release-mails',
    text: `update mails set next_try_at = now(), ${endHold} where ${waitsOf('mails', '$1::int8[]', '$2::int8[]')}`,
    values,
  });
  await queryable.query({
    name: 'notify-release-pushes',
    text: `update pushes set next_try_at = now(), ${endHold} where ${waitsOf('pushes', '$1::int8[]', '$2::int8[]')}`,
    values,
  });
  // No claim need have seen that the rule held texts, which are tried for six hours again.
  await queryable.query({
    name: 'notify-release-failing',
    text: `update alerts set texts_failing_since = null
            where id = any($1::int8[]) and user_id = any($2::int8[]) and texts_failing_since is not null`,
    values,
  });
  await queryable.query(`select pg_notify('${channels.work}', 'send')`);
}

/**
 * Drops what waits of an alert about these listings, on all channels, because its buyer dismissed them. Call it with the
 * alert locked.
 */
export async function dropWaiting(queryable: Queryable, alert: OwnedRow, listingIds: readonly number[]): Promise<void> {
  await queryable.query(
    `update notifications set status = 'dropped', settled_at = now(), held_by = 'dismissed'
      where listing_id = any($3::int8[]) and ${waitsOf('notifications', 'array[$1::int8]', 'array[$2::int8]')}`,
    [alert.id, alert.userId, listingIds],
  );
}

/** `releaseAlerts`, with the alerts locked: a claim that holds one may be deferring its rows by what it read before a change. */
async function lockAndRelease(queryable: Queryable, whose: string, values: unknown[]): Promise<void> {
  const { rows } = await queryable.query<OwnedRow>(
    `/* release-lock */ select id, user_id as "userId" from alerts where ${whose} order by id for no key update`,
    values,
  );
  await releaseAlerts(queryable, rows);
}

/**
 * Makes due what waits of all alerts of a user, which become one mail an alert. Call it in the transaction that confirms the
 * address, resumes messages or changes the time zone.
 */
export const releaseUser = (queryable: Queryable, userId: number): Promise<void> =>
  lockAndRelease(queryable, 'user_id = $1', [userId]);

/** Few enough that whoever edits one of these alerts hardly waits. */
const ALERTS_AT_ONCE = 200;

/** Makes due what waits for addresses to be confirmed. Call it where they need not be any more. */
export async function releaseUnconfirmed(pool: Pool): Promise<void> {
  const { rows } = await pool.query<OwnedRow>(
    `select alert_id as id, user_id as "userId" from notifications
      where status = 'waiting' and held_by = 'unconfirmed' and due_at > now()
      union
     select n.alert_id, n.user_id from mails m join notifications n on n.mail_id = m.id and n.user_id = m.user_id
      where m.status = 'waiting' and m.next_try_at > now() and n.held_by = 'unconfirmed'
      order by id`,
  );
  for (let at = 0; at < rows.length; at += ALERTS_AT_ONCE) {
    const some = rows.slice(at, at + ALERTS_AT_ONCE);
    await inTransaction(pool, (client) =>
      lockAndRelease(client, 'user_id = any($1::int8[]) and id = any($2::int8[])', keysOf(some).toReversed()),
    );
  }
}
