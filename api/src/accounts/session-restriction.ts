import { SessionRestriction } from '../domain/session-restriction.ts';
import type { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';

/**
 * What the admin has to do before anything else; null for everybody else, and where it is not enforced.
 * @param enforced in production: elsewhere the pages only remind of it
 */
export function restrictionOf(
  user: Pick<User, 'id' | 'mustChangePassword'>,
  enforced: boolean,
): SessionRestriction | null {
  if (!enforced || !isAdmin(user)) return null;
  return user.mustChangePassword ? SessionRestriction.password : null;
}
