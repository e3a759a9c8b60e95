import type { Queryable } from '../base/database.ts';
import { carMails, isShownText } from '../entities/notification-rules.ts';
import { notificationsReadAt } from '../entities/user-activity.ts';

/** More unread messages are not counted. */
export const MAX_UNREAD = 100;

/** SQL: whether a message that was settled at this time came after the log was read. Times are read in milliseconds. */
export const isUnread = (settledAt: string, readAt: string): string =>
  `${settledAt} >= ${readAt} + interval '1 millisecond'`;

/** SQL: when a mail was sent, or failed with its last try. @param mail the alias of a row of `mails` */
export const mailSettledAt = (mail: string): string =>
  `case ${mail}.status when 'sent' then ${mail}.sent_at when 'failed' then greatest(${mail}.created_at, ${mail}.next_try_at) end`;

/** SQL: when a text was sent, failed, or was given up as unknown. @param text the alias of a row of `texts` */
export const textSettledAt = (text: string): string =>
  `case when ${text}.status <> 'sending' then coalesce(${text}.settled_at, ${text}.created_at) end`;

/** SQL: when a first device got a push message, or when it failed. @param push the alias of a row of `pushes` */
export const pushSettledAt = (push: string): string =>
  `coalesce(${push}.sent_at, case ${push}.status when 'failed' then greatest(${push}.created_at, ${push}.next_try_at) end)`;

/** Counts the messages about cars that were sent or failed after the user has read the log; at most 100. */
export async function countUnreadNotifications(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ unread: number }>({
    name: 'notify-unread',
    text: `with own as materialized (
         select id from alerts where user_id = $1 union select alert_id from former_alerts where user_id = $1
       ), reader as materialized (
         select ${notificationsReadAt('u')} as at from users u where u.id = $1
       ), unread as (
         (select 1 from mails m, reader r
           where m.alert_id = any (array(select id from own)) and m.user_id = $1 and m.kind in (${carMails})
             and m.status = 'sent' and ${isUnread('m.sent_at', 'r.at')} limit ${MAX_UNREAD})
         union all
         (select 1 from mails m, reader r
           where m.alert_id = any (array(select id from own)) and m.user_id = $1 and m.kind in (${carMails}) and m.sent_at is null
             and m.status = 'failed' and ${isUnread(mailSettledAt('m'), 'r.at')} limit ${MAX_UNREAD})
         union all
         (select 1 from texts t, reader r
           where t.user_id = $1 and ${isShownText('t')} and ${isUnread(textSettledAt('t'), 'r.at')} limit ${MAX_UNREAD})
         union all
         (select 1 from pushes p, reader r
           where p.alert_id = any (array(select id from own)) and p.user_id = $1 and ${isUnread(pushSettledAt('p'), 'r.at')} limit ${MAX_UNREAD})
       )
       select least(count(*), ${MAX_UNREAD})::int4 as unread from unread`,
    values: [userId],
  });
  return rows[0]?.unread ?? 0;
}
