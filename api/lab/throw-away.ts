import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePool, type Pool } from '../src/base/database.ts';
import { freePort } from '../src/base/free-port.ts';
import { seedPlans } from '../src/billing/plans.ts';
import { makeMigratingOrm } from '../src/entities/migrating-orm.ts';
import type { Orm } from '../src/entities/orm.ts';
import { startEmbeddedPostgres } from '../src/launcher/postgres/embedded-postgres.ts';

export interface ThrowAway extends AsyncDisposable {
  url: string;
  pool: Pool;
  orm: Orm;
  /** A folder in which the server can read files. */
  folder: string;
}

/** Starts a durable, migrated PostgreSQL with the settings of the product and the plans in it. */
export async function startThrowAway(): Promise<ThrowAway> {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-bench-'));
  chmodSync(folder, 0o755);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port: await freePort() });
  const orm = await makeMigratingOrm(server.url);
  await orm.migrator.up();
  const pool = makePool(server.url, 20, 'lotwatch-bench');
  await seedPlans(pool);
  return {
    url: server.url,
    pool,
    orm,
    folder,
    async [Symbol.asyncDispose]() {
      await orm.close(true);
      await pool.end();
      await server.stop();
      removeFolder();
    },
  };
}
