import type { EntityManager } from '@mikro-orm/postgresql';

/** Expiry is decided by the database's clock, the same that searches use. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const [row] = await em.execute<{ now: string | Date }[]>('select now() as now');
  return new Date(row?.now ?? Number.NaN);
}
