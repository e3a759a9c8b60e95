import { beforeEach } from 'vitest';
import { inTransaction } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { partitionSteps } from '../../src/jobs/clean-up/partitions.ts';
import { setUpDatabase, type TestDatabase } from '../database.ts';
import { camryAlert, insertAlerts, insertUsers } from './match-rows.ts';

/** The first partition gets an end when its listings end at 1,000, and at the least size. */
export const END = 2_000;

/** What the steps of a database use that keeps rows for 150 days. */
export const partsOf = ({ pool, url }: TestDatabase) => ({
  keptDays: { matches: 150, messages: 150 },
  pool,
  database: url,
  log: silentLog,
});

/** Before each test there is an old partition with 1,000 listings that were last seen 200 days ago, and ten of today behind its end. */
export function setUpOldPartition() {
  const owner = { userId: 0, alerts: [] as number[] };
  const db = setUpDatabase(async () => {
    [owner.userId = 0] = await insertUsers(db.pool);
    owner.alerts = await insertAlerts(db.pool, owner.userId, [camryAlert, camryAlert]);
  });

  async function insertListings(from: number, to: number, daysAgo: number, status = 'gone'): Promise<void> {
    await db.pool.query(
      `insert into listings (id, source, external_id, title, make, facts_hash, status, pending_match, seen_at, last_seen_at)
       overriding system value
       select n, 'lot', n, '', 'toyota', '', $4, false, now() - $3::int4 * interval '1 day', now() - $3::int4 * interval '1 day'
         from generate_series($1::int8, $2::int8) n`,
      [from, to, daysAgo, status],
    );
  }

  async function insertRows(from: number, to: number, daysAgo: number): Promise<void> {
    await db.pool.query(
      `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position, matched_at)
       select n, a, $5, 1, 1, true, n, now() - $3::int4 * interval '1 day' from generate_series($1::int8, $2::int8) n, unnest($4::int8[]) a`,
      [from, to, daysAgo, owner.alerts, owner.userId],
    );
    await db.pool.query(
      `insert into notifications (user_id, alert_id, listing_id, status, due_at, created_at)
       select $5, a, n, 'sent', now(), now() - $3::int4 * interval '1 day' from generate_series($1::int8, $2::int8) n, unnest($4::int8[]) a`,
      [from, to, daysAgo, owner.alerts, owner.userId],
    );
  }

  /** Runs one batch of a step, each on its own connection as after a restart, or all until its end. */
  async function batch(name: string, after: string | null, rows = 60_000) {
    const step = partitionSteps.find((one) => one.name === name);
    if (!step) throw new Error(`no step ${name}`);
    return inTransaction(db.pool, (client) => step.run(client, { after, rows }, partsOf(db)));
  }
  async function run(name: string, rows?: number): Promise<number> {
    let removed = 0;
    let after: string | null = null;
    do {
      const done = await batch(name, after, rows);
      removed += done.removed;
      after = done.after;
    } while (after !== null);
    return removed;
  }

  const partitionsOf = (table: string) =>
    db.rows('select part::text as part, lower_id as "from", upper_id as "to" from listing_partitions($1)', [table]);
  const listingsOf = async (table: string) =>
    (await db.rows(`select distinct listing_id as id from ${table} order by 1`)).map(({ id }) => id);
  const count = async (table: string) => (await db.row(`select count(*)::int4 as n from ${table}`)).n;

  beforeEach(async () => {
    for (const table of ['matches', 'notifications']) {
      for (const { part } of (await partitionsOf(table)).slice(1)) await db.pool.query(`drop table ${part}`);
      const [first] = await partitionsOf(table);
      if (first.to === null) continue;
      await db.pool.query(
        `alter table ${table} detach partition ${first.part};
         alter table ${table} attach partition ${first.part} for values from (minvalue) to (maxvalue)`,
      );
      if (first.part !== `${table}_1`) await db.pool.query(`alter table ${first.part} rename to ${table}_1`);
    }
    await db.pool.query(
      'truncate listings, listings_to_match, matches, notifications, saved_listings, leaving_partitions, leaving_changes, cleanup_positions restart identity',
    );
    await insertListings(1, 1_000, 200);
    await insertRows(1, 1_000, 200);
    await run('bounded-matches');
    await run('bounded-notifications');
    await insertListings(END, END + 9, 0, 'for_sale');
    await insertRows(END, END + 9, 0);
  });

  return { owner, db, insertListings, insertRows, batch, run, partitionsOf, listingsOf, count };
}
