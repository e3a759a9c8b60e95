/** How many alerts that a smaller plan paused fit now: an expression over a user `u` and their plan `p`. */
export const alertsToResume = `greatest(0, least(
  (select count(*) from alerts where user_id = u.id and paused_by_plan_at is not null),
  p.alert_limit - (select count(*) from alerts where user_id = u.id and is_active and expires_at > now())))::int4`;
