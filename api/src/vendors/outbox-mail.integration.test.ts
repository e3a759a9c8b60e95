import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { locks, underLock } from '../base/under-lock.ts';

const MAILS = 600;
let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await makeTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'lotwatch-outbox-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await db.close();
});

const start = (path: string): ChildProcess =>
  fork(fileURLToPath(new URL('../../test/mail/outbox-child.ts', import.meta.url)), [db.url, path, String(MAILS)], {
    execArgv: ['--import', 'tsx'],
  });

it('takes each mail once from workers that all send it, one of which is killed', async () => {
  const path = join(folder, 'outbox.ndjson');
  const [one, two, killed] = [start(path), start(path), start(path)];
  killed.on('message', (from: number) => {
    if (from >= 100) killed.kill('SIGKILL');
  });
  const ends = await Promise.all([one, two, killed].map((child) => once(child, 'exit')));
  expect(ends.map(([code]) => code)).toEqual([0, 0, null]);
  const ids = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(MAILS);
  expect(ids).toHaveLength(MAILS);
});

it('mends what a killed worker left while others go on', async () => {
  const path = join(folder, 'torn.ndjson');
  const child = start(path);
  const end = once(child, 'exit');
  await once(child, 'message');
  await underLock(db.pool, locks.outbox, async () => appendFileSync(path, '{"id":"torn","channel":"ema'));
  expect((await end)[0]).toBe(0);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(lines).toHaveLength(MAILS);
});
