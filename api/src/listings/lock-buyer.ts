import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';

/**
 * Locks the account of a buyer until the transaction ends. Calls of one user come one after another, so that limits hold, and
 * whoever erases the account waits, and then finds what was written.
 * @throws AppError UNAUTHENTICATED when the account is gone
 */
export async function lockBuyer(client: Queryable, userId: number): Promise<void> {
  const { rows } = await client.query('/* lock-buyer */ select id from users where id = $1 for no key update', [
    userId,
  ]);
  if (rows.length === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}
