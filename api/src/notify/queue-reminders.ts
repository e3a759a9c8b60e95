import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { REMINDER_DAYS } from '../domain/expiry.ts';

const mailable = 'u.email is not null and (not $1 or u.email_confirmed_at is not null)';

/**
 * Queues a mail for every watching alert that ends within three days, once for each expiry date. Returns how many.
 * @param confirmEmail whether an unconfirmed address gets nothing
 */
export async function queueReminders(queryable: Queryable, confirmEmail: boolean): Promise<number> {
  const { rowCount } = await queryable.query(
    `with due as (
       update alerts a set reminded_at = now() from users u
        where u.id = a.user_id and ${mailable} and a.is_active and a.email_notifications
          and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days'
          and (a.reminded_at is null or a.reminded_at < a.expires_at - interval '${REMINDER_DAYS} days')
       returning a.id, a.user_id, u.email
     )
     insert into mails (kind, user_id, alert_id, to_address) select 'reminder', user_id, id, email from due
     returning pg_notify('${channels.work}', 'send')`,
    [confirmEmail],
  );
  return rowCount ?? 0;
}

/**
 * Queues a mail for every alert that has just ended while it was watching, once for each expiry date. Returns how
 * many. It must run before, or in the transaction of, what makes expired alerts inactive: a paused alert gets none.
 */
export async function queueExpiryMails(queryable: Queryable, confirmEmail: boolean): Promise<number> {
  const { rowCount } = await queryable.query(
    `insert into mails (kind, user_id, alert_id, to_address)
     select 'expired', a.user_id, a.id, u.email from alerts a join users u on u.id = a.user_id
      where ${mailable} and a.is_active and a.email_notifications and a.expires_at <= now()
        and not exists (
          select from mails m where m.alert_id = a.id and m.kind = 'expired' and m.created_at >= a.expires_at)
     returning pg_notify('${channels.work}', 'send')`,
    [confirmEmail],
  );
  return rowCount ?? 0;
}
