import type { Alert } from '../entities/alert.ts';

/** An alert is its owner's alone, to see and to change; to anyone else it doesn't exist. */
export function canSeeAlert(viewer: { id: number }, alert: Pick<Alert, 'userId'>): boolean {
  return alert.userId === viewer.id;
}
