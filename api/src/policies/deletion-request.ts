import { type DeletionStatus, decisionsFrom, isOpenRequest } from '../domain/deletion-request.ts';
import { canAdministrate, isAdmin } from './admin.ts';

/** Only pending requests are decided, once. */
export function canDecide(viewer: { id: number }, request: { status: DeletionStatus }, to: DeletionStatus): boolean {
  return canAdministrate(viewer) && decisionsFrom(request.status).includes(to);
}

/** Notes of an open request may be changed without deciding anything. */
export function canChangeNotes(viewer: { id: number }, request: { status: DeletionStatus }): boolean {
  return canAdministrate(viewer) && isOpenRequest(request.status);
}

/** The admin erases accounts, but never the admin's. */
export function canErase(viewer: { id: number }, user: { id: number }): boolean {
  return canAdministrate(viewer) && !isAdmin(user);
}
