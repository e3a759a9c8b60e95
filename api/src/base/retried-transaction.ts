import { type Client, type CommitWith, inTransaction, limitIdleTime, type Pool, SHORT_IDLE_MS } from './database.ts';
import { isConflict } from './database-fault.ts';

const TRIES = 4;

/** Another writer came first; thrown inside a retried transaction, it restarts the transaction. Its code is the SQLSTATE of a serialization failure. */
export class ConcurrentWrite extends Error {
  readonly code = '40001';
}

/**
 * Runs a transaction, and restarts it up to three times after a conflict with another one. The server ends it soon
 * when its process stops in the middle, since readers of matches by cursor wait for it.
 */
export async function inRetriedTransaction<T>(
  pool: Pool,
  work: (client: Client, commitWith: CommitWith) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work, `${begin}; ${limitIdleTime(SHORT_IDLE_MS)}`);
    } catch (error) {
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
  }
}
