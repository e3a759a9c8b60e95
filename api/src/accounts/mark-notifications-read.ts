import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { recordNotificationsRead } from '../entities/user-activity.ts';

/**
 * Marks as read what was sent or failed until a time, which a later call never moves back.
 * @param upTo a time in the future counts as now
 */
export async function markNotificationsRead(em: EntityManager, { id }: { id: number }, upTo: Date): Promise<User> {
  await recordNotificationsRead(sqlOf(em), id, upTo);
  const user = await em.findOne(User, { id }, { refresh: true });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return user;
}
