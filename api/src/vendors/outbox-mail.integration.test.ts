import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { testMail } from '../../test/mail/test-mail.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { locks, withAdvisoryLock } from '../base/advisory-lock.ts';
import { makeOutboxMailer } from './outbox-mail.ts';

const MAILS = 600;
const folder = setUpFolder();
const db = setUpDatabase();

const run = (child: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(`../../test/mail/${child}.ts`, import.meta.url)), [db.url, ...args], {
    execArgv: ['--import', 'tsx'],
  });
const start = (path: string): ChildProcess => run('outbox-child', path, String(MAILS));

it('writes each mail once when several workers send it, one of which is killed', async () => {
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

it('repairs the line of a killed worker while others continue', async () => {
  const path = join(folder, 'torn.ndjson');
  const child = start(path);
  const end = once(child, 'exit');
  await once(child, 'message');
  await withAdvisoryLock(db.pool, locks.outbox, async () => appendFileSync(path, '{"id":"torn","channel":"ema'));
  expect((await end)[0]).toBe(0);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(lines).toHaveLength(MAILS);
});

it('writes a mail once when a worker is stopped before its write, and another sends it meanwhile', async () => {
  const path = join(folder, 'stopped.ndjson');
  const child = run('stopped-child', path, '2000');
  const mailer = await makeOutboxMailer(path, (work) => withAdvisoryLock(db.pool, locks.outbox, work));
  try {
    expect(await once(child, 'message')).toContain('stopping');
    const from = performance.now();
    await mailer.send(testMail('00000000-0000-4000-8000-000000000001'));
    expect(performance.now() - from).toBeLessThan(10_000);
    const outcome = once(child, 'message');
    child.kill('SIGCONT');
    expect(await outcome).toContain('sent');
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  } finally {
    child.kill('SIGKILL');
    await mailer.close();
  }
});

it('writes nothing when the lock may be lost, and tries again', async () => {
  const path = join(folder, 'lost.ndjson');
  let tries = 0;
  const mailer = await makeOutboxMailer(path, (work) => work(() => true));
  await mailer.close();
  const losing = await makeOutboxMailer(path, (work) => work(() => ++tries > 2));
  await losing.send(testMail('00000000-0000-4000-8000-000000000002'));
  expect(tries).toBe(3);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  await losing.close();
  const never = await makeOutboxMailer(path, (work) => work(() => false));
  await expect(never.send(testMail('00000000-0000-4000-8000-000000000003'))).rejects.toThrow('lock of the outbox');
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  await never.close();
});
