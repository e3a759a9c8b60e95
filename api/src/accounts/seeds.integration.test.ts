import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { logIn } from './log-in.ts';
import { seedAdmin } from './seed-admin.ts';
import { signUp } from './sign-up.ts';

const db = setUpDatabase(async () => {
  await db.pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (1, 'Free', '', 0, 1, false, '{}')`,
  );
});

it('refuses a weak password for the admin in production', async () => {
  for (const weak of ['letmein', 'the-Admin-of-it'])
    await expect(seedAdmin(db.pool, weak, true)).rejects.toThrow(/^ADMIN_PASSWORD: /);
  expect((await db.pool.query('select from users')).rowCount).toBe(0);
});

it('creates the admin once, as user 1, and returns the password only then', async () => {
  const [one, two] = await Promise.all([seedAdmin(db.pool, undefined), seedAdmin(db.pool, undefined)]);
  const password = one ?? two ?? '';
  expect([one, two].filter((password) => password !== null)).toHaveLength(1);
  expect(password.length).toBeGreaterThanOrEqual(16);
  expect(await seedAdmin(db.pool, 'another-password')).toBeNull();
  expect((await logIn(db.orm.em.fork(), 'Admin', password)).id).toBe(1);
  const input = { username: 'first', password: 'secret-1', phone: '1' };
  expect((await signUp(db.orm.em.fork(), { confirmEmail: false }, input)).id).toBe(2);
});
