import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { seedPlans } from './plans.ts';

const db = setUpDatabase();

const plans = () => db.rows('select id, name, price::float8, alert_limit from plans order by id');

const theFour = [
  { id: 1, name: 'Free', price: 0, alert_limit: 1 },
  { id: 2, name: 'Starter', price: 4.99, alert_limit: 5 },
  { id: 3, name: 'Pro', price: 14.99, alert_limit: 20 },
  { id: 4, name: 'Elite', price: 69.99, alert_limit: 100 },
];

it('inserts the four plans once, also in concurrent starts', async () => {
  await Promise.all(Array.from({ length: 12 }, () => seedPlans(db.pool)));
  expect(await plans()).toEqual(theFour);
});

it('corrects them at the next start', async () => {
  await db.pool.query("update plans set price = 1, name = 'Wrong' where id = 3");
  await seedPlans(db.pool);
  expect(await plans()).toEqual(theFour);
});

it('writes nothing where they are as they have to be', async () => {
  const versions = () => db.rows('select id, xmin::text from plans order by id');
  const before = await versions();
  await seedPlans(db.pool);
  expect(await versions()).toEqual(before);
});
