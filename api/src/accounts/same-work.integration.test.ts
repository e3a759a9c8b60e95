import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { seedPlans } from '../billing/plans.ts';
import { logIn } from './log-in.ts';
import { hashPassword } from './passwords.ts';
import { signUp } from './sign-up.ts';

// It is there before the first connection, as a pool of a cluster keeps what it then finds.
const sent = vi.spyOn(pg.Client.prototype, 'query');
afterAll(() => sent.mockRestore());

const db = setUpDatabase(async () => {
  await seedPlans(db.pool);
  await db.pool.query(
    `insert into users (username, email, email_confirmed_at, password_hash)
     values ('admin', null, null, ''), ('ana', 'ana@example.test', now(), $1)`,
    [await hashPassword('secret-1')],
  );
});

/** Counts the statements that the work sends. */
async function statementsOf(work: (em: EntityManager) => Promise<unknown>): Promise<number> {
  const before = sent.mock.calls.length;
  await work(db.orm.em.fork()).catch(() => {});
  return sent.mock.calls.length - before;
}

it('a failed login sends the same number of statements for a known name as for an unknown one', async () => {
  const of = (username: string) => statementsOf((em) => logIn(em, username, 'wrong-password'));
  // The first statement also opens a connection.
  await of('zoe');
  expect([await of('ana'), await of('bob')]).toEqual([1, 1]);
});

it('a registration sends the same number of statements with a taken address, and takes the minimum duration without a mail', async () => {
  const of = (username: string, email: string, confirmEmail = true) =>
    statementsOf((em) => signUp(em, { confirmEmail }, { username, email, password: 'a-good-password' }));
  // The first transaction also checks the connection.
  await of('bert', 'bert@example.test');
  const taken = await of('carl', 'ana@example.test');
  expect(taken).toBeGreaterThan(3);
  expect(await of('dora', 'dora@example.test')).toBe(taken);
  const from = performance.now();
  await of('emil', 'emil@example.test', false);
  expect(performance.now() - from).toBeGreaterThanOrEqual(99);
});
