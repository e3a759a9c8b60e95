import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePool, type Pool, statementTimeouts } from '../src/base/database.ts';
import { freePort } from '../src/base/free-port.ts';
import { seedPlans } from '../src/billing/plans.ts';
import { makeMigratingOrm } from '../src/entities/migrating-orm.ts';
import type { Orm } from '../src/entities/orm.ts';
import { durableSettings, startEmbeddedPostgres, usableMemory } from '../src/launcher/postgres/embedded-postgres.ts';
import { followChosenLayout, followLayout } from '../src/placement/follow-layout.ts';
import type { Layout } from '../src/placement/layout.ts';
import { prepareLayout } from '../src/placement/prepare-layout.ts';
import {
  type ClusterDatabase,
  databaseOf,
  dropOnCluster,
  makeOnCluster,
  onServer,
  type Reach,
} from './cluster-database.ts';

export interface ThrowAway extends AsyncDisposable {
  url: string;
  pool: Pool;
  orm: Orm;
  /** A folder in which the server can read files. */
  folder: string;
  /** Those of the database `postgres` of all servers, that of the coordinator last. */
  serverUrls: readonly string[];
}

interface ThrowAwayOptions {
  /** Fills the migrated database without durability and WAL, before the durable server starts. */
  fill?: (db: Pick<ThrowAway, 'pool' | 'folder'>) => Promise<void>;
  /** On a cluster, as of `makeOnCluster`. */
  reach?: Reach;
}

/** The memory of the durable server. */
const serverSettings = () =>
  durableSettings(usableMemory()).filter((setting) => /^(shared_buffers|work_mem|jit)=/.test(setting));
const withoutWal = ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=16GB', 'checkpoint_timeout=1h'];
const HOUR_MS = 3_600_000;

async function fillDatabase(dir: string, folder: string, fill: NonNullable<ThrowAwayOptions['fill']>): Promise<void> {
  const options = { dir, port: await freePort(), durable: false };
  const server = await startEmbeddedPostgres({ ...options, extraOptions: [...serverSettings(), ...withoutWal] });
  await migrate(server.url);
  const pool = makePool(server.url, 4, 'lotwatch-bench-load', HOUR_MS);
  await seedPlans(pool);
  await fill({ pool, folder });
  await pool.query('checkpoint');
  await pool.end();
  await server.stop();
  // Without fsync, the files of the database are still on their way to the disk.
  execFileSync('sync');
}

const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-bench-'));
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return { folder, remove };
};

async function connect(
  { url, serverUrls }: ClusterDatabase,
  folder: string,
  drop: () => Promise<void>,
): Promise<ThrowAway> {
  const pool = makePool(url, 20, 'lotwatch-bench');
  await followLayout(pool);
  const orm = await makeMigratingOrm(url, 10, statementTimeouts.request, { onPoolCreated: followChosenLayout });
  await seedPlans(pool);
  return {
    url,
    pool,
    orm,
    folder,
    serverUrls,
    async [Symbol.asyncDispose]() {
      await orm.close(true);
      await pool.end();
      await drop();
    },
  };
}

async function migrate(url: string): Promise<void> {
  const orm = await makeMigratingOrm(url);
  await orm.migrator.up();
  await orm.close(true);
}

interface OnCluster {
  /** Of each table; else as many as the coordinator's setting says. */
  shards?: number;
  reach?: Reach;
}

/**
 * Makes a migrated database on servers that run already.
 * @param url a database of the server, or of the coordinator of a cluster
 * @param layout plain makes it on that server alone, where it needs no extension
 */
export async function makeThrowAwayOn(
  url: string,
  layout: Layout,
  { shards, reach }: OnCluster = {},
): Promise<ThrowAway> {
  const { folder, remove } = makeFolder();
  const name = `throw_away_${randomBytes(6).toString('hex')}`;
  const made =
    layout === 'citus'
      ? await makeOnCluster(url, name, reach)
      : { url: databaseOf(url, name), serverUrls: [databaseOf(url, 'postgres')] };
  if (layout === 'plain') await onServer(made.serverUrls[0] ?? url, (query) => query(`create database ${name}`));
  await migrate(made.url);
  if (shards) {
    const setting = `alter database ${name} set citus.shard_count = ${shards}`;
    await onServer(made.url, (query) => query(setting));
  }
  const pool = makePool(made.url, 2);
  await prepareLayout(pool, layout);
  await pool.end();
  return connect(made, folder, async () => {
    await dropOnCluster(made, [name]);
    remove();
  });
}

/**
 * Starts a durable, migrated PostgreSQL with the settings of the product and the plans in it. Where CITUS_URL is the address of
 * a coordinator, it is a database on that cluster, which is as durable as its settings say.
 */
export async function startThrowAway({ fill, reach }: ThrowAwayOptions = {}): Promise<ThrowAway> {
  const { CITUS_URL } = process.env;
  if (CITUS_URL) {
    const db = await makeThrowAwayOn(CITUS_URL, 'citus', { ...(reach && { reach }) });
    await fill?.(db);
    return db;
  }
  const { folder, remove } = makeFolder();
  const dir = join(folder, 'postgres');
  if (fill) await fillDatabase(dir, folder, fill);
  const server = await startEmbeddedPostgres({ dir, port: await freePort() });
  if (!fill) await migrate(server.url);
  return connect({ url: server.url, serverUrls: [server.url] }, folder, async () => {
    await server.stop();
    remove();
  });
}
