import { AppError } from '../base/errors.ts';
import { hasApiAccess } from '../domain/plan-list.ts';

const NEEDS_ELITE = 'API access is part of the Elite plan. Please upgrade to use it.';

export const needsElite = (): AppError => new AppError('PLAN_REQUIRED', NEEDS_ELITE, { needsUpgrade: true });

/** @throws AppError PLAN_REQUIRED for API keys, webhooks and bulk calls on any plan but Elite */
export function requireApiAccess({ planId }: { planId: number }): void {
  if (!hasApiAccess(planId)) throw needsElite();
}
