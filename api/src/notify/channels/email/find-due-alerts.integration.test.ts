import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { insertDueMatch, insertPlan } from '../../../../test/mail/mail-fixtures.ts';
import { findDueAlerts } from './claim-mails.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
  await insertPlan(db.pool);
  await db.pool.query(
    `insert into plans select n, 'Paid', description, n, alert_limit, is_popular, features
       from plans, generate_series(2, 4) n where id = 1`,
  );
});
afterAll(() => db.close());

it('serves paid plans first, but lets nobody wait behind them for more than a minute', async () => {
  const dueFor = async (planId: number, seconds: number) => {
    const { alertId } = await insertDueMatch(db.pool, {}, { plan_id: planId });
    const text = "update notifications set due_at = now() - $2 * interval '1 s' where alert_id = $1";
    await db.pool.query(text, [alertId, seconds]);
    return alertId;
  };
  const free = [await dueFor(1, 90), await dueFor(1, 50), await dueFor(1, 5)];
  const paid = [await dueFor(2, 1), await dueFor(4, 20)];
  expect(await findDueAlerts(db.pool)).toEqual([free[0], paid[1], paid[0], free[1], free[2]]);
});
