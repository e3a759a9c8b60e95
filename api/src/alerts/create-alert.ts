import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../base/errors.ts';
import type { Gazetteer, Place } from '../domain/places/places.ts';
import type { Faults } from '../domain/validate-form.ts';
import { Alert } from '../entities/alert.ts';
import { type AlertInput, readAlertFields } from './alert-input.ts';
import { lockOwnAlert, removeAlertCells, wakeMatching, writeAlertCells } from './alert-row.ts';
import {
  lockPlanUsage,
  type PlanUsage,
  requireAlertCapacity,
  requirePlanCapacity,
  requireTexts,
} from './plan-usage.ts';
import { readSnooze } from './snooze-alert.ts';

const UNKNOWN_PLACE = "We couldn't find that place. Try a city and state, or a ZIP code.";

/** Resolves the location that was typed, or adds a message to `faults`. */
export function resolvePlace(gazetteer: Gazetteer, { location }: { location: string }, faults: Faults): Place | null {
  if (faults.location) return null;
  const place = gazetteer.resolve(location);
  if (!place) faults.location = UNKNOWN_PLACE;
  return place;
}

export interface AlertDeps {
  gazetteer: Gazetteer;
  now: Date;
  /** Whether text messages are set up. */
  hasTexts: boolean;
}

/**
 * Creates an alert. It gets new listings from the commit on; the worker then searches for older ones.
 * @param pausedId an alert of the viewer's that is switched off in the same transaction, and so leaves its place to the new one
 * @throws AppError VALIDATION with `fields`, NOT_FOUND, PLAN_REQUIRED, PLAN_LIMIT, CONFLICT, NOT_CONFIGURED
 */
export async function createAlert(
  em: EntityManager,
  { gazetteer, now, hasTexts }: AlertDeps,
  viewer: { id: number },
  input: AlertInput,
  pausedId?: number,
): Promise<Alert> {
  const { fields, faults } = readAlertFields(input, null, now);
  const place = resolvePlace(gazetteer, fields, faults);
  const snoozedUntil = await readSnooze(em, input, faults);
  refuseInvalid(faults);
  return em.transactional(async (tx) => {
    const before = await lockPlanUsage(tx, viewer.id);
    const use = pausedId === undefined ? before : await pauseAlert(tx, viewer, pausedId);
    if (fields.textNotifications) requireTexts(use, hasTexts);
    requireAlertCapacity(use);
    requirePlanCapacity(use);
    const alert = tx.create(Alert, {
      userId: viewer.id,
      ...fields,
      snoozedUntil: snoozedUntil ?? null,
      place: place?.label ?? '',
      lat: place?.lat ?? 0,
      lng: place?.lng ?? 0,
    });
    await tx.flush();
    await writeAlertCells(tx, alert);
    await wakeMatching(tx);
    return alert;
  });
}

/** Switches the alert off, as its switch does, while the user's row is locked. @returns what the plan's use is then */
async function pauseAlert(tx: EntityManager, viewer: { id: number }, alertId: number): Promise<PlanUsage> {
  const alert = await lockOwnAlert(tx, viewer, alertId);
  alert.isActive = false;
  await tx.flush();
  await removeAlertCells(tx, alert);
  return lockPlanUsage(tx, viewer.id);
}
