import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../entities/sql-of.ts';
import { removeAlertCells } from './alert-cells.ts';
import { lockOwnAlert } from './own-alert.ts';

/**
 * Removes the alert with its cells, its matches and what waits to be sent. What was sent stays on record.
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
