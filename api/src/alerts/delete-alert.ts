import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../entities/sql-of.ts';
import { deleteRowsOfAlert } from '../matching/purge-orphans.ts';
import { lockOwnAlert } from './alert-row.ts';

/**
 * Deletes the alert with its cells, its matches and its waiting notifications. Sent notifications stay.
 * @throws AppError NOT_FOUND
 */
export async function deleteAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<number> {
  return em.transactional(async (tx) => {
    const alert = await lockOwnAlert(tx, viewer, alertId);
    await deleteRowsOfAlert(sqlOf(tx), alert.id);
    tx.remove(alert);
    await tx.flush();
    return alertId;
  });
}
