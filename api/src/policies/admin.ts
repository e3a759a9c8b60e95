import { AppError } from '../base/errors.ts';

/** The admin is user 1; it can't be deleted, and nobody else becomes it. */
export const ADMIN_ID = 1;

export const isAdmin = (user: { id: number }): boolean => user.id === ADMIN_ID;

/**
 * Sources, quarantine, deletion requests, and listings without a match of one's own are the admin's alone, signed in:
 * a key of the admin's is an ordinary user's.
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
