/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { rejected } from '../domain/facts/listing-facts.ts';
import { storeListings } from '../intake/store-listings.ts';

const root = new URL('../../..', import.meta.url).pathname;
const folder = setUpFolder();
const empty = setUpFolder();
let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
  writeFileSync(join(folder, 'database-url'), `${db.url}\n`);
  const item = (id: string, title: string) =>
    JSON.stringify({ id, marketplace_listing_title: title, listing_price: { amount: '11500', currency: 'USD' } });
  await db.pool.query("insert into sources (name, kind) values ('lot', 'push')");
  await storeListings(
    db.pool,
    'lot',
    [
      rejected('items', '1', 'UNKNOWN_MAKE', 'Not known yet.', item('1', '2017 Ford Escape')),
      rejected('items', '2', 'UNKNOWN_MAKE', 'Not known yet.', item('2', '1988 Yugo GV')),
      rejected('items', '3', 'DUPLICATE_ID', 'Twice.', item('3', '2018 Ford Escape')),
    ],
    { announce: true },
  );
});
afterAll(async () => {
  await db.close();
});

function run(args: string, env: Record<string, string> = { DATA_DIR: folder }) {
  const command = ['--import', 'tsx', 'api/src/cli/quarantine.ts', ...args.split(' ').filter(Boolean)];
  const { PATH = '', HOME = '' } = process.env;
  const done = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', env: { PATH, HOME, ...env } });
  const lines = done.stdout.trim().split('\n').filter(Boolean);
  return { status: done.status, stderr: done.stderr, lines: lines.map((line): unknown => JSON.parse(line)) };
}

it('the command lists, shows and retries quarantined records', async () => {
  const listed = run('list --code unknown_make');
  expect(listed).toMatchObject({ status: 0, lines: [{ code: 'UNKNOWN_MAKE' }, { code: 'UNKNOWN_MAKE' }, {}] });
  expect(listed.lines.at(-1)).toEqual({ listed: 2, total: 2, retryable: 2 });
  const [id] = (await db.rows("select id from quarantine where external_id = '2'")).map((row) => row.id);
  const shown = run(`show ${id}`, { DATABASE_URL: db.url });
  expect(shown).toMatchObject({ status: 0, lines: [{ source: 'lot', code: 'UNKNOWN_MAKE', whole: true }] });
  expect(shown.stderr).toContain('  "marketplace_listing_title": "1988 Yugo GV"');

  expect(run(`retry --source lot --id ${id}`).lines.at(-1)).toMatchObject({ tried: 1, rejected: 1 });
  expect(run('retry').lines).toEqual([
    { tried: 2, accepted: 1, updated: 0, unchanged: 0, newer: 0, rejected: 1, left: 2, notRetryable: 1 },
  ]);
  expect(await db.rows('select external_id, model from listings')).toEqual([{ external_id: '1', model: 'escape' }]);
  const rows = await db.rows('select actor, action, subject, outcome from audit_log order by id');
  expect(rows.map((row) => Object.values(row).join(' | '))).toEqual([
    `command | quarantine.retry | records ${id} of source lot | started`,
    `command | quarantine.retry | records ${id} of source lot | done`,
    'command | quarantine.retry | all records | started',
    'command | quarantine.retry | all records | done',
  ]);
});

// Each start of the command takes nearly a second.
describe.each([
  ['', {}, 'npm run -s quarantine -- list', []],
  ['show 999', {}, 'There is no record 999', ['long']],
  ['list', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'does not answer (ECONNREFUSED)', []],
  ['show', {}, 'npm run -s quarantine -- show ID', ['long']],
  ['retry 5', {}, '--id N', ['long']],
  ['list --first 0', {}, '--first must be a number above 0', ['long']],
  ['list --sauce lot', {}, "Unknown option '--sauce'", ['long']],
  ['list', { DATA_DIR: empty }, `No LotWatch has run on ${empty}`, ['long']],
])('"%s" %j', (args, env, message, tags) => {
  it('reports its error', { tags }, () => {
    const done = run(args, { DATA_DIR: folder, ...env });
    expect(done).toMatchObject({ status: 1, lines: [] });
    expect(done.stderr).toContain(message);
  });
});
