import { type Client, endWhenIdle, type Finish, inTransaction, type Pool, SHORT_IDLE_MS } from '../base/database.ts';

const DEADLOCK = '40P01';
const TRIES = 4;

/** Another writer came between: thrown inside a transaction, it begins anew. */
export class Overtaken extends Error {}

/**
 * A transaction that begins anew, a few times, after a deadlock or when it was overtaken. One whose process stops in the
 * middle is soon ended: who reads matches by position waits for it.
 */
export async function inPatientTransaction<T>(
  pool: Pool,
  work: (client: Client, finish: Finish) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work, `${begin}; ${endWhenIdle(SHORT_IDLE_MS)}`);
    } catch (error) {
      const deadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK;
      if (!(deadlock || error instanceof Overtaken) || attempt === TRIES) throw error;
    }
  }
}
