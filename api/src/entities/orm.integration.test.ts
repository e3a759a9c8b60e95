import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { Alert } from './alert.ts';
import { User } from './user.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
  await db.pool.query(
    "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}')",
  );
});
afterAll(() => db.close());

it('stores a user and an alert and reads them back with numbers as ids', async () => {
  const em = db.orm.em.fork();
  const user = em.create(User, { username: ' Ana ', passwordHash: 'x' });
  await em.flush();
  em.create(Alert, {
    userId: user.id,
    make: 'toyota',
    location: 'la',
    place: 'Los Angeles, CA',
    lat: 34.05,
    lng: -118.24,
    radius: 50,
  });
  await em.flush();
  const alert = await db.orm.em.fork().findOneOrFail(Alert, { userId: user.id });
  expect(alert.id).toBe(1);
  expect(alert.createdAt).toBeInstanceOf(Date);
  expect(alert.expiresAt.getTime() - alert.createdAt.getTime()).toBe(42 * 86_400_000);
  const { rows } = await db.pool.query('select id, username_key from users');
  expect(rows).toEqual([{ id: user.id, username_key: 'ana' }]);
});
