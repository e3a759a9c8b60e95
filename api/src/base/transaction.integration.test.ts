import { afterAll, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { inTransaction, makePool, type Pool, pipeline } from './database.ts';

/** It has one connection, so that each transaction meets the state that the last one left. */
let pool: Pool;
const db = setUpDatabase(async () => {
  pool = makePool(db.url, 1);
  await db.pool.query('create table notes (n int4 primary key)');
});
beforeEach(() => db.pool.query('truncate notes'));
afterAll(async () => {
  await pool.end();
});

const write = 'insert into notes values ($1)';
const written = async () => (await db.rows('select n from notes order by n')).map(({ n }) => n);

it('runs all statements of a pipeline in their order, and commits once', async () => {
  const answer = await inTransaction(pool, async (client, commitWith) => {
    const [, , { rows }] = await pipeline(client, () => [
      client.query(write, [1]),
      client.query({ name: 'write-note', text: write, values: [2] }),
      client.query<{ count: number }>('select count(*)::int4 as count from notes'),
    ]);
    await commitWith(() => [client.query({ name: 'write-note', text: write, values: [3] }), undefined]);
    return rows[0]?.count;
  });
  expect(answer).toBe(2);
  expect(await written()).toEqual([1, 2, 3]);
  expect(pool.idleCount).toBe(1);
});

it('rolls back when a statement fails that is sent with the commit, and throws its error', async () => {
  const failing = inTransaction(pool, async (client, commitWith) => {
    await client.query(write, [1]);
    await commitWith(() => [client.query(write, [2]), client.query(write, [1]), client.query(write, [3])]);
  });
  await expect(failing).rejects.toThrow(/notes_pkey/);
  expect(await written()).toEqual([]);
});

it('sends nothing more once a pipeline has thrown', async () => {
  let later = false;
  const failing = inTransaction(pool, async (client) => {
    const dawdle = async () => {
      await client.query('select pg_sleep(0.05)');
      await client.query(write, [1]);
      later = true;
    };
    await pipeline(client, () => [Promise.reject(new Error('not allowed')), dawdle()]);
  });
  await expect(failing).rejects.toThrow('not allowed');
  expect(later).toBe(true);
  expect(await written()).toEqual([]);
  await inTransaction(pool, (client) => client.query(write, [7]));
  expect(await written()).toEqual([7]);
});

it('fails all statements of a pipeline whose connection is closed, and continues with another connection', async () => {
  const failing = inTransaction(pool, async (client, commitWith) => {
    await client.query(write, [1]);
    await commitWith(() => [client.query('select pg_terminate_backend(pg_backend_pid())'), client.query(write, [2])]);
  });
  await expect(failing).rejects.toThrow();
  await inTransaction(pool, (client) => client.query(write, [3]));
  expect(await written()).toEqual([3]);
});

it('throws when the transaction was rolled back by a failed statement, even if its error was caught', async () => {
  const failing = inTransaction(pool, async (client) => {
    await client.query(write, [1]);
    await client.query(write, [1]).catch(() => {});
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await written()).toEqual([]);
});

it('prepares a statement again, on another connection, whose columns a migration has changed', async () => {
  const read = () =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query({ name: 'read-notes', text: 'select * from notes' });
      return rows;
    });
  await read();
  await db.pool.query('alter table notes add text text');
  await expect(read()).rejects.toThrow('cached plan must not change result type');
  expect(await read()).toEqual([]);
});
