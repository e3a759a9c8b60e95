import type { EntityManager } from '@mikro-orm/postgresql';
import { canUpgrade, hasRoomForAlert, MAX_ALERTS_PER_USER } from '../domain/plan-list.ts';
import { readPlanUse } from './plan-room.ts';

export interface AlertRoom {
  canCreateAlert: boolean;
  needsUpgrade: boolean;
  alertsUsed: number;
  alertLimit: number;
  alertsToResume: number;
}

/** Whether the viewer could create an alert now; the create itself decides under a lock. */
export async function canCreateAlert(em: EntityManager, viewer: { id: number }): Promise<AlertRoom> {
  const { planId, alertLimit, used, total, toResume } = await readPlanUse(em, viewer.id);
  const hasRoom = hasRoomForAlert(used, alertLimit);
  return {
    canCreateAlert: hasRoom && total < MAX_ALERTS_PER_USER,
    needsUpgrade: !hasRoom && canUpgrade(planId),
    alertsUsed: used,
    alertLimit,
    alertsToResume: toResume,
  };
}
