import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../base/channels.ts';
import { sqlOf } from '../entities/sql-of.ts';

/** Notifies the worker, when the transaction commits, that alerts wait to be matched. */
export async function wakeMatching(em: EntityManager): Promise<void> {
  await sqlOf(em).query(`select pg_notify('${channels.work}', 'backfill')`);
}
