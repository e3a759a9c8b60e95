import { expect, it } from 'vitest';
import { OnlineMigration } from '../../migrations/online-migration.ts';
import { setUpDatabase } from '../database.ts';

const db = setUpDatabase(() =>
  db.pool.query(
    `create table filled (id int8, value int8) partition by range (id);
     create table filled_1 partition of filled for values from (1) to (100);
     create table filled_2 partition of filled for values from (100) to (200);
     insert into filled (id) values (1), (100)`,
  ),
);

class Fill extends OnlineMigration {
  override up(): void {
    this.fill('filled', 'value', "(select t.id where 'a' like '%a')");
  }
}

/** Fills the column while another transaction holds the first partition, changes it, and commits when it is waited for. */
async function fillBeside(change: string): Promise<void> {
  const migration = new Fill(db.orm.em.getDriver(), db.orm.config);
  migration.up();
  const [holder, filling] = [await db.pool.connect(), await db.pool.connect()];
  try {
    await holder.query(`begin; ${change}`);
    await filling.query('set lock_timeout = 50');
    const filled = filling.query(String(migration.getQueries()[0]));
    const givesWay = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(() => db.row(givesWay)).toBeDefined();
    await holder.query('commit');
    await filled;
  } finally {
    holder.release();
    filling.release(true);
  }
}

it('a partition that gets another name while its rows are filled is filled, and one that is dropped is left', async () => {
  await fillBeside('alter table filled_1 rename to filled_renamed');
  expect(await db.rows('select id, value from filled order by id')).toEqual([
    { id: 1, value: 1 },
    { id: 100, value: 100 },
  ]);
  await db.pool.query('update filled set value = null');
  await fillBeside('drop table filled_renamed');
  expect(await db.rows('select id, value from filled')).toEqual([{ id: 100, value: 100 }]);
});
