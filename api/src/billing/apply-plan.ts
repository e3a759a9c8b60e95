import { alertsToResume } from '../alerts/plan-usage.ts';
import type { Client, Queryable } from '../base/database.ts';
import { type PlanEvent, planMove } from '../domain/billing/plan-moves.ts';
import { isPaidPlan } from '../domain/plan-list.ts';

interface PlanChange {
  fromPlanId: number;
  toPlanId: number;
  event: Exclude<PlanEvent, 'chosen'>;
  /** Alerts that were paused because the plan allows fewer. */
  paused: number;
  /** Alerts that no longer send text messages. */
  textsOff: number;
  /** Alerts that a smaller plan paused and that the new plan allows. */
  toResume: number;
}

interface Account {
  planId: number;
  /** The address for mails; null when none may be sent. */
  mailTo: string | null;
}

/**
 * Locks the account until the transaction ends. Creating an alert waits for the lock; inserting rows that refer to the
 * user does not.
 * @param confirmEmail whether an unconfirmed address gets no mail
 */
export async function lockAccount(client: Client, userId: number, confirmEmail: boolean): Promise<Account | null> {
  const { rows } = await client.query<Account>(
    `select plan_id as "planId", case when not $2 or email_confirmed_at is not null then email end as "mailTo"
       from users where id = $1 for no key update`,
    [userId, confirmEmail],
  );
  return rows[0] ?? null;
}

/** Pauses the newest active alerts beyond the plan's limit. @returns how many */
async function pauseBeyond(client: Client, userId: number, planId: number): Promise<number> {
  await client.query('select from alerts where user_id = $1 order by id for update', [userId]);
  const { rows } = await client.query<{ paused: number }>(
    `with paused as (
       update alerts set is_active = false, paused_by_plan_at = now()
        where id in (select id from alerts where user_id = $1 and is_active and expires_at > now()
                      order by created_at, id offset (select alert_limit from plans where id = $2))
       returning id
     ), removed as (
       delete from alert_cells where alert_id in (select id from paused)
     )
     select count(*)::int as paused from paused`,
    [userId, planId],
  );
  return rows[0]?.paused ?? 0;
}

async function switchTextsOff(client: Client, userId: number): Promise<number> {
  const { rowCount } = await client.query(
    'update alerts set text_notifications = false where user_id = $1 and text_notifications',
    [userId],
  );
  return rowCount ?? 0;
}

async function countToResume(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select ${alertsToResume} as count from users u join plans p on p.id = u.plan_id where u.id = $1`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Moves a user whose row is locked to another plan, with all consequences for their alerts. The caller queues the mail.
 * @returns what has changed; null when the plan is the same
 * @throws AppError CONFLICT for an impossible move
 */
export async function applyPlan(
  client: Client,
  { userId, from, to, event }: { userId: number; from: number; to: number; event: PlanChange['event'] },
): Promise<PlanChange | null> {
  const move = planMove(from, to, event);
  if (move === 'stays') return null;
  await client.query('update users set plan_id = $2 where id = $1', [userId, to]);
  const paused = await pauseBeyond(client, userId, to);
  const textsOff = isPaidPlan(to) ? 0 : await switchTextsOff(client, userId);
  const toResume = move === 'rises' ? await countToResume(client, userId) : 0;
  return { fromPlanId: from, toPlanId: to, event, paused, textsOff, toResume };
}
