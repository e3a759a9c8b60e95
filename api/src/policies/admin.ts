import { AppError } from '../base/errors.ts';
import { type DeletionStatus, decisionsFrom, isOpenRequest } from '../domain/deletion-request.ts';

/** The admin is user 1, who can't be deleted; no other user can become admin. */
export const ADMIN_ID = 1;

export const isAdmin = (user: { id: number }): boolean => user.id === ADMIN_ID;

/**
 * Only the admin may manage sources, quarantine and deletion requests, and see listings without a match. An API key of
 * the admin has only an ordinary user's access.
 */
export function canAdministrate(viewer: { id: number; key?: object | null | undefined }): boolean {
  return isAdmin(viewer) && !viewer.key;
}

/** @throws AppError UNAUTHENTICATED for a visitor */
export function requireViewer<V extends { id: number }>({ viewer }: { viewer: V | null }): V {
  if (!viewer) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return viewer;
}

/** @throws AppError UNAUTHENTICATED for a visitor, FORBIDDEN for anyone but the admin */
export function requireAdmin<V extends { id: number }>(caller: { viewer: V | null }): V {
  const viewer = requireViewer(caller);
  if (!canAdministrate(viewer)) throw new AppError('FORBIDDEN', 'Access Denied');
  return viewer;
}

/** A request is decided once, while it is pending. */
export function canDecide(viewer: { id: number }, request: { status: DeletionStatus }, to: DeletionStatus): boolean {
  return canAdministrate(viewer) && decisionsFrom(request.status).includes(to);
}

/** The notes of an open request may be changed without deciding it. */
export function canChangeNotes(viewer: { id: number }, request: { status: DeletionStatus }): boolean {
  return canAdministrate(viewer) && isOpenRequest(request.status);
}

/** The admin may erase every account except the admin's. */
export function canErase(viewer: { id: number }, user: { id: number }): boolean {
  return canAdministrate(viewer) && !isAdmin(user);
}
