import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testMail } from '../../test/mail/test-mail.ts';
import { folderOfTest } from '../../test/set-up.ts';
import { makeOutboxMailer, type OutboxGuard, outboxFile } from './outbox-mail.ts';
import { purgeOutbox } from './purge-outbox.ts';

const NOW = new Date('2026-11-24T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const line = (id: string, days: number) =>
  `${JSON.stringify({ id, text: 'Łódź 🚗', sentAt: daysAgo(days).toISOString() })}\n`;
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const alone: OutboxGuard = (work) => work(() => true);
const purge = (guard = alone) => purgeOutbox(path, daysAgo(30), guard);
const idsIn = () =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text).id);

let folder: string;
let path: string;
beforeEach(() => {
  folder = folderOfTest();
  path = outboxFile(folder);
});

it('deletes messages older than 30 days, and unreadable lines before them', async () => {
  writeFileSync(path, `${line('a', 40)}no line\n${line('b', 31)}${line('c', 29)}${line('d', 0)}{"id":"half`);
  expect(await purge()).toBe(3);
  expect(readFileSync(path, 'utf8')).toBe(`${line('c', 29)}${line('d', 0)}{"id":"half`);
  expect([statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['outbox.ndjson']]);
  expect(await purge()).toBe(0);
});

it('does nothing without an outbox, and leaves an empty one when all messages are old', async () => {
  expect(await purge()).toBe(0);
  writeFileSync(path, line('a', 40));
  expect(await purge()).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('lets a mailer with the open file continue in the new one, without duplicates', async () => {
  writeFileSync(path, line(id(1), 40));
  const mailer = await makeOutboxMailer(path);
  await mailer.send(testMail(id(2)));
  await purge();
  expect(await mailer.wasSent(id(2))).toBe(true);
  await mailer.send(testMail(id(2)));
  await mailer.send(testMail(id(3)));
  expect(idsIn()).toEqual([id(2), id(3)]);
  rmSync(path);
  await mailer.send(testMail(id(4)));
  await mailer.close();
  expect(idsIn()).toEqual([id(4)]);
});

it('removes files of a crashed purge', async () => {
  writeFileSync(path, line('a', 40) + line('c', 1));
  writeFileSync(`${path}.new-${id(9)}`, line('left by a crash', 0));
  expect(await purge()).toBe(1);
  expect([idsIn(), readdirSync(folder)]).toEqual([['c'], ['outbox.ndjson']]);
});

it('gives up when it continues after another purge, which has removed its file', async () => {
  writeFileSync(path, line('a', 40) + line('b', 31) + line('c', 1));
  let isFirst = true;
  const late = purgeOutbox(path, daysAgo(35), async (work) => {
    await work(() => {
      if (!isFirst) return true;
      isFirst = false;
      // While it was stopped, another process has purged the file and removed the unfinished one.
      for (const name of readdirSync(folder)) if (name !== 'outbox.ndjson') rmSync(join(folder, name));
      writeFileSync(path, line('c', 1) + line('d', 0));
      return true;
    });
  });
  await expect(late).rejects.toThrow('ENOENT');
  expect([idsIn(), readdirSync(folder)]).toEqual([['c', 'd'], ['outbox.ndjson']]);
});

it('does not change the file when the lock is lost', async () => {
  writeFileSync(path, line('a', 40) + line('b', 1));
  await expect(purge((work) => work(() => false))).rejects.toThrow('lock of the outbox');
  expect([idsIn(), readdirSync(folder)]).toEqual([['a', 'b'], ['outbox.ndjson']]);
});
