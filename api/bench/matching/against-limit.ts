import type { ThrowAway } from '../../lab/throw-away.ts';
import type { Client } from '../../src/base/database.ts';
import { makeListingMatcher } from '../../src/matching/match-listings.ts';
import { markToMatch } from '../rig/load-listings.ts';

/** Statements for one of the hot tables, each of one partition here. They copy the rows of the product's last batch and insert them once more. */
const statements = (table: 'matches' | 'notifications', columns: string, isNewer: string, order: string) => ({
  keep: (part: string) =>
    `insert into batch_${table} (${columns}) select ${columns} from ${part} where ${isNewer} order by ${order}`,
  write: `insert into limit_${table} (${columns}) select ${columns} from batch_${table} order by ctid`,
});

const matches = statements(
  'matches',
  'listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price, announced, position',
  "ctid >= ('(' || $1 || ',0)')::tid and position >= $2::int8",
  'ctid',
);
const notifications = statements(
  'notifications',
  'user_id, alert_id, listing_id, channel, kind, price, due_at',
  'id > $1',
  'id',
);

interface SameRows {
  /** Copies the rows since the last call, in their order, into an unlogged table. Returns how many. */
  keep(): Promise<{ matches: number; notifications: number }>;
  /** Inserts the copies into tables like the product's by INSERT … SELECT, in one transaction. Returns milliseconds. */
  write(withNotifications: boolean): Promise<number>;
}

/** Empties the hot tables, and creates an identical one of each that gets the same rows by INSERT … SELECT. */
async function makeSameRows({ pool }: ThrowAway, client: Client): Promise<SameRows> {
  await pool.query('drop table if exists limit_matches, limit_notifications, batch_matches, batch_notifications');
  await pool.query('truncate matches, notifications restart identity');
  const parts = { matches: '', notifications: '' };
  for (const table of ['matches', 'notifications'] as const) {
    const { rows } = await pool.query<{ part: string }>('select part::text from listing_partitions($1)', [table]);
    parts[table] = rows[0]?.part ?? '';
    await pool.query(`create table limit_${table} (like ${table} including all) partition by range (listing_id)`);
    await pool.query(
      `create table limit_${table}_1 partition of limit_${table} for values from (minvalue) to (maxvalue)`,
    );
    await pool.query(`create unlogged table batch_${table} as select * from ${table} limit 0`);
  }
  let block = 0;
  let position = '0';
  let id = 0;
  return {
    async keep() {
      await client.query('truncate batch_matches, batch_notifications');
      const kept = await client.query(matches.keep(parts.matches), [block, position]);
      const inserted = await client.query(notifications.keep(parts.notifications), [id]);
      const { rows } = await client.query<{ block: number; position: string; id: number }>(
        `select greatest(pg_relation_size('matches_1') / 8192 - 1, 0)::int4 as block,
                (match_position() + 1)::text as position,
                (select coalesce(max(id), 0) from notifications) as id`,
      );
      block = rows[0]?.block ?? 0;
      position = rows[0]?.position ?? '0';
      id = rows[0]?.id ?? 0;
      return { matches: kept.rowCount ?? 0, notifications: inserted.rowCount ?? 0 };
    },
    async write(withNotifications) {
      const start = performance.now();
      await client.query('begin');
      await client.query({ name: 'limit-matches', text: matches.write });
      if (withNotifications) await client.query({ name: 'limit-notifications', text: notifications.write });
      await client.query('commit');
      return performance.now() - start;
    },
  };
}

const ROUNDS = 9;

interface Speed {
  listingsPerSecond: number;
  rowsPerSecond: number;
  limitRowsPerSecond: number;
  ratio: number;
  rounds: number[];
}

interface LimitOptions {
  ids: readonly number[];
  withNotifications: boolean;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * Times the product's matching of waiting listings, and after each of its batches INSERT … SELECT of the same rows in one
 * transaction, so that noise and growing tables affect both alike. Rows are matches and notifications together.
 */
export async function timeAgainstLimit(db: ThrowAway, { ids, withNotifications }: LimitOptions): Promise<Speed> {
  const { pool } = db;
  const client = await pool.connect();
  try {
    const same = await makeSameRows(db, client);
    await pool.query('update listings set announce = $1', [withNotifications]);
    await markToMatch(pool, ids);
    await pool.query('vacuum analyze listings, listings_to_match');
    await pool.query('checkpoint');
    const rounds: { listings: number; rows: number; ms: number; limitMs: number }[] = [];
    let round = { listings: 0, rows: 0, ms: 0, limitMs: 0 };
    const matchNext = makeListingMatcher(pool);
    for (;;) {
      const start = performance.now();
      const handled = await matchNext();
      const ms = performance.now() - start;
      if (handled === 0) break;
      const kept = await same.keep();
      round.limitMs += await same.write(withNotifications);
      round.ms += ms;
      round.listings += handled;
      round.rows += kept.matches + kept.notifications;
      if (round.listings < ids.length / ROUNDS) continue;
      rounds.push(round);
      round = { listings: 0, rows: 0, ms: 0, limitMs: 0 };
    }
    if (round.listings > 0) rounds.push(round);
    const perSecond = (count: (one: (typeof rounds)[number]) => number) =>
      Math.round(median(rounds.map(count)) * 1_000);
    const ratios = rounds.map(({ ms, limitMs }) => limitMs / ms);
    return {
      listingsPerSecond: perSecond(({ listings, ms }) => listings / ms),
      rowsPerSecond: perSecond(({ rows, ms }) => rows / ms),
      limitRowsPerSecond: perSecond(({ rows, limitMs }) => rows / limitMs),
      ratio: Number(median(ratios).toFixed(3)),
      rounds: ratios.map((ratio) => Number(ratio.toFixed(3))),
    };
  } finally {
    client.release();
  }
}
