import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { Alert } from '../entities/alert.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { canSeeAlert } from '../policies/owned-records.ts';

/**
 * Holds those of the viewer's alerts, in one order: an edit holds pairs too, for which a search waits, and so must not
 * wait for its next alert meanwhile.
 */
export async function lockOwnAlerts(em: EntityManager, viewer: { id: number }, ids: readonly number[]): Promise<void> {
  // Not as entities: what is refused would leave its changes in them.
  await sqlOf(em).query('select id from alerts where id = any($1::int8[]) and user_id = $2 order by id for update', [
    ids,
    viewer.id,
  ]);
}

/**
 * The viewer's alert, its row held until the transaction ends and read as it is now.
 * @throws AppError NOT_FOUND when it is missing or another's
 */
export async function lockOwnAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<Alert> {
  const alert = await em.findOne(Alert, { id: alertId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!alert || !canSeeAlert(viewer, alert)) throw new AppError('NOT_FOUND', 'Alert not found');
  return alert;
}
