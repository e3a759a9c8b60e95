import type { Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';

/**
 * Keeps the caller's session until the transaction ends. It may have ended since the request was read, and what is done
 * now would let whoever had it in again.
 * @throws AppError UNAUTHENTICATED where it has ended
 */
export async function holdSession(db: Queryable, sessionId: string | null): Promise<void> {
  const { rows } = await db.query('select 1 from session where sid = $1 and expire > now() for update', [sessionId]);
  if (rows.length === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}
