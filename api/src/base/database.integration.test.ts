import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { makeDoor } from '../../test/door.ts';
import { untilReachable } from './database.ts';
import { silentLog } from './log.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

it('waits for a server that is not there yet', async () => {
  const door = await makeDoor(db.url);
  let there = false;
  const waiting = untilReachable(door.url, silentLog).then(() => {
    there = true;
  });
  await new Promise((settle) => setTimeout(settle, 600));
  expect(there).toBe(false);
  await door.open();
  await waiting;
  await door.shut();
});

it('waits while a server takes nobody in', async () => {
  const name = new URL(db.url).pathname.slice(1);
  const limit = (most: number) => db.pool.query(`alter database ${name} connection limit ${most}`);
  await db.pool.query("create role passer login password 'passer'");
  const url = new URL(db.url);
  url.username = 'passer';
  url.password = 'passer';
  await limit(0);
  const waiting = untilReachable(url.href, silentLog);
  const first = await Promise.race([waiting.then(() => 'there'), new Promise((settle) => setTimeout(settle, 600))]);
  expect(first).toBeUndefined();
  await limit(-1);
  await waiting;
  await db.pool.query('drop role passer');
});

it('does not wait for what is refused for good, nor for ever', async () => {
  await expect(untilReachable(db.url.replace(/[^/]+$/, 'nowhere'), silentLog)).rejects.toThrow(/nowhere/);
  const door = await makeDoor(db.url);
  await expect(untilReachable(door.url, silentLog, 300)).rejects.toThrow(/ECONNREFUSED/);
});

it('does not let a stopped process hold its locks for ever', async () => {
  const { rows } = await db.pool.query('show idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
});
