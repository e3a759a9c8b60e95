import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../base/channels.ts';

/** Tells the worker, when the transaction commits, that alerts wait to be matched. */
export async function wakeMatching(em: EntityManager): Promise<void> {
  await em.execute(`select pg_notify('${channels.work}', 'look-back')`);
}
