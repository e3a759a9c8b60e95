/** Of all alerts a user keeps, active or not. */
export const MAX_ALERTS_PER_USER = 200;

export const FREE_PLAN_ID = 1;
export const ELITE_PLAN_ID = 4;

export const SMS_NEEDS_PLAN =
  'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.';

/** Whether one more alert may be active. @param used active, unexpired alerts */
export function hasRoomForAlert(used: number, alertLimit: number): boolean {
  return used < alertLimit;
}

/** Whether a larger plan exists to upgrade to. */
export function canUpgrade(planId: number): boolean {
  return planId < ELITE_PLAN_ID;
}

/** Text messages, and all else that needs a plan above Free. */
export function isPaidPlan(planId: number): boolean {
  return planId > FREE_PLAN_ID;
}

/** API keys, webhooks and bulk calls. */
export function hasApiAccess(planId: number): boolean {
  return planId === ELITE_PLAN_ID;
}
