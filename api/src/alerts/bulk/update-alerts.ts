import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { judgingBudget } from '../../entities/shared/judge-pairs.ts';
import type { AlertPatch } from '../alert-input.ts';
import type { AlertDeps } from '../create-alert.ts';
import { lockOwnAlerts } from '../own-alert.ts';
import { updateAlert } from '../update-alert.ts';
import { type AlertOutcome, eachAlert } from './each-alert.ts';

/** An alert and what changes in it. `id` is null for what can't be one. */
export interface AlertChange extends AlertPatch {
  id: number | null;
}

/**
 * Changes up to 100 alerts in one call, as `updateAlert` does each.
 * @throws AppError PLAN_REQUIRED, VALIDATION for none or too many
 */
export async function updateAlerts(
  em: EntityManager,
  deps: AlertDeps,
  viewer: { id: number },
  changes: readonly AlertChange[],
): Promise<AlertOutcome[]> {
  const numbered = changes.map((change, at) => ({ change, at }));
  // Rows are locked in one order, whoever asks.
  const inOrder = numbered.toSorted((a, b) => (a.change.id ?? 0) - (b.change.id ?? 0));
  const ids = inOrder.flatMap(({ change: { id } }) => (id === null ? [] : [id]));
  const budget = judgingBudget();
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
