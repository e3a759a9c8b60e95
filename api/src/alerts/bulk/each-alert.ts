import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import type { Alert } from '../../entities/alert.ts';
import { requireApiAccess } from '../../policies/owned-records.ts';
import { lockPlanUse } from '../plan-room.ts';

/** Of one call. */
export const MAX_ALERTS_A_CALL = 100;

/** What became of one alert of a call; one of `alert` and `error` is there. */
export interface AlertOutcome {
  /** Its place in the call, from 0. */
  index: number;
  alert: Alert | null;
  error: Refusal | null;
}

/** Not the error itself: graphql throws whatever error a field holds. */
export type Refusal = Pick<AppError, 'code' | 'message' | 'fields' | 'needsUpgrade'>;

/**
 * Does something to each of many alerts in one transaction, under the lock on their user. One that is refused leaves
 * no trace and stops none of the others.
 * @param begin done once the user is held, before the first
 * @throws AppError PLAN_REQUIRED, VALIDATION for none or too many
 */
export async function eachAlert<T>(
  em: EntityManager,
  viewer: { id: number },
  given: readonly T[],
  change: (tx: EntityManager, one: T) => Promise<Alert>,
  begin?: (tx: EntityManager) => Promise<unknown>,
): Promise<AlertOutcome[]> {
  if (given.length === 0 || given.length > MAX_ALERTS_A_CALL) {
    const message = `Send 1 to ${MAX_ALERTS_A_CALL} alerts.`;
    throw new AppError('VALIDATION', message, { fields: { alerts: message } });
  }
  return em.transactional(async (tx) => {
    requireApiAccess(await lockPlanUse(tx, viewer.id));
    await begin?.(tx);
    const outcomes: AlertOutcome[] = [];
    for (const [index, one] of given.entries()) {
      try {
        // A transaction within one is a savepoint.
        outcomes.push({ index, alert: await change(tx, one), error: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, message, fields, needsUpgrade } = error;
        outcomes.push({ index, alert: null, error: { code, message, fields, needsUpgrade } });
      }
    }
    return outcomes;
  });
}
