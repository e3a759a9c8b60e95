import type { Client } from '../base/database.ts';
import { lockPlanUseOnServer } from '../placement/server-locks.ts';
import { copyToCells } from './copy-to-cells.ts';

/**
 * Pauses the newest active alerts beyond a plan's limit, in the transaction that changes the plan.
 * @returns how many
 * @throws an error for which `isLockNotAvailable`, where the user's server has not committed a creation yet
 */
export async function pauseBeyondPlan(client: Client, userId: number, planId: number): Promise<number> {
  await lockPlanUseOnServer(client, userId);
  await client.query('select from alerts where user_id = $1 order by id for update', [userId]);
  const { rows } = await client.query<{ paused: number }>(
    `with paused as (
       update alerts set is_active = false, paused_by_plan_at = now()
        where user_id = $1 and id in (select id from alerts where user_id = $1 and is_active and expires_at > now()
                      order by created_at, id offset (select alert_limit from plans where id = $2))
       returning id
     ), removed as (
       delete from alert_cells where user_id = $1 and alert_id in (select id from paused)
     )
     select count(*)::int as paused from paused`,
    [userId, planId],
  );
  return rows[0]?.paused ?? 0;
}

/** Switches text messages off for all alerts of a user. @returns for how many they were on */
export async function switchTextsOff(client: Client, userId: number): Promise<number> {
  const { rows } = await client.query<{ alerts: number }>(
    `with off as (
       update alerts set text_notifications = false where user_id = $1 and text_notifications returning *
     ), copied as (${copyToCells('off')}
     )
     select count(*)::int4 as alerts from off`,
    [userId],
  );
  return rows[0]?.alerts ?? 0;
}
