import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../entities/sql-of.ts';
import { lockOwnAlert, removeAlertCells } from './alert-row.ts';

/**
 * Deletes the alert with its cells, its matches and its waiting notifications. Sent notifications stay.
 * @throws AppError NOT_FOUND
 */
export async function deleteAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<number> {
  return em.transactional(async (tx) => {
    const alert = await lockOwnAlert(tx, viewer, alertId);
    await removeAlertCells(tx, alert.id);
    await sqlOf(tx).query(`delete from notifications where alert_id = $1 and status = 'waiting'`, [alert.id]);
    await sqlOf(tx).query('delete from matches where alert_id = $1', [alert.id]);
    tx.remove(alert);
    await tx.flush();
    return alertId;
  });
}
