import type { EntityManager } from '@mikro-orm/postgresql';
import { expiryFrom, isExpired } from '../domain/expiry.ts';
import type { Alert } from '../entities/alert.ts';
import { writeAlertCells } from './alert-cells.ts';
import { databaseNow } from './database-now.ts';
import { lockOwnAlert } from './own-alert.ts';
import { lockPlanUse, refuseWithoutRoom } from './plan-room.ts';
import { wakeMatching } from './wake-matching.ts';

/**
 * Gives the alert 42 days from now. An expired one watches again; one that was switched off stays off.
 * @throws AppError NOT_FOUND, PLAN_LIMIT
 */
export async function renewAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<Alert> {
  return em.transactional(async (tx) => {
    const use = await lockPlanUse(tx, viewer.id);
    const alert = await lockOwnAlert(tx, viewer, alertId);
    const now = await databaseNow(tx);
    const hadExpired = isExpired(alert.expiresAt, now);
    if (hadExpired) refuseWithoutRoom(use);
    extendAlert(alert, now);
    if (hadExpired) wake(alert, now);
    await tx.flush();
    if (alert.isActive) await writeAlertCells(tx, alert);
    if (hadExpired) await wakeMatching(tx);
    return alert;
  });
}

/** Six weeks from now, with a reminder of their own. */
export function extendAlert(alert: Alert, now: Date): void {
  alert.expiresAt = expiryFrom(now);
  alert.remindedAt = null;
}

/** What came while the alert did not watch is looked back for. */
export function wake(alert: Alert, now: Date): void {
  alert.isActive = true;
  alert.pausedByPlanAt = null;
  requestLookBack(alert, now);
}

/** Marks the alert for matching, which compares it with the listings there already are. */
export function requestLookBack(alert: Alert, now: Date): void {
  alert.pendingMatch = true;
  alert.backfillRequestedAt = now;
}
