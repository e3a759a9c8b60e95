import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { makePool } from './database.ts';
import { type Work, workBegins } from './traced.ts';

const db = setUpDatabase();

it('wraps no statement while nobody traces', async () => {
  const pool = makePool(db.url, 1);
  const client = await pool.connect();
  const wrapped = [pool, client].filter((one) => Object.hasOwn(one, 'query'));
  client.release();
  await pool.end();
  expect(wrapped).toEqual([]);
});

describe('while somebody traces', () => {
  const store = new AsyncLocalStorage<unknown>();
  let names: string[];
  beforeEach(() => {
    names = [];
    workBegins.bindStore(store, (work) => names.push((work as Work).name));
  });
  afterEach(() => void workBegins.unbindStore(store));

  it('names each statement of a pool and of a transaction once', async () => {
    const pool = makePool(db.url, 1);
    await pool.query('select from alerts');
    const client = await pool.connect();
    await client.query({ name: 'of-the-test', text: 'select from alerts' });
    client.release();
    await pool.end();
    expect(names.filter((name) => name.includes('alerts') || name.startsWith('of-'))).toEqual([
      'select alerts',
      'of-the-test',
    ]);
  });

  it('a pooler still prepares a statement again whose result has changed', async () => {
    await db.pool.query('create table of_the_plan (one int4)');
    const pool = makePool({ pooler: db.url }, 1);
    const client = await pool.connect();
    const read = () => client.query({ name: 'stale', text: 'select * from of_the_plan' });
    await read();
    await db.pool.query('alter table of_the_plan add column other int4');
    await expect(read()).rejects.toThrow('cached plan must not change result type');
    const { fields } = await read();
    client.release();
    await pool.end();
    expect(fields.map(({ name }) => name)).toEqual(['one', 'other']);
    expect(names).toContain('stale');
  });
});
