import type { EntityManager } from '@mikro-orm/postgresql';
import { SessionRestriction } from '../domain/session-restriction.ts';
import type { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';
import { hasSecondFactor } from './second-factor/prove-code.ts';

/**
 * What the admin has to do before anything else; null for everybody else, and where it is not enforced.
 * @param enforced in production: elsewhere the pages only remind of it
 */
export async function restrictionOf(
  em: EntityManager,
  user: Pick<User, 'id' | 'mustChangePassword'>,
  enforced: boolean,
): Promise<SessionRestriction | null> {
  if (!enforced || !isAdmin(user)) return null;
  if (user.mustChangePassword) return SessionRestriction.password;
  return (await hasSecondFactor(em, user.id)) ? null : SessionRestriction.secondFactor;
}
