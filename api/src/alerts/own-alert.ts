import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { Alert } from '../entities/alert.ts';
import { canSeeAlert } from '../policies/alert.ts';

/**
 * The viewer's alert, its row held until the transaction ends and read as it is now.
 * @throws AppError NOT_FOUND when it is missing or another's
 */
export async function lockOwnAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<Alert> {
  const alert = await em.findOne(Alert, { id: alertId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!alert || !canSeeAlert(viewer, alert)) throw new AppError('NOT_FOUND', 'Alert not found');
  return alert;
}
