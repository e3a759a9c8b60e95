import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePool, type Pool } from '../src/base/database.ts';
import { freePort } from '../src/base/free-port.ts';
import { seedPlans } from '../src/billing/plans.ts';
import { makeMigratingOrm } from '../src/entities/migrating-orm.ts';
import type { Orm } from '../src/entities/orm.ts';
import { durableSettings, startEmbeddedPostgres, usableMemory } from '../src/launcher/postgres/embedded-postgres.ts';

export interface ThrowAway extends AsyncDisposable {
  url: string;
  pool: Pool;
  orm: Orm;
  /** A folder in which the server can read files. */
  folder: string;
}

interface ThrowAwayOptions {
  /** Fills the migrated database without durability and WAL, before the durable server starts. */
  fill?: (db: Pick<ThrowAway, 'pool' | 'folder'>) => Promise<void>;
}

/** The memory of the durable server. */
const serverSettings = () =>
  durableSettings(usableMemory()).filter((setting) => /^(shared_buffers|work_mem|jit)=/.test(setting));
const withoutWal = ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=16GB', 'checkpoint_timeout=1h'];
const HOUR_MS = 3_600_000;

async function fillDatabase(dir: string, folder: string, fill: NonNullable<ThrowAwayOptions['fill']>): Promise<void> {
  const options = { dir, port: await freePort(), durable: false };
  const server = await startEmbeddedPostgres({ ...options, extraOptions: [...serverSettings(), ...withoutWal] });
  const orm = await makeMigratingOrm(server.url);
  await orm.migrator.up();
  await orm.close(true);
  const pool = makePool(server.url, 4, 'lotwatch-bench-load', HOUR_MS);
  await seedPlans(pool);
  await fill({ pool, folder });
  await pool.query('checkpoint');
  await pool.end();
  await server.stop();
  // Without fsync, the files of the database are still on their way to the disk.
  execFileSync('sync');
}

/** Starts a durable, migrated PostgreSQL with the settings of the product and the plans in it. */
export async function startThrowAway({ fill }: ThrowAwayOptions = {}): Promise<ThrowAway> {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-bench-'));
  chmodSync(folder, 0o755);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const dir = join(folder, 'postgres');
  if (fill) await fillDatabase(dir, folder, fill);
  const server = await startEmbeddedPostgres({ dir, port: await freePort() });
  const orm = await makeMigratingOrm(server.url);
  if (!fill) await orm.migrator.up();
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
