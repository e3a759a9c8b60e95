import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isExpired } from '../domain/expiry.ts';
import { Alert } from '../entities/alert.ts';
import { writeAlertCells } from './alert-cells.ts';
import { databaseNow } from './database-now.ts';
import { lockPlanUse, refuseWithoutRoom } from './plan-room.ts';
import { extendAlert, wake } from './renew-alert.ts';
import { wakeMatching } from './wake-matching.ts';

/**
 * Switches the alerts on that a smaller plan had paused, the oldest first, as many as fit; an expired one is renewed.
 * @returns those that watch again; none when none was paused
 * @throws AppError PLAN_LIMIT when there are some and none fits
 */
export async function resumeAlerts(em: EntityManager, viewer: { id: number }): Promise<Alert[]> {
  return em.transactional(async (tx) => {
    const use = await lockPlanUse(tx, viewer.id);
    const paused = await tx.find(
      Alert,
      { userId: viewer.id, pausedByPlanAt: { $ne: null } },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (paused.length > 0) refuseWithoutRoom(use);
    const now = await databaseNow(tx);
    const oldest = paused.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
    const resumed = oldest.slice(0, use.alertLimit - use.used);
    for (const alert of resumed) {
      if (isExpired(alert.expiresAt, now)) extendAlert(alert, now);
      wake(alert, now);
    }
    await tx.flush();
    for (const alert of resumed) await writeAlertCells(tx, alert);
    if (resumed.length > 0) await wakeMatching(tx);
    return resumed;
  });
}
