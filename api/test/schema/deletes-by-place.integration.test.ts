/** @module-tag plain */
// The version before never meets a cluster, where no table has partitions.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../database.ts';
import { splitPartitions } from '../split-partitions.ts';

const db = setUpDatabase();
const tables = ['matches', 'notifications'] as const;
/** The first listing of the second partition. */
const SECOND = 1_000;
const [DELETED, OTHER] = [1, 2];

/** As the clean-up of the version before the partitions deletes what a deleted alert left. */
const deleteAsBefore = (table: string) =>
  db.pool.query(
    `delete from ${table} where ctid = any(array(
         select ctid from ${table} where alert_id = any($1::int8[]) limit $2 for update skip locked))`,
    [[DELETED], 5_000],
  );

async function alertsOf(table: string): Promise<number[]> {
  const rows = await db.rows(`select alert_id as id from ${table} order by 1`);
  return rows.map(({ id }) => id);
}

/** One row of each alert, each the first one of its partition where there are two. */
async function insertRows(): Promise<void> {
  const values = [DELETED, OTHER, SECOND];
  await db.pool.query('truncate matches, notifications');
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     values (1, $1, 1, 1, 1, true, 1), ($3, $2, 1, 1, 1, true, 2)`,
    values,
  );
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at)
     values (1, $1::int8, 1, now()), (1, $2::int8, $3::int8, now())`,
    values,
  );
}

describe('a worker of the version before partitions', () => {
  beforeEach(insertRows);

  it.each(tables)('deletes what a deleted alert left in %s while there is one', async (table) => {
    await deleteAsBefore(table);
    expect(await alertsOf(table)).toEqual([OTHER]);
  });
});

describe('a worker of the version before, where there are two partitions', () => {
  beforeAll(async () => {
    await db.pool.query('truncate matches, notifications');
    await splitPartitions(db.pool, SECOND);
  });
  beforeEach(insertRows);

  it.each(tables)('deletes no rows of other alerts from %s', async (table) => {
    await expect(deleteAsBefore(table)).rejects.toMatchObject({ code: '55000' });
    expect(await alertsOf(table)).toEqual([DELETED, OTHER]);
    await db.pool.query(`delete from ${table} where alert_id = $1`, [DELETED]);
    expect(await alertsOf(table)).toEqual([OTHER]);
  });
});
