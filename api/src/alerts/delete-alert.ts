import type { EntityManager } from '@mikro-orm/postgresql';
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
    await tx.execute(`delete from notifications where alert_id = ? and status = 'waiting'`, [alert.id]);
    await tx.execute('delete from matches where alert_id = ?', [alert.id]);
    tx.remove(alert);
    await tx.flush();
    return alertId;
  });
}
