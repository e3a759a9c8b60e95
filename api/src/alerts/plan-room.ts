import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { canUpgrade, hasRoomForAlert, isPaidPlan, MAX_ALERTS_PER_USER, SMS_NEEDS_PLAN } from '../domain/plan-list.ts';
import { TEXTS_MISSING } from '../domain/text-limits.ts';
import { alertsToResume } from '../entities/shared/alerts-to-resume.ts';
import { sqlOf } from '../entities/sql-of.ts';

const LIMIT_REACHED =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";

export interface PlanUse {
  planId: number;
  alertLimit: number;
  /** Active, unexpired alerts. */
  used: number;
  /** All alerts. */
  total: number;
  /** Alerts that a smaller plan paused and that fit now. */
  toResume: number;
}

/** What `lockPlanUse` reads, without the lock: only to show. */
export async function readPlanUse(em: EntityManager, userId: number): Promise<PlanUse> {
  const { rows } = await sqlOf(em).query<PlanUse>(
    `select u.plan_id as "planId", p.alert_limit as "alertLimit",
            (select count(*) from alerts where user_id = u.id and is_active and expires_at > now()) as used,
            (select count(*) from alerts where user_id = u.id) as total,
            ${alertsToResume} as "toResume"
       from users u join plans p on p.id = u.plan_id
      where u.id = $1`,
    [userId],
  );
  const [use] = rows;
  if (!use) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return use;
}

/** Holds the user's row until the transaction ends, so that parallel creates count one after another. */
export async function lockPlanUse(em: EntityManager, userId: number): Promise<PlanUse> {
  await sqlOf(em).query('/* lock-plan-use */ select id from users where id = $1 for update', [userId]);
  return readPlanUse(em, userId);
}

/** @throws AppError PLAN_LIMIT when one more active alert is too many */
export function refuseWithoutRoom({ planId, alertLimit, used }: PlanUse): void {
  if (hasRoomForAlert(used, alertLimit)) return;
  throw new AppError('PLAN_LIMIT', LIMIT_REACHED, { needsUpgrade: canUpgrade(planId) });
}

/** @throws AppError CONFLICT when the user keeps as many alerts as anyone may */
export function refuseTooMany({ total }: PlanUse): void {
  if (total < MAX_ALERTS_PER_USER) return;
  throw new AppError(
    'CONFLICT',
    `You have ${MAX_ALERTS_PER_USER} alerts, active or not. Please delete one to create another.`,
  );
}

/** @throws AppError PLAN_REQUIRED for text messages on Free, NOT_CONFIGURED where there are none */
export function refuseTexts({ planId }: PlanUse, hasTexts: boolean): void {
  if (!isPaidPlan(planId)) throw new AppError('PLAN_REQUIRED', SMS_NEEDS_PLAN, { needsUpgrade: true });
  if (!hasTexts) throw new AppError('NOT_CONFIGURED', TEXTS_MISSING);
}
