import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { expiryFrom, isExpired } from '../domain/expiry.ts';
import { Alert } from '../entities/alert.ts';
import { databaseNow, lockOwnAlert, wakeMatching, writeAlertCells } from './alert-row.ts';
import { lockPlanUsage, requirePlanCapacity } from './plan-usage.ts';

/** No transaction that renews takes longer. */
const MAX_RENEWAL_MS = 60_000;

/**
 * Extends the alert to 42 days from now. An expired alert becomes active; one that was switched off stays off.
 * @throws AppError NOT_FOUND, PLAN_LIMIT
 */
export async function renewAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<Alert> {
  return em.transactional(async (tx) => {
    const use = await lockPlanUsage(tx, viewer.id);
    const alert = await lockOwnAlert(tx, viewer, alertId);
    const now = await databaseNow(tx);
    const hadExpired = isExpired(alert.expiresAt, now);
    // Until this commits, searches may find that it has ended.
    const maySeemExpired = isExpired(alert.expiresAt, new Date(now.getTime() + MAX_RENEWAL_MS));
    if (hadExpired) requirePlanCapacity(use);
    extendAlert(alert, now);
    if (hadExpired) reactivateAlert(alert, now);
    else if (alert.isActive && maySeemExpired) requestBackfill(alert, now);
    await tx.flush();
    if (alert.isActive) await writeAlertCells(tx, alert);
    if (alert.isActive && maySeemExpired) await wakeMatching(tx);
    return alert;
  });
}

/** Extends the alert to six weeks from now, with a new reminder before their end. */
export function extendAlert(alert: Alert, now: Date): void {
  alert.expiresAt = expiryFrom(now);
  alert.remindedAt = null;
}

/** Makes the alert active, and requests a search for the listings that came while it was not. */
export function reactivateAlert(alert: Alert, now: Date): void {
  alert.isActive = true;
  alert.pausedByPlanAt = null;
  requestBackfill(alert, now);
}

/** Marks the alert for a search of the listings that exist already. */
export function requestBackfill(alert: Alert, now: Date): void {
  alert.pendingMatch = true;
  alert.backfillRequestedAt = now;
}

/**
 * Makes the alerts active that a smaller plan paused, oldest first, as many as the plan allows; expired ones are renewed.
 * @returns the alerts that are active again
 * @throws AppError PLAN_LIMIT when the plan allows none of them
 */
export async function resumeAlerts(em: EntityManager, viewer: { id: number }): Promise<Alert[]> {
  return em.transactional(async (tx) => {
    const use = await lockPlanUsage(tx, viewer.id);
    const paused = await tx.find(
      Alert,
      { userId: viewer.id, pausedByPlanAt: { $ne: null } },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (paused.length > 0) requirePlanCapacity(use);
    const now = await databaseNow(tx);
    const oldest = paused.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
    const resumed = oldest.slice(0, use.alertLimit - use.used);
    for (const alert of resumed) {
      if (isExpired(alert.expiresAt, now)) extendAlert(alert, now);
      reactivateAlert(alert, now);
    }
    await tx.flush();
    for (const alert of resumed) await writeAlertCells(tx, alert);
    if (resumed.length > 0) await wakeMatching(tx);
    return resumed;
  });
}
