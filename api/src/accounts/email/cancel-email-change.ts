import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { User } from '../../entities/user.ts';

/** Takes a change back that has not taken effect: the link in its mail then confirms nothing. Nothing pending: no change. */
export async function cancelEmailChange(em: EntityManager, userId: number): Promise<User> {
  await sqlOf(em).query('update users set pending_email = null where id = $1', [userId]);
  const user = await em.findOne(User, { id: userId }, { refresh: true });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return user;
}
