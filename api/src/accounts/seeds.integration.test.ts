import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { logIn } from './log-in.ts';
import { seedAdmin } from './seed-admin.ts';
import { seedPlans } from './seed-plans.ts';
import { signUp } from './sign-up.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

it('makes the plans, and mends them at the next start', async () => {
  await seedPlans(db.pool);
  await db.pool.query("update plans set price = 1, name = 'Wrong' where id = 3");
  await seedPlans(db.pool);
  const { rows } = await db.pool.query('select id, name, price::float8, alert_limit from plans order by id');
  expect(rows).toEqual([
    { id: 1, name: 'Free', price: 0, alert_limit: 1 },
    { id: 2, name: 'Starter', price: 4.99, alert_limit: 5 },
    { id: 3, name: 'Pro', price: 14.99, alert_limit: 20 },
    { id: 4, name: 'Elite', price: 69.99, alert_limit: 100 },
  ]);
});

it('makes the admin once, as user 1, and tells the password only then', async () => {
  const [one, two] = await Promise.all([seedAdmin(db.pool, undefined), seedAdmin(db.pool, undefined)]);
  const password = one ?? two ?? '';
  expect([one, two].filter((told) => told !== null)).toHaveLength(1);
  expect(password.length).toBeGreaterThanOrEqual(16);
  expect(await seedAdmin(db.pool, 'another-password')).toBeNull();
  expect((await logIn(db.orm.em.fork(), 'Admin', password)).id).toBe(1);
  const input = { username: 'first', password: 'secret-1', phone: '1' };
  expect((await signUp(db.orm.em.fork(), { confirmEmail: false }, input)).id).toBe(2);
});
