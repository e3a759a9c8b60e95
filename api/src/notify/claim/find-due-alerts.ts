import type { Pool } from '../../base/database.ts';
import { FREE_PLAN_ID } from '../../domain/plan-list.ts';
import { MIN_INTERVAL_MS, PRIORITY_MS } from '../../domain/throttle.ts';

const ROWS_A_LOOK = 5_000;
const dueRows = "status = 'waiting' and channel = 'email' and due_at <= now()";
const quiet = `interval '${MIN_INTERVAL_MS} ms'`;
const priority = `interval '${PRIORITY_MS} ms'`;

/**
 * Puts off what fell due for alerts that were mailed less than five minutes ago, in one statement for all of them. It
 * waits for nobody: a row that another holds is left to the next look. Returns how many rows were put off.
 */
async function putOffPaced(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'notify-put-off-paced',
    text: `with paced as materialized (
         select n.id, a.last_mailed_at + ${quiet} as until from notifications n
          cross join lateral (select a.last_mailed_at from alerts a where a.id = n.alert_id offset 0) a
          where ${dueRows} and a.last_mailed_at > now() - ${quiet}
          order by due_at limit ${ROWS_A_LOOK} for no key update of n skip locked
       )
       update notifications n set due_at = paced.until from paced where n.id = paced.id`,
  });
  return rowCount ?? 0;
}

/**
 * Alerts with a row whose time has come, the longest waiting first, those of paid plans as if they waited a minute
 * longer; those still within their pace are put off.
 */
export async function findDueAlerts(pool: Pool): Promise<number[]> {
  for (;;) {
    const { rows } = await pool.query<{ alertId: number; paced: boolean }>({
      name: 'notify-due-alerts',
      text: `with due as materialized (
           select alert_id, due_at from notifications where ${dueRows} order by due_at limit ${ROWS_A_LOOK}
         )
         select d.alert_id as "alertId", coalesce(a.last_mailed_at > now() - ${quiet}, false) as paced
           from (select alert_id, min(due_at) as due_at from due group by alert_id) d
           left join lateral (select a.last_mailed_at, a.user_id from alerts a where a.id = d.alert_id offset 0) a on true
           left join lateral (select u.plan_id > ${FREE_PLAN_ID} as is_paid from users u where u.id = a.user_id offset 0) u on true
          order by d.due_at - case when u.is_paid then ${priority} else interval '0' end`,
    });
    const free = rows.filter(({ paced }) => !paced).map(({ alertId }) => alertId);
    const putOff = free.length < rows.length ? await putOffPaced(pool) : 0;
    if (free.length > 0 || putOff === 0) return free;
  }
}
