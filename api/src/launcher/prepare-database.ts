import { seedAdmin } from '../accounts/seed-admin.ts';
import { seedPlans } from '../accounts/seed-plans.ts';
import { makePool } from '../base/database.ts';
import { makeOrm } from '../entities/orm.ts';

/** Any number that nothing else in this database locks. */
const PREPARE_LOCK = 4_015_042;

export interface Prepared {
  /** Names of the migrations that ran now. */
  migrations: string[];
  /** The admin's password when the admin was made now. */
  adminPassword: string | null;
}

/** Migrates, and makes plans and admin; processes that start together take turns. */
export async function prepareDatabase(databaseUrl: string, adminPassword: string | undefined): Promise<Prepared> {
  const pool = makePool(databaseUrl, 2, 'lotwatch-prepare');
  try {
    const client = await pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
      const orm = await makeOrm(databaseUrl, 2);
      try {
        const ran = await orm.migrator.up();
        await seedPlans(client);
        return { migrations: ran.map(({ name }) => name), adminPassword: await seedAdmin(client, adminPassword) };
      } finally {
        await orm.close(true);
      }
    } finally {
      // The connection ends here, and the lock with it.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
