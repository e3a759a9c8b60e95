import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { alertLimitReached, textsNeedPlan } from '../domain/forms/plan-refusals.ts';
import { canUpgrade, hasRoomForAlert, isPaidPlan, MAX_ALERTS_PER_USER } from '../domain/plan-list.ts';
import { TEXTS_MISSING } from '../domain/text-limits.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { lockPlanUseOnServer } from '../placement/server-locks.ts';
import { alertsToResume } from './alerts-to-resume.ts';

export interface PlanUsage {
  planId: number;
  alertLimit: number;
  /** Active, unexpired alerts. */
  used: number;
  /** All alerts. */
  total: number;
  /** Alerts that a smaller plan paused and that the current plan allows. */
  toResume: number;
}

/** Reads the usage without a lock, for display. */
async function readPlanUsage(em: EntityManager, userId: number): Promise<PlanUsage> {
  const { rows } = await sqlOf(em).query<PlanUsage>(
    `select u.plan_id as "planId", p.alert_limit as "alertLimit",
            (select count(*) from alerts where user_id = $1 and is_active and expires_at > now()) as used,
            (select count(*) from alerts where user_id = $1) as total,
            ${alertsToResume} as "toResume"
       from users u join plans p on p.id = u.plan_id
      where u.id = $1`,
    [userId],
  );
  const [use] = rows;
  if (!use) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return use;
}

/** Locks the user's row until the transaction ends, so that concurrent creates count one after another. */
export async function lockPlanUsage(em: EntityManager, userId: number): Promise<PlanUsage> {
  await sqlOf(em).query('/* lock-plan-use */ select id from users where id = $1 for update', [userId]);
  await lockPlanUseOnServer(sqlOf(em), userId);
  return readPlanUsage(em, userId);
}

/** Checks that the plan allows one more active alert. @throws AppError PLAN_LIMIT */
export function requirePlanCapacity({ planId, alertLimit, used }: PlanUsage): void {
  if (hasRoomForAlert(used, alertLimit)) return;
  throw new AppError('PLAN_LIMIT', alertLimitReached, { needsUpgrade: canUpgrade(planId) });
}

/** Checks the maximum of alerts of any user, active or not. @throws AppError CONFLICT */
export function requireAlertCapacity({ total }: PlanUsage): void {
  if (total < MAX_ALERTS_PER_USER) return;
  throw new AppError(
    'CONFLICT',
    `You have ${MAX_ALERTS_PER_USER} alerts, active or not. Please delete one to create another.`,
  );
}

/** Checks that text messages can be switched on. @throws AppError PLAN_REQUIRED on Free, NOT_CONFIGURED */
export function requireTexts({ planId }: PlanUsage, hasTexts: boolean): void {
  if (!isPaidPlan(planId)) throw new AppError('PLAN_REQUIRED', textsNeedPlan, { needsUpgrade: true });
  if (!hasTexts) throw new AppError('NOT_CONFIGURED', TEXTS_MISSING);
}

interface AlertCapacity {
  canCreateAlert: boolean;
  needsUpgrade: boolean;
  alertsUsed: number;
  alertLimit: number;
  alertsToResume: number;
}

/** Whether the viewer could create an alert now. The create itself checks it again under the lock. */
export async function canCreateAlert(em: EntityManager, viewer: { id: number }): Promise<AlertCapacity> {
  const { planId, alertLimit, used, total, toResume } = await readPlanUsage(em, viewer.id);
  const hasRoom = hasRoomForAlert(used, alertLimit);
  return {
    canCreateAlert: hasRoom && total < MAX_ALERTS_PER_USER,
    needsUpgrade: !hasRoom && canUpgrade(planId),
    alertsUsed: used,
    alertLimit,
    alertsToResume: toResume,
  };
}
