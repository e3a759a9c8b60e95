import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';

/**
 * Marks as read what was sent or failed until a time, which a later call never moves back.
 * @param upTo a time in the future counts as now
 */
export async function markNotificationsRead(em: EntityManager, { id }: { id: number }, upTo: Date): Promise<User> {
  await sqlOf(em).query(
    `update users set notifications_read_at = least($2::timestamptz, now())
      where id = $1 and notifications_read_at < least($2::timestamptz, now())`,
    [id, upTo],
  );
  const user = await em.findOne(User, { id }, { refresh: true });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return user;
}
