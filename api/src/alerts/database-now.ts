import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../entities/sql-of.ts';

/** Expiry is decided by the database's clock, the same that searches use. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const { rows } = await sqlOf(em).query<{ now: Date }>('select now() as now');
  return rows[0]?.now ?? new Date(Number.NaN);
}
