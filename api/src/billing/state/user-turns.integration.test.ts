import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makePool, type Pool } from '../../base/database.ts';
import { inTurn, makeUserTurns, type UserTurns } from './user-turns.ts';

let db: TestDatabase;
let pools: Pool[];
let here: UserTurns;
let elsewhere: UserTurns;
beforeAll(async () => {
  db = await makeTestDatabase();
  pools = [makePool(db.url, 2), makePool(db.url, 2)];
  [here, elsewhere] = pools.map(makeUserTurns) as [UserTurns, UserTurns];
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await db.close();
});

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));

it('are one after another for a user, in this process and others, with few connections', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await pause(2);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? here : elsewhere)(7, work)));
  expect(most).toBe(1);
});

it('of several users are at once, and a failure is its own', async () => {
  let open: () => void = () => {};
  const gate = new Promise<void>((settle) => {
    open = settle;
  });
  const waiting = here(1, () => gate);
  expect(await elsewhere(2, async () => 'done')).toBe('done');
  await expect(here(2, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await here(2, async () => 'again')).toBe('again');
  open();
  await waiting;
});

it('end with their connection: whoever has lost the turn can’t write', async () => {
  await db.pool.query('create table written (who text)');
  const lost = here(9, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await db.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await elsewhere(9, async (other) => inTurn(other, () => other.query("insert into written values ('the next')")));
    await inTurn(client, () => client.query("insert into written values ('who was late')"));
  });
  await expect(lost).rejects.toThrow();
  expect((await db.pool.query('select who from written')).rows).toEqual([{ who: 'the next' }]);
  expect(await here(9, async () => 'free')).toBe('free');
});
