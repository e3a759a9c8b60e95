import type { Pool } from '../src/base/database.ts';

/** Gives matches and notifications, which have one partition, a second one of the listings from this id on. */
export async function splitPartitions(pool: Pool, from: number): Promise<void> {
  for (const table of ['matches', 'notifications'])
    await pool.query(
      `alter table ${table} detach partition ${table}_1;
       alter table ${table} attach partition ${table}_1 for values from (minvalue) to (${from});
       create table ${table}_2 partition of ${table} for values from (${from}) to (maxvalue)`,
    );
}
