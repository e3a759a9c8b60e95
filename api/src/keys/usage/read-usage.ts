import type { Queryable } from '../../base/database.ts';

export interface HourUsage {
  /** When the hour begins, in UTC. */
  hour: Date;
  ok: number;
  refused: number;
}

/** Requests of the account's keys in each hour of the last 7 days, the oldest first; hours without any are there. */
export async function readUsage(db: Queryable, userId: number): Promise<HourUsage[]> {
  const { rows } = await db.query<HourUsage>(
    `select h.hour, coalesce(u.ok, 0) as ok, coalesce(u.refused, 0) as refused
       from generate_series(date_trunc('hour', now(), 'UTC') - interval '167 hours', date_trunc('hour', now(), 'UTC'),
                            interval '1 hour') h(hour)
       left join api_usage u on u.user_id = $1 and u.hour = h.hour
      order by h.hour`,
    [userId],
  );
  return rows;
}
