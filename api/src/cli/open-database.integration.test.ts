import { spawnSync } from 'node:child_process';
import { afterAll, expect, it, vi } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { chooseForTest } from '../../test/layouts.ts';
import type { Pool } from '../base/database.ts';
import { readSettings } from '../base/settings/settings.ts';
import { isDistributed } from '../placement/layout.ts';
import { openPool, requireEmbedded, withDatabase } from './open-database.ts';

const root = new URL('../../..', import.meta.url).pathname;
/** A database that says of itself that its tables are distributed. On one server it only says so. */
const db = setUpDatabase(async () => {
  if (!onCluster) {
    await db.pool.query("insert into database_layout (layout) values ('citus')");
    await db.pool.query('create table shards_here as select 1::int8 as user_id, 1::int8 as shard_id');
    await db.pool.query("create table pg_dist_shard as select 'shards_here'::regclass as logicalrelid");
  }
  // Copies of a database do not have its settings.
  const name = new URL(db.url).pathname.slice(1);
  for (const [setting, value] of [
    ['citus.max_adaptive_executor_pool_size', '1'],
    ['citus.all_modifications_commutative', 'on'],
    ['citus.node_connection_timeout', '5s'],
    ['max_parallel_workers_per_gather', '0'],
  ])
    await db.pool.query(`alter database ${name} set ${setting} = '${value}'`);
});
afterAll(() => vi.unstubAllEnvs());
const settings = (env: Record<string, string> = {}) => readSettings({ DATABASE_URL: db.url, ...env });

it('a command uses the statements for the layout that the database has', async () => {
  chooseForTest('plain');
  const pool = await openPool(db.url, 1, 'lotwatch-test', settings());
  expect(isDistributed()).toBe(true);
  await pool.end();
});

it('a command may take as long for a statement as it says', async () => {
  chooseForTest('plain');
  vi.stubEnv('DATABASE_URL', db.url);
  const limits: unknown[] = [];
  const read = async (pool: Pool) => {
    limits.push((await pool.query('select current_setting($1) as limit', ['statement_timeout'])).rows[0].limit);
  };
  await withDatabase('lotwatch-test', 'select 1', read);
  await withDatabase('lotwatch-test', 'select 1', read, 3_601_000);
  expect(limits).toEqual(['119s', '1h']);
});

it('a command refuses distributed tables in production, as all processes do', async () => {
  const production = { ...settings(), production: true };
  await expect(openPool(db.url, 1, 'lotwatch-test', production)).rejects.toMatchObject({ code: 'CITUS_UNFINISHED' });
});

it('what changes a database on one server alone says so where tables are distributed', async () => {
  const given = settings({ DATABASE_LAYOUT: 'citus' });
  expect(() => requireEmbedded('npm run backup', given)).toThrow('CITUS_COMMAND: npm run backup');
  expect(() => requireEmbedded('npm run backup', settings())).toThrow('embedded PostgreSQL');
  const { PATH = '', HOME = '' } = process.env;
  const command = ['--import', 'tsx', 'api/src/cli/restored.ts', 'hold', '--to', '2026-11-26T17:00:00Z'];
  const env = { PATH, HOME, DATABASE_URL: db.url };
  const held = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', env });
  expect([held.status, held.stderr]).toEqual([1, expect.stringContaining('CITUS_COMMAND: npm run restored -- hold')]);
  expect(await db.rows('select from restores')).toEqual([]);
});
