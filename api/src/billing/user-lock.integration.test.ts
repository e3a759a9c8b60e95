import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { makePool, type Pool } from '../base/database.ts';
import { makeUserLock, UserLeaseLost, type WithUserLock } from './user-lock.ts';

let pools: [Pool, Pool];
let here: WithUserLock;
let elsewhere: WithUserLock;
const db = setUpDatabase(async () => {
  pools = [makePool(db.url, 1), makePool(db.url, 1)];
  [here, elsewhere] = [makeUserLock(pools[0]), makeUserLock(pools[1])];
  await db.pool.query('create table written (who text)');
});
afterEach(() => db.pool.query('truncate written, billing_leases'));
afterAll(async () => {
  for (const pool of pools) await pool.end();
});

const written = async () => (await db.rows('select who from written order by who')).map(({ who }) => who);
const write = (who: string) => `insert into written values ('${who}')`;
const leases = async () => (await db.pool.query('select 1 from billing_leases')).rowCount;
/** Lets the lease expire, as if its holder had been stopped. */
const expire = () => db.pool.query("update billing_leases set until = now() - interval '1 s'");

it('run one after another for a user, across processes, each over one connection', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(2);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? here : elsewhere)(7, work)));
  expect(most).toBe(1);
  expect(await leases()).toBe(0);
});

it('run concurrently for several users, and fail independently', async () => {
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  const waiting = here(1, () => blocked);
  expect(await elsewhere(2, async () => 'done')).toBe('done');
  await expect(here(2, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await here(2, async () => 'again')).toBe('again');
  unblock();
  await waiting;
});

it('hold no connection while they wait for the lock or for Stripe', async () => {
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  const first = here(1, () => blocked);
  await expect.poll(leases).toBe(1);
  const waiting = elsewhere(1, async () => 'waited');
  expect(await elsewhere(2, async (lease) => (await lease.query('select 1 as one')).rows)).toEqual([{ one: 1 }]);
  expect(await here(3, async (lease) => (await lease.query('select 1 as one')).rows)).toEqual([{ one: 1 }]);
  unblock();
  await first;
  expect(await waiting).toBe('waited');
});

it('take the lock over from a stopped holder, who can then neither write nor release it', async () => {
  const next = Promise.withResolvers<void>();
  const late = here(9, async (lease) => {
    await expire();
    const began = Promise.withResolvers<void>();
    const other = elsewhere(9, async (theirs) => {
      await theirs.transaction((client) => client.query(write('the next')));
      began.resolve();
      await next.promise;
      await theirs.query(write('the next, later'));
    });
    await began.promise;
    await expect(lease.query(write('late'))).rejects.toThrow(UserLeaseLost);
    await expect(lease.transaction((client) => client.query(write('late')))).rejects.toThrow(UserLeaseLost);
    return () => other;
  });
  const other = await late;
  next.resolve();
  await other();
  expect(await written()).toEqual(['the next', 'the next, later']);
  expect(await here(9, async () => 'free')).toBe('free');
});

it('can’t take the lock over between the check and the commit of a statement', async () => {
  let taken: Promise<unknown> = Promise.resolve();
  await here(4, (lease) =>
    lease.transaction(async (client) => {
      await client.query(write('a'));
      taken = expire().then(() => elsewhere(4, (theirs) => theirs.query(write('b'))));
      await expect.poll(() => db.lockWaits()).toBe(1);
      expect(await written()).toEqual([]);
    }),
  );
  await taken;
  expect(await written()).toEqual(['a', 'b']);
});

it('may take longer than a lease, which is renewed', async () => {
  const withUserLock = makeUserLock(pools[0], { leaseMs: 1_000, waitMs: 30_000 });
  const long = withUserLock(5, async (lease) => {
    await sleep(2_500);
    await lease.query(write('long'));
  });
  await expect.poll(leases).toBe(1);
  await elsewhere(5, (lease) => lease.query(write('next')));
  expect(await written()).toEqual(['long', 'next']);
  await long;
});

it('time out when the lock is held for too long', async () => {
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  const first = here(6, () => blocked);
  await expect.poll(leases).toBe(1);
  const impatient = makeUserLock(pools[1], { leaseMs: 10_000, waitMs: 100 });
  const unavailable = { code: 'UNAVAILABLE', retryAfterSeconds: 2 };
  await expect(impatient(6, async () => {})).rejects.toMatchObject(unavailable);
  const mine = impatient(8, () => blocked);
  await expect(impatient(8, async () => {})).rejects.toMatchObject(unavailable);
  unblock();
  await Promise.all([first, mine]);
});

it('of a stopped process are refused after it resumes, when another process has the lock', async () => {
  const path = fileURLToPath(new URL('../../test/payments/user-lock-child.ts', import.meta.url));
  const child = fork(path, [db.url, '12', '600'], { execArgv: ['--import', 'tsx'] });
  try {
    expect(await once(child, 'message')).toContain('inside');
    child.kill('SIGSTOP');
    await elsewhere(12, (lease) => lease.query(write('the next')));
    const message = once(child, 'message');
    child.send('go');
    child.kill('SIGCONT');
    expect(await message).toContain('UserLeaseLost');
    expect(await written()).toEqual(['the next']);
  } finally {
    child.kill('SIGKILL');
  }
});
