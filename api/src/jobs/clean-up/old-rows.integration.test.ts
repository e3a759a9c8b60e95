import { expect, it } from 'vitest';
import { onCluster } from '../../../test/database.ts';
import { chooseForTest, layouts } from '../../../test/layouts.ts';
import { END, setUpOldPartition } from '../../../test/matching/old-partitions.ts';
import { staysOf } from '../../placement/old-rows.ts';

const DISMISSED = 2_147_483_647;
const { owner, db, insertListings, insertRows, batch, run, partitionsOf, count } = setUpOldPartition();

const tables = ['matches', 'notifications'] as const;
const listingsBelow = async (table: string, below: number) =>
  (await db.rows(`select listing_id as id from ${table} where listing_id < ${below} order by 1`)).map(({ id }) => id);

it.each(layouts)(
  'old matches and notifications leave in steps where their partition has listings that are newer by months, in %s tables',
  async (layout) => {
    chooseForTest(layout);
    const [mine = 0] = owner.alerts;
    // It leaves as a whole when the newest is old. What is a month older than the days may be there in any partition.
    await insertListings(1_400, 1_400, 160);
    await insertListings(1_500, 1_500, 0);
    await insertRows(1_400, 1_400, 160);
    await insertRows(1_500, 1_500, 0);
    await db.pool.query("update listings set status = 'for_sale' where id = 1");
    await db.pool.query('update matches set matched_at = now() where listing_id = 3 and alert_id = $1', [mine]);
    await db.pool.query('insert into saved_listings (user_id, listing_id, saved_at) values ($1, 5, now())', [
      owner.userId,
    ]);
    await db.pool.query("update notifications set status = 'waiting' where listing_id = 7 and alert_id = $1", [mine]);
    await db.pool.query(`update matches set alert_version = ${DISMISSED} where listing_id = 9 and alert_id = $1`, [
      mine,
    ]);
    for (const table of tables) {
      expect(await run(`old-${table}`)).toBe(0);
      const { after, removed } = await batch(`old-rows-of-${table}`, null, 60);
      expect([after, removed > 50 && removed <= 60]).toEqual([expect.stringMatching(/^\d+$/), true]);
      await run(`old-rows-of-${table}`, 300);
    }
    const newer = [1_400, 1_400, 1_500, 1_500];
    expect(await listingsBelow('matches', END)).toEqual([1, 1, 3, 5, 5, 7, 9, ...newer]);
    expect(await listingsBelow('notifications', END)).toEqual([1, 1, 7, ...newer]);
    expect([await count('matches'), await count('notifications')]).toEqual([31, 27]);
    await db.pool.query("update listings set status = 'gone'");
    expect(await run('old-rows-of-matches', 2)).toBe(2);
    expect(await listingsBelow('matches', END)).toEqual([3, 5, 5, 7, 9, ...newer]);
  },
);

it.each(layouts)(
  'an old match that somebody has locked stays, and nobody is waited for, in %s tables',
  async (layout) => {
    chooseForTest(layout);
    const [mine = 0] = owner.alerts;
    await insertListings(1_500, 1_500, 0);
    const other = await db.pool.connect();
    try {
      await other.query('begin');
      await other.query(`update matches set alert_version = ${DISMISSED} where listing_id = 2 and alert_id = $1`, [
        mine,
      ]);
      expect(await run('old-rows-of-matches')).toBe(1_999);
      await other.query('commit');
      expect(await run('old-rows-of-matches')).toBe(0);
      expect(await listingsBelow('matches', END)).toEqual([2]);
    } finally {
      await other.query('rollback');
      other.release();
    }
  },
);

// Where the tables are distributed there is one partition, from which everything old leaves in steps.

/** Of the second partition, which has the ten newest. */
async function makeFiveListingsOld(): Promise<void> {
  await db.pool.query(
    `update listings set seen_at = now() - interval '200 days', last_seen_at = now() - interval '200 days', status = 'gone'
      where id between ${END} and ${END + 4}`,
  );
  await db.pool.query("update matches set matched_at = now() - interval '200 days'");
}

it.skipIf(onCluster)('old matches of any partition leave in steps, but of one that leaves as a whole', async () => {
  await makeFiveListingsOld();
  expect(await run('old-rows-of-matches')).toBe(10);
  expect(await count('matches')).toBe(2_010);
});

it.skipIf(onCluster)('no old matches leave in steps while a partition is leaving', async () => {
  await makeFiveListingsOld();
  await batch('old-matches', null, 60);
  expect(await run('old-rows-of-matches')).toBe(0);
  await run('old-matches', 60);
  expect(await run('old-rows-of-matches')).toBe(10);
  expect(await count('matches')).toBe(10);
});

it.skipIf(onCluster)('what stayed of partitions that have left stays until the next one leaves', async () => {
  await insertListings(1_500, 1_500, 170);
  await run('old-matches', 60);
  expect((await partitionsOf('matches'))[0].part).toBe(`matches_to_${END}`);
  await insertRows(1, 10, 200);
  expect(await run('old-rows-of-matches')).toBe(0);
  expect(await count('matches')).toBe(40);
});

it.each(layouts)(
  'old notifications leave that were written behind a page of newer listings, in %s tables',
  async (layout) => {
    chooseForTest(layout);
    await insertListings(1_500, 1_500, 0);
    await db.pool.query(
      `update notifications set listing_id = 1500 where id <= (select id from notifications order by id offset 9 limit 1)`,
    );
    expect(await run('old-rows-of-notifications', 10)).toBe(1_990);
    expect(new Set(await listingsBelow('notifications', END))).toEqual(new Set([1_500]));
  },
);

it('what stays is the same in all layouts, and where partitions leave', async () => {
  const { source } = await db.row(
    "select string_agg(prosrc, ' ') as source from pg_proc where proname in ('delete_old_rows', 'copy_staying')",
  );
  const plain = (text: string) => text.replaceAll("''", "'").replace(/\s+/g, ' ');
  for (const stays of Object.values(staysOf))
    for (const bounds of [
      ['$5', '$6'],
      ['$2', '$3'],
    ] as const)
      expect(plain(source)).toContain(plain(stays(bounds[0], bounds[1])));
});
