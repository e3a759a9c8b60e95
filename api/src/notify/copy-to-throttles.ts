/**
 * SQL: copies the times of the last mails of changed alerts to `alert_throttles`, which the search reads instead of them.
 * @param changed a CTE that returns rows of `alerts`, or their id, user_id and last_mailed_at
 */
export const copyToThrottles = (changed: string): string => `
  insert into alert_throttles (alert_id, user_id, last_mailed_at)
  select id, user_id, last_mailed_at from ${changed} where last_mailed_at is not null
  on conflict on constraint alert_throttles_pkey do update set last_mailed_at = excluded.last_mailed_at`;
