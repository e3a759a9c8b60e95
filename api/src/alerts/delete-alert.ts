import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../entities/sql-of.ts';
import { endLinksOfAlert } from '../listings/shared-links.ts';
import { deleteRowsOfAlert } from '../matching/purge-orphans.ts';
import { lockOwnAlert } from './alert-row.ts';

/**
 * Deletes the alert with its cells, its matches, its waiting notifications and the links to it. Sent notifications stay, and
 * whose the alert was, since they name only the alert.
 * @throws AppError NOT_FOUND
 */
export async function deleteAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<number> {
  return em.transactional(async (tx) => {
    const alert = await lockOwnAlert(tx, viewer, alertId);
    await endLinksOfAlert(sqlOf(tx), alert);
    await deleteRowsOfAlert(sqlOf(tx), alert);
    const key = [alert.id, alert.userId];
    await sqlOf(tx).query('delete from alert_throttles where alert_id = $1 and user_id = $2', key);
    await sqlOf(tx).query('insert into former_alerts (alert_id, user_id) values ($1, $2) on conflict do nothing', key);
    tx.remove(alert);
    await tx.flush();
    return alertId;
  });
}
