import { AppError } from '../base/errors.ts';
import { canAdministrate } from './admin.ts';

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
