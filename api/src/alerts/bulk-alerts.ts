import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import type { Alert } from '../entities/alert.ts';
import { reevaluationBudget } from '../matching/reevaluate-pairs.ts';
import { requireApiAccess } from '../policies/owned-records.ts';
import type { AlertInput, AlertPatch } from './alert-input.ts';
import { lockOwnAlerts } from './alert-row.ts';
import { type AlertDeps, createAlert } from './create-alert.ts';
import { lockPlanUsage } from './plan-usage.ts';
import { updateAlert } from './update-alert.ts';

export const MAX_ALERTS_A_CALL = 100;

/** The result for one alert of a call; either `alert` or `error` is set. */
export interface AlertOutcome {
  /** The position in the call, from 0. */
  index: number;
  alert: Alert | null;
  error: Refusal | null;
}

/** A copy of the error's fields, since graphql throws any Error that a resolver returns. */
type Refusal = Pick<AppError, 'code' | 'message' | 'fields' | 'needsUpgrade'>;

/**
 * Changes many alerts in one transaction, under the lock on their user. A refused change is rolled back by itself and
 * does not affect the others.
 * @param begin runs once, after the user is locked
 * @throws AppError PLAN_REQUIRED, VALIDATION for none or too many
 */
async function eachAlert<T>(
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
    requireApiAccess(await lockPlanUsage(tx, viewer.id));
    await begin?.(tx);
    const outcomes: AlertOutcome[] = [];
    for (const [index, one] of given.entries()) {
      try {
        // A nested transaction is a savepoint.
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

/**
 * Creates up to 100 alerts in the given order; those above the plan's limit are refused one by one.
 * @throws AppError PLAN_REQUIRED, VALIDATION for none or too many
 */
export function createAlerts(
  em: EntityManager,
  deps: AlertDeps,
  viewer: { id: number },
  inputs: readonly AlertInput[],
): Promise<AlertOutcome[]> {
  return eachAlert(em, viewer, inputs, (tx, input) => createAlert(tx, deps, viewer, input));
}

/** The change of one alert. `id` is null for a text that can't be an id. */
type AlertChange = AlertPatch & { id: number | null };

/**
 * Changes up to 100 alerts, each as `updateAlert` does.
 * @throws AppError PLAN_REQUIRED, VALIDATION for none or too many
 */
export async function updateAlerts(
  em: EntityManager,
  deps: AlertDeps,
  viewer: { id: number },
  changes: readonly AlertChange[],
): Promise<AlertOutcome[]> {
  const numbered = changes.map((change, at) => ({ change, at }));
  // All calls lock the rows in the same order.
  const inOrder = numbered.toSorted((a, b) => (a.change.id ?? 0) - (b.change.id ?? 0));
  const ids = inOrder.flatMap(({ change: { id } }) => (id === null ? [] : [id]));
  const budget = reevaluationBudget();
  const outcomes = await eachAlert(
    em,
    viewer,
    inOrder,
    (tx, { change: { id, ...patch } }) => {
      if (id === null) throw new AppError('NOT_FOUND', 'Alert not found');
      return updateAlert(tx, deps, viewer, id, patch, budget);
    },
    (tx) => lockOwnAlerts(tx, viewer, ids),
  );
  return outcomes
    .map((outcome) => ({ ...outcome, index: inOrder[outcome.index]?.at ?? outcome.index }))
    .toSorted((a, b) => a.index - b.index);
}
