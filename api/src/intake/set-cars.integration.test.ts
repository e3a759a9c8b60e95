import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { inTransaction } from '../base/database.ts';
import { setCars } from './link-cars.ts';

const db = setUpDatabase();

const insert = `insert into listings (source, external_id, title, make, facts_hash) select 'test', n, '', 'toyota', ''`;

it('updates both listings of a car while one of them changes', async () => {
  // With so many rows the planner chooses the join that can miss a row.
  await db.pool.query(`${insert} from generate_series(1, 30000) n`);
  await db.pool.query('analyze listings');
  const { id: known } = await db.row('select min(id) as id from listings');
  await inTransaction(db.pool, async (client) => {
    const inserted = await client.query<{ id: number }>(`${insert} from (select 'new' as n) one returning id`);
    const fresh = inserted.rows[0]?.id ?? 0;
    const other = await db.pool.connect();
    await other.query('begin');
    await other.query('update listings set price = 5 where id = $1', [known]);
    const setting = setCars(
      client,
      new Map([
        [known, known],
        [fresh, known],
      ]),
    );
    await expect.poll(() => db.lockWaits()).toBe(1);
    await other.query('commit');
    other.release();
    await setting;
    const { rows: cars } = await client.query('select car_id from listings where id in ($1, $2)', [known, fresh]);
    expect(cars).toEqual([{ car_id: known }, { car_id: known }]);
  });
});
