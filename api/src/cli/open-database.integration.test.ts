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

function runRestored(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const command = ['--import', 'tsx', 'api/src/cli/restored.ts', ...args];
  return spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME, DATABASE_URL: db.url },
  });
}

const settings = (env: Record<string, string> = {}) => readSettings({ DATABASE_URL: db.url, ...env });

it('a command uses the statements for the layout that the database has', async () => {
  chooseForTest('plain');
  const pool = await openPool(db.url, 1, 'lotwatch-test');
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

it('what changes a database on one server alone says so where tables are distributed', async () => {
  const given = settings({ DATABASE_LAYOUT: 'citus' });
  expect(() => requireEmbedded('npm run backup', given)).toThrow('CITUS_COMMAND: npm run backup');
  expect(() => requireEmbedded('npm run backup', settings())).toThrow('embedded PostgreSQL');
  const held = runRestored('hold', '--to', '2026-11-26T17:00:00Z', '--ahead', db.url);
  expect([held.status, held.stderr]).toEqual([1, expect.stringContaining('CITUS_COMMAND: npm run restored -- hold')]);
  expect(await db.rows('select from restores')).toEqual([]);
});

it.skipIf(!onCluster)(
  'messages of a cluster are held and discarded, and its servers give out no id again',
  async () => {
    const numbers = () =>
      db.rows(
        "select result::int8 as last from run_command_on_all_nodes('select last_value from notifications_id_seq') order by nodeid",
      );
    await db.pool.query("select success from run_command_on_all_nodes('select nextval(''notifications_id_seq'')')");
    await db.pool.query(
      "insert into mails (kind, user_id, to_address) select 'contact', n, n || '@example.org' from generate_series(1, 9) n",
    );
    const mails = () => db.rows('select status, count(*)::int4 as mails from mails group by 1 order by 1');
    const before = await numbers();
    expect(runRestored('hold', '--to', '2026-11-26T17:00:00Z')).toMatchObject({ status: 0, stderr: '' });
    expect(await db.row('select held from restores')).toEqual({ held: ['email', 'sms', 'push', 'webhook'] });
    expect((await numbers()).map(({ last }, at) => last - before[at].last)).toEqual(before.map(() => 1_000_000));

    runRestored('discard', '--channel', 'email', '--address', '7@example.org');
    expect(runRestored('list').stdout.match(/\d@/g)).toHaveLength(8);
    expect(await mails()).toEqual([
      { status: 'sent', mails: 1 },
      { status: 'waiting', mails: 8 },
    ]);
    expect(runRestored('discard', '--all').stdout).not.toContain('@');
    expect(await mails()).toEqual([{ status: 'sent', mails: 9 }]);
    expect(runRestored('release')).toMatchObject({ status: 0, stdout: expect.stringContaining('"held":[]') });
  },
);
