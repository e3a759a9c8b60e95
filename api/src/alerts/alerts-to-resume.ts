import type { Queryable } from '../base/database.ts';

/** How many alerts that a smaller plan paused fit now: an expression over the user $1 and their plan `p`. */
export const alertsToResume = `greatest(0, least(
  (select count(*) from alerts where user_id = $1 and paused_by_plan_at is not null),
  p.alert_limit - (select count(*) from alerts where user_id = $1 and is_active and expires_at > now())))::int4`;

/** Counts the alerts that a smaller plan paused and that the user's plan allows now. */
export async function countAlertsToResume(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select ${alertsToResume} as count from users u join plans p on p.id = u.plan_id where u.id = $1`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}
