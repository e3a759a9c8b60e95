import type { EntityManager } from '@mikro-orm/postgresql';
import type { AlertInput } from '../alert-input.ts';
import { type AlertDeps, createAlert } from '../create-alert.ts';
import { type AlertOutcome, eachAlert } from './each-alert.ts';

/**
 * Makes up to 100 alerts in one call, in their order; those above the plan's limit are refused one by one.
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
