import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { dueSources } from '../sources/claim-source.ts';

const root = new URL('../../..', import.meta.url).pathname;
const db = setUpDatabase(async () => {
  const settings = { url: 'https://lot.example', everySeconds: 300, header: { name: 'x-token', value: 's3cret' } };
  await db.pool.query("insert into sources (name, kind, settings) values ('lot', 'vehicle-feed', $1)", [settings]);
  await db.pool.query("insert into sources (name, kind, next_poll_at) values ('partner', 'push', 'infinity')");
});

function run(args: string) {
  const command = ['--import', 'tsx', 'api/src/cli/sources.ts', ...args.split(' ').filter(Boolean)];
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: db.url };
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', env });
  const lines = stdout.trim().split('\n').filter(Boolean);
  return { status, stdout, stderr, lines: lines.map((line): unknown => JSON.parse(line)) };
}

it('lists sources without their secrets, ends one and resumes it', async () => {
  const listed = run('list');
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  expect(listed.lines).toMatchObject([
    { name: 'lot', kind: 'vehicle-feed', state: 'waiting', endedBy: null, everySeconds: 300 },
    { name: 'partner', kind: 'push', state: 'waiting', endedBy: null, everySeconds: null, nextPollAt: null },
  ]);
  expect(listed.stdout).not.toContain('s3cret');
  expect(run('end lot').lines).toMatchObject([
    { name: 'lot', state: 'stopped', endedBy: 'operator', nextPollAt: null },
  ]);
  expect(await dueSources(db.pool)).toEqual([]);
  expect(run('resume lot').lines).toMatchObject([{ name: 'lot', state: 'waiting', endedBy: null }]);
  expect(await dueSources(db.pool)).toEqual(['lot']);
  const rows = await db.rows('select actor, action, subject, outcome from audit_log order by id');
  const act = { actor: 'command', subject: 'source lot', outcome: 'done' };
  expect(rows).toEqual([
    { ...act, action: 'source.end' },
    { ...act, action: 'source.resume' },
  ]);
});

// Each start of the command takes nearly a second.
describe.each([
  ['end', 'npm run -s sources -- end NAME', []],
  ['resume partner', 'The source partner is pushed to and not polled.', []],
  ['', 'npm run -s sources -- end NAME', ['long']],
  ['list lot', 'npm run -s sources -- list', ['long']],
  ['end lot yard', 'npm run -s sources -- resume NAME', ['long']],
  ['end yard', 'There is no source yard.', ['long']],
])('"%s"', (args, message, tags) => {
  it('reports its error', { tags }, () => {
    const done = run(args);
    expect(done).toMatchObject({ status: 1, lines: [] });
    expect(done.stderr).toContain(message);
  });
});
