import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { seedPlans } from '../billing/seed-plans.ts';
import { logIn } from './log-in.ts';
import { hashPassword } from './passwords.ts';
import { signUp } from './sign-up.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
  await seedPlans(db.pool);
  await db.pool.query(
    `insert into users (username, email, email_confirmed_at, password_hash)
     values ('admin', null, null, ''), ('ana', 'ana@example.test', now(), $1)`,
    [await hashPassword('secret-1')],
  );
});
afterAll(() => db.close());

/** How many statements it sends. */
async function statementsOf(work: (em: EntityManager) => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work(db.orm.em.fork()).catch(() => {});
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}

it('a login that fails asks the database the same of a name that is there as of any other', async () => {
  const of = (username: string) => statementsOf((em) => logIn(em, username, 'wrong-password'));
  // The first one of all also opens a connection.
  await of('zoe');
  expect([await of('ana'), await of('bob')]).toEqual([1, 1]);
});

it('a registration asks the same with an address of another account, and takes its time where it has no mail', async () => {
  const of = (username: string, email: string, confirmEmail = true) =>
    statementsOf((em) => signUp(em, { confirmEmail }, { username, email, password: 'a-good-password' }));
  // The first transaction of all also looks whether the database is there.
  await of('bert', 'bert@example.test');
  const taken = await of('carl', 'ana@example.test');
  expect(taken).toBeGreaterThan(3);
  expect(await of('dora', 'dora@example.test')).toBe(taken);
  const from = performance.now();
  await of('emil', 'emil@example.test', false);
  expect(performance.now() - from).toBeGreaterThanOrEqual(99);
});
