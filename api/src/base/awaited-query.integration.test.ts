import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { makeTcpProxy } from '../../test/tcp-proxy.ts';
import { makeWhileAwaited } from './awaited-query.ts';
import { type Client, makePool, type Pool } from './database.ts';

const db = setUpDatabase();

function poolOf(max: number, url = db.url): Pool {
  const pool = makePool(url, max, 'awaited');
  onTestFinished(() => pool.end());
  return pool;
}

const sleeping = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'awaited' and query like 'select pg_sleep%' and state = 'active'`;
const sleepLong = (client: Client) => client.query('select pg_sleep(100)');

async function untilSleeping(expected: number): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await db.pool.query(sleeping)).rowCount === expected) return;
    await sleep(20);
  }
  throw new Error(`never did ${expected} statements sleep`);
}

it('the server ends all statements whose callers leave, also when they have the whole pool', async () => {
  const pool = poolOf(3);
  const whileAwaited = makeWhileAwaited(pool, 3);
  const leaving = new AbortController();
  const left = Promise.allSettled([1, 2, 3].map(() => whileAwaited(leaving.signal, sleepLong)));
  await untilSleeping(3);
  const others = pool.query('select 1');
  leaving.abort();
  for (const one of await left)
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'canceling statement due to user request' } });
  expect((await others).rowCount).toBe(1);
  const again = await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.1)')));
  expect(again.map(({ rowCount }) => rowCount)).toEqual([1, 1, 1]);
});

it('statements that may be left take only their share of a pool, and those left before their turn never begin', async () => {
  const pool = poolOf(3);
  const whileAwaited = makeWhileAwaited(pool, 2);
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const running = Promise.allSettled([1, 2].map(() => whileAwaited(leaving.signal, sleepLong)));
  let begun = 0;
  const begin = (client: Client) => {
    begun += 1;
    return client.query('select 1');
  };
  const left = expect(whileAwaited(leaving.signal, begin)).rejects.toThrow('gone');
  const stayed = whileAwaited(staying.signal, begin);
  await untilSleeping(2);
  expect((await pool.query('select 1')).rowCount).toBe(1);
  expect(begun).toBe(0);
  leaving.abort(new Error('gone'));
  await left;
  expect((await stayed).rowCount).toBe(1);
  expect(begun).toBe(1);
  await running;
});

it('a connection whose statement could not be ended is not used again', async () => {
  const proxy = await makeTcpProxy(db.url);
  await proxy.open();
  onTestFinished(() => proxy.close());
  const pool = poolOf(1, proxy.url);
  const whileAwaited = makeWhileAwaited(pool, 1);
  const leaving = new AbortController();
  const processOf = async (client: Client | Pool) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const first = await whileAwaited(leaving.signal, processOf);
  // Expected at once: it may fail before the answer to what ends it has come.
  const left = expect(whileAwaited(leaving.signal, sleepLong)).rejects.toThrow('user request');
  await untilSleeping(1);
  proxy.refuse();
  leaving.abort();
  await db.pool.query(`select pg_cancel_backend(pid) from (${sleeping}) as s`);
  await left;
  await proxy.open();
  expect(await processOf(pool)).not.toBe(first);
});
