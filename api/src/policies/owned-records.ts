import { AppError } from '../base/errors.ts';
import { hasApiAccess } from '../domain/plan-list.ts';

/**
 * API keys must not set a webhook's URL: with a leaked key somebody could redirect events, even after it was revoked.
 * @throws AppError FORBIDDEN
 */
export function requireMayChangeUrl(viewer: { key?: object | null | undefined }): void {
  if (!viewer.key) return;
  throw new AppError('FORBIDDEN', 'API keys must not set the URL of a webhook, which requires a signed-in user.');
}

const NEEDS_ELITE = 'API access is part of the Elite plan. Please upgrade to use it.';

export const needsElite = (): AppError => new AppError('PLAN_REQUIRED', NEEDS_ELITE, { needsUpgrade: true });

/** @throws AppError PLAN_REQUIRED for API keys, webhooks and bulk calls on any plan but Elite */
export function requireApiAccess({ planId }: { planId: number }): void {
  if (!hasApiAccess(planId)) throw needsElite();
}
