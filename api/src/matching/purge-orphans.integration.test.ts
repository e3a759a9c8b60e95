import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { onServerOf } from '../../test/everywhere.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { untilDone } from '../../test/until-done.ts';
import { inTransaction } from '../base/database.ts';
import { matchPendingListings } from './match-listings.ts';
import { deleteRowsOfAlert, purgeOrphans } from './purge-orphans.ts';

const all = [purgeOrphans('alert_cells'), purgeOrphans('matches'), purgeOrphans('notifications')];
let userId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(() =>
  db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications restart identity'),
);

const alertsOf = async (table: string) =>
  (await db.rows(`select distinct alert_id as id from ${table} order by 1`)).map(({ id }) => id);
const cellsOf = async (id: number) =>
  (await db.pool.query('select from alert_cells where alert_id = $1', [id])).rowCount ?? 0;

async function matchedAlerts(count: number): Promise<number[]> {
  const ids = await insertAlerts(
    db.pool,
    userId,
    Array.from({ length: count }, () => camryAlert),
  );
  await insertListings(db.pool, [camry]);
  while ((await matchPendingListings(db.pool)) > 0);
  return ids;
}

it('deletes the rows of a deleted alert, and no others', async () => {
  const [alertId = 0, ...others] = await matchedAlerts(3);
  const cells = await cellsOf(alertId);
  await db.pool.query('delete from alerts where id = $1', [alertId]);
  await db.pool.query('delete from alert_cells where alert_id = $1', [alertId]);
  // Written by a search during the deletion.
  await db.pool.query(
    `insert into alert_cells
     select (jsonb_populate_record(c, jsonb_build_object('alert_id', $1::int8))).* from alert_cells c where alert_id = $2`,
    [alertId, others[0]],
  );
  expect(await cellsOf(alertId)).toBe(cells);
  expect((await untilDone(db.pool, all)).removed).toBe(2 + cells);
  expect((await untilDone(db.pool, all)).removed).toBe(0);
  for (const table of ['matches', 'notifications', 'alert_cells']) expect(await alertsOf(table)).toEqual(others);
  expect(cells).toBeGreaterThan(0);
});

it('keeps the sent notifications of a deleted alert', async () => {
  const [alertId] = await matchedAlerts(1);
  await db.pool.query("update notifications set status = 'sent'");
  await db.pool.query('delete from alerts');
  await untilDone(db.pool, all);
  expect(await alertsOf('notifications')).toEqual([alertId]);
  expect(await alertsOf('matches')).toEqual([]);
});

it.each(['matches', 'notifications'] as const)(
  'walks %s by few alerts a batch, and takes several batches for one that left many rows',
  async (table) => {
    const ids = await matchedAlerts(12);
    const gone = ids.filter((_, n) => n % 4 === 1);
    await db.pool.query('delete from alerts where id = any($1)', [gone]);
    const rows = {
      matches: `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
              select 1000 + n, $1, 1, 1, 0, false from generate_series(1, 31) n`,
      notifications: `insert into notifications (user_id, alert_id, listing_id, due_at)
                    select 1, $1, 1000 + n, now() from generate_series(1, 31) n`,
    }[table];
    await db.pool.query(rows, [gone[0]]);
    const { removed, batches } = await untilDone(db.pool, purgeOrphans(table), 10);
    expect(removed).toBe(31 + gone.length);
    // Two alerts a batch: the twelve, the end, and the batches for one alert's 32 rows.
    expect(batches).toBeGreaterThanOrEqual(9);
    expect(batches).toBeLessThanOrEqual(11);
    expect(await alertsOf(table)).toEqual(ids.filter((id) => !gone.includes(id)));
  },
);

it.each(['alert_cells', 'matches', 'notifications'] as const)(
  'asks a partition of %s only where the id of an alert is missing, and behind the last one',
  async (table) => {
    const ids = await matchedAlerts(30);
    for (const id of [ids[7] ?? 0, ids[20] ?? 0, ids[21] ?? 0]) {
      await db.pool.query('delete from alerts where id = $1', [id]);
      await deleteRowsOfAlert(db.pool, { id, userId });
    }
    const scans = await inTransaction(db.pool, async (client) => {
      // What the connection did before is counted too, as long as the server has not collected it.
      const scansOf = async () => {
        const [row] = await onServerOf<{ scans: number }>(
          client,
          userId,
          `select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0)::int4 as scans from pg_stat_xact_user_tables
            where relid = '${table}'::regclass or relid in (select relid from pg_partition_tree('${table}'::regclass))`,
        );
        return row?.scans ?? 0;
      };
      const before = await scansOf();
      expect(await purgeOrphans(table)(client)).toEqual({ after: null, removed: 0 });
      return (await scansOf()) - before;
    });
    expect(scans).toBe(3);
  },
);
