import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { currentRequestId } from '../base/request-id.ts';
import { REMINDER_DAYS } from '../domain/expiry.ts';
import { isSuppressed } from '../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';

const BATCH = 500;
const mailable = `u.email is not null and (not $1 or u.email_confirmed_at is not null) and not ${isSuppressed('u.email')}`;

/**
 * Enqueues a mail for watching alerts that end within three days, once for each expiry date. Each alert is locked before
 * its mail is enqueued, so that two callers never enqueue the same mail; a locked alert is left to the next call.
 * @param confirmEmail whether an unconfirmed address gets no mail
 * @returns how many: at most 500 a call
 */
export async function enqueueReminders(queryable: Queryable, confirmEmail: boolean): Promise<number> {
  const { rowCount } = await queryable.query(
    `/* enqueue-reminders */ with due as materialized (
       select a.id, a.user_id, u.email from alerts a join users u on u.id = a.user_id
        where ${mailable} and a.is_active and a.email_notifications
          and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days'
          and (a.reminded_at is null or a.reminded_at < a.expires_at - interval '${REMINDER_DAYS} days')
        order by a.expires_at limit ${BATCH} for no key update of a skip locked
     ), reminded as (
       update alerts a set reminded_at = now() from due
        where a.id = due.id and a.user_id = due.user_id returning a.id, a.user_id, due.email
     )
     insert into mails (kind, user_id, alert_id, to_address, request_id)
     select 'reminder', user_id, id, email, $2 from reminded
     returning pg_notify('${channels.work}', 'send')`,
    [confirmEmail, currentRequestId()],
  );
  return rowCount ?? 0;
}

/**
 * Enqueues a mail for each of these alerts, which have just expired; once for each expiry date. It must run in the
 * transaction that made them inactive, whose locks keep others from enqueueing the same mail. Accounts that are erased
 * meanwhile get none.
 * @param confirmEmail whether an unconfirmed address gets no mail
 * @returns how many
 */
export async function enqueueExpiryMails(
  queryable: Queryable,
  ended: readonly OwnedRow[],
  confirmEmail: boolean,
): Promise<number> {
  if (ended.length === 0) return 0;
  const [ids, userIds] = keysOf(ended);
  const { rowCount } = await queryable.query({
    name: 'enqueue-expiry-mails',
    text: `insert into mails (kind, user_id, alert_id, to_address, request_id)
     select 'expired', a.user_id, a.id, u.email, $3 from alerts a join users u on u.id = a.user_id
      where a.id = any($2::int8[]) and a.user_id = any($4::int8[]) and ${mailable} and a.email_notifications
        and not exists (
          select from mails m where m.alert_id = a.id and m.user_id = a.user_id and m.kind = 'expired' and m.created_at >= a.expires_at)
        for key share of u
     returning pg_notify('${channels.work}', 'send')`,
    values: [confirmEmail, ids, currentRequestId(), userIds],
  });
  return rowCount ?? 0;
}
