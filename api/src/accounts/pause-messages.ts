import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { releaseUser } from '../notify/release-waiting.ts';
import { lockAccount } from './email/addresses.ts';

/**
 * Pauses the messages of all alerts, or resumes them. Matches are found as ever meanwhile; at the end each alert sends one
 * summary of what waited.
 * @throws AppError UNAUTHENTICATED when the account is gone
 */
export async function pauseMessages(em: EntityManager, { id }: { id: number }, isPaused: boolean): Promise<User> {
  return em.transactional(async (tx) => {
    const user = (await lockAccount(tx, id)) && (await tx.findOne(User, { id }, { refresh: true }));
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    if ((user.messagesPausedAt != null) === isPaused) return user;
    user.messagesPausedAt = isPaused ? new Date() : null;
    await tx.flush();
    await releaseUser(sqlOf(tx), id);
    return user;
  });
}
