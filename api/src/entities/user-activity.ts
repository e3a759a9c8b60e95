import type { Queryable } from '../base/database.ts';

/*
 * Times of a user that change often. They have a table of their own, so that `users` is seldom written; the columns of the
 * same names there have the time of the registration, and what the version before writes.
 */

/** SQL: the later one of the two. @param user the alias of a row of `users` @param id SQL of its id */
const latest = (user: string, column: 'last_seen_at' | 'notifications_read_at', id: string): string =>
  `greatest(${user}.${column}, (select a.${column} from user_activity a where a.user_id = ${id}))`;

/**
 * SQL: when a user last used a session or an API key, to the hour.
 * @param user the alias of a row of `users` @param id SQL of its id, such as a parameter
 */
export const lastSeenAt = (user: string, id = `${user}.id`): string => latest(user, 'last_seen_at', id);

/** SQL: until when a user has read the log of messages, by the same. */
export const notificationsReadAt = (user: string, id = `${user}.id`): string =>
  latest(user, 'notifications_read_at', id);

/** Records that these users were seen now, at most once an hour. Their rows are locked first, as by all who write to an account. */
export async function recordSeen(db: Queryable, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await db.query({
    name: 'user-activity-seen',
    text: `insert into user_activity as a (user_id, last_seen_at)
           select id, now() from users u
            where id = any($1::int8[]) and not exists (
              select from user_activity where user_id = u.id and last_seen_at >= now() - interval '1 hour')
            order by id for key share
           on conflict (user_id) do update set last_seen_at = excluded.last_seen_at`,
    values: [userIds],
  });
}

/** Records that a user has read the log until a time, which a later call never moves back. @param upTo a time in the future counts as now */
export async function recordNotificationsRead(db: Queryable, userId: number, upTo: Date): Promise<void> {
  await db.query(
    `/* user-activity-read */ insert into user_activity as a (user_id, notifications_read_at)
     select id, least($2::timestamptz, now()) from users where id = $1 for key share
     on conflict (user_id) do update set notifications_read_at = excluded.notifications_read_at
      where coalesce(a.notifications_read_at < excluded.notifications_read_at, true)`,
    [userId, upTo],
  );
}
