import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../base/errors.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import { Alert } from '../entities/alert.ts';
import { writeAlertCells } from './alert-cells.ts';
import { type AlertInput, readAlertFields } from './alert-input.ts';
import { resolvePlace } from './alert-place.ts';
import { lockPlanUse, refuseTexts, refuseTooMany, refuseWithoutRoom } from './plan-room.ts';
import { wakeMatching } from './wake-matching.ts';

export interface AlertDeps {
  gazetteer: Gazetteer;
  now: Date;
  /** Whether texts can be sent from here at all. */
  hasTexts: boolean;
}

/**
 * Makes an alert that watches from its commit on and looks back once the worker has searched for it.
 * @throws AppError VALIDATION with `fields`, PLAN_REQUIRED, PLAN_LIMIT, CONFLICT, NOT_CONFIGURED
 */
export async function createAlert(
  em: EntityManager,
  { gazetteer, now, hasTexts }: AlertDeps,
  viewer: { id: number },
  input: AlertInput,
): Promise<Alert> {
  const { fields, faults } = readAlertFields(input, null, now);
  const place = resolvePlace(gazetteer, fields, faults);
  refuseInvalid(faults);
  return em.transactional(async (tx) => {
    const use = await lockPlanUse(tx, viewer.id);
    if (fields.textNotifications) refuseTexts(use, hasTexts);
    refuseTooMany(use);
    refuseWithoutRoom(use);
    const alert = tx.create(Alert, {
      userId: viewer.id,
      ...fields,
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
