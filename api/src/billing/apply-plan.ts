import { countAlertsToResume } from '../alerts/alerts-to-resume.ts';
import { pauseBeyondPlan, switchTextsOff } from '../alerts/apply-plan-limits.ts';
import type { Client } from '../base/database.ts';
import { type PlanEvent, planTransition } from '../domain/billing/plan-transitions.ts';
import { isPaidPlan } from '../domain/plan-list.ts';
import { notifyKeysEnded } from '../keys/notify-keys-ended.ts';

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
    `/* lock-account */ select plan_id as "planId", case when not $2 or email_confirmed_at is not null then email end as "mailTo"
       from users where id = $1 for no key update`,
    [userId, confirmEmail],
  );
  return rows[0] ?? null;
}

/**
 * Moves a user whose row is locked to another plan, with all consequences for their alerts. The caller queues the mail.
 * @returns what has changed; null when the plan is the same
 * @throws AppError CONFLICT for an impossible change
 */
export async function applyPlan(
  client: Client,
  { userId, from, to, event }: { userId: number; from: number; to: number; event: PlanChange['event'] },
): Promise<PlanChange | null> {
  const transition = planTransition(from, to, event);
  if (transition === 'none') return null;
  await client.query('update users set plan_id = $2 where id = $1', [userId, to]);
  await notifyKeysEnded(client, [userId]);
  const paused = await pauseBeyondPlan(client, userId, to);
  const textsOff = isPaidPlan(to) ? 0 : await switchTextsOff(client, userId);
  const toResume = transition === 'upgrade' ? await countAlertsToResume(client, userId) : 0;
  return { fromPlanId: from, toPlanId: to, event, paused, textsOff, toResume };
}
