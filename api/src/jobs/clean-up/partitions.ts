import type { Batch, BatchResult } from '../../base/batches.ts';
import { type Client, makePool, type Pool, type Queryable } from '../../base/database.ts';
import { type DatabaseAddress, urlOf } from '../../base/database-address.ts';
import { isCanceled, isConflict } from '../../base/database-fault.ts';
import type { Log } from '../../base/log.ts';
import { isDistributed } from '../../placement/layout.ts';
import { deleteOldOnShards } from '../../placement/old-rows.ts';
import type { KeptDays } from './retention.ts';
import type { CleanUpStep } from './step-job.ts';

type PartitionedTable = 'matches' | 'notifications';

interface PartitionParts {
  keptDays: KeptDays;
  pool: Pool;
  /** Where statements go that take minutes. */
  database: DatabaseAddress;
  log: Log;
}

const FIVE_MINUTES = 300_000;
const DAY = 24 * 3_600_000;

/** A partition gets the listings of about so many days, at the rate of the last ones. */
const DAYS_A_PARTITION = 30;
/** After so many days the rate of a new installation is known. */
const KNOWN_AFTER_DAYS = 7;
/** A partition ends at least so many days, and so many listings, after the newest one. */
const SPARE_DAYS = 2;
const MIN_LISTINGS = 1_000;
/** A larger last partition gets its end in steps, between which inserts behind it are refused: it is far ahead. */
const SMALL_BYTES = 16 * 1024 * 1024;
const MIN_SPARE = 100_000;
/** A change of partitions waits so long for a lock, and so do those who come after it; and then lasts so long at most. */
const LOCK_MS = 200;
const ACT_MS = 2_000;
/** Reading all rows of a large partition once takes minutes; nobody waits for it. */
const SLOW_MS = 60 * 60_000;
/** So many noted changes are copied under the lock, and so many in a batch before. */
const FEW_CHANGES = 1_000;
const CHANGES_A_BATCH = 20_000;
/** About how many rows a page of these tables has. */
const ROWS_A_PAGE = 60;

const LOCK_NOT_AVAILABLE = '55P03';
const DONE: BatchResult = { after: null, removed: 0 };
const MORE: BatchResult = { after: 'more', removed: 0 };

interface Partition {
  lowerId: number | null;
  upperId: number | null;
  /** Whether it has only what stayed of earlier partitions. */
  isRest: boolean;
}

async function readPartitions(db: Queryable, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await db.query<Partition>(
    `select lower_id as "lowerId", upper_id as "upperId", part::text = $1 || '_to_' || upper_id is true as "isRest"
       from listing_partitions($1)`,
    [table],
  );
  return rows;
}

/** The listings at both ends, and when the first one was seen. */
interface ListingIds {
  first: number;
  last: number;
  ageDays: number;
}

async function readListingIds(db: Queryable): Promise<ListingIds | undefined> {
  const { rows } = await db.query<ListingIds>(
    `select l.id as first, coalesce((select max(id) from listings), l.id) as last,
            extract(epoch from now() - l.seen_at)::float8 / 86400 as "ageDays"
       from listings l order by l.id limit 1`,
  );
  return rows[0];
}

/**
 * Finds about the first listing that was seen in the last days, as ids ascend with time: a few dozen look-ups by id.
 * @returns its id; Infinity where there is none
 */
async function firstSeenWithin(db: Queryable, days: number, { first, last }: { first: number; last: number }) {
  let [from, to, found] = [first, last + 1, Number.POSITIVE_INFINITY];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const { rows } = await db.query<{ id: number; isOlder: boolean }>({
      name: 'partitions-seen',
      text: `select id, seen_at < now() - $2::int4 * interval '1 day' as "isOlder" from listings where id >= $1 order by id limit 1`,
      values: [middle, days],
    });
    const [row] = rows;
    if (row?.isOlder) from = row.id + 1;
    else {
      to = middle;
      found = row?.id ?? found;
    }
  }
  return found;
}

/**
 * Changes partitions in one message, so that no lock is held while the server waits for this process. It gives way to those who
 * hold a lock. @returns whether it did what was asked; else nothing was done
 */
async function change(pool: Pool, sql: string): Promise<boolean> {
  try {
    await pool.query(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = ${ACT_MS}; ${sql}`);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== LOCK_NOT_AVAILABLE && !isCanceled(error) && !isConflict(error)) throw error;
    return false;
  }
}

/** The slow statements of this process that run or wait, and the end of the last one. */
const slow = new Set<string>();
let lastSlow: Promise<unknown> = Promise.resolve();

/**
 * Runs a slow statement on a connection beside the pool, whose connections may not be silent for so long, one statement after
 * another, unless this process runs it already. A later run sees what it has done.
 */
function runBeside({ database, log }: PartitionParts, sql: string): void {
  const key = `${urlOf(database)} ${sql}`;
  if (slow.has(key)) return;
  slow.add(key);
  lastSlow = lastSlow.then(async () => {
    let own: Pool | undefined;
    try {
      own = makePool(database, 1, 'lotwatch-partitions', SLOW_MS);
      // A pooler gives each connection the limit of other statements.
      await own.query(`set local statement_timeout = ${SLOW_MS - 1_000}; ${sql}`);
    } catch (error) {
      log.warn('a slow statement about partitions failed', { statement: sql, error });
    } finally {
      slow.delete(key);
      await own?.end().catch(() => {});
    }
  });
}

interface LastPartition {
  lowerId: number | null;
  isSmall: boolean;
  /** The end that is prepared, and whether all rows were compared with it. */
  prepared: number | null;
  isChecked: boolean;
}

async function readLast(db: Queryable, table: PartitionedTable): Promise<LastPartition | undefined> {
  const { rows } = await db.query<LastPartition>(
    `select p.lower_id as "lowerId", pg_relation_size(p.part) < $2 as "isSmall",
            substring(pg_get_constraintdef(c.oid) from 'listing_id < ''?(\\d+)')::int8 as prepared,
            coalesce(c.convalidated, false) as "isChecked"
       from listing_partitions($1) p
       left join pg_constraint c on c.conrelid = p.part and c.conname = 'bound_of_listings'
      where p.upper_id is null`,
    [table, SMALL_BYTES],
  );
  return rows[0];
}

/** @returns where the last partition is to end; null while it has no rows, or their rate is not known */
async function findBound(db: Queryable, last: LastPartition, ids: ListingIds): Promise<number | null> {
  if (ids.last < (last.lowerId ?? 0)) return null;
  if (last.lowerId === null && ids.ageDays < KNOWN_AFTER_DAYS) return null;
  const recent = Math.max(0, ids.last - (await firstSeenWithin(db, DAYS_A_PARTITION, ids)) + 1);
  const perDay = recent / Math.min(DAYS_A_PARTITION, Math.max(1, ids.ageDays));
  const begin = last.lowerId ?? ids.first;
  const end = begin + Math.max(MIN_LISTINGS, Math.round(perDay * DAYS_A_PARTITION));
  const spare = Math.max(last.isSmall ? MIN_LISTINGS : MIN_SPARE, Math.round(perDay * SPARE_DAYS));
  return Math.max(end, ids.last + spare);
}

/**
 * Ends the last partition, which takes all listings from some id on, once it has rows, and makes a new last one behind the
 * end. So an insert always finds a partition, however long this did not run. The rows of a large one are compared with the end
 * first, without keeping anybody waiting. Meanwhile it takes no rows behind that; where those come near, the end is given up.
 */
const boundLast =
  (table: PartitionedTable) =>
  async (_client: Client, _batch: Batch, parts: PartitionParts): Promise<BatchResult> => {
    const { pool } = parts;
    const ids = await readListingIds(pool);
    const last = await readLast(pool, table);
    if (!ids || !last) return DONE;
    if (last.prepared !== null && last.prepared - ids.last < MIN_SPARE / 2) {
      await change(pool, `select drop_bound('${table}')`);
      return DONE;
    }
    const bound = await findBound(pool, last, ids);
    if (last.isChecked || (last.isSmall && last.prepared === null && bound !== null))
      await change(pool, `select bound_last_partition('${table}', ${bound})`);
    else if (last.prepared !== null) runBeside(parts, `select prepare_bound('${table}', 0)`);
    else if (bound !== null && (await change(pool, `select prepare_bound('${table}', ${bound})`)))
      runBeside(parts, `select prepare_bound('${table}', 0)`);
    return DONE;
  };

/** @returns below which listing rows leave; null where no partition is old enough */
async function findLeaving(client: Queryable, table: PartitionedTable, days: number): Promise<number | null> {
  const partitions = await readPartitions(client, table);
  const ids = await readListingIds(client);
  if (!ids) return null;
  const first = await firstSeenWithin(client, days, ids);
  const old = partitions.filter(({ upperId }) => upperId !== null && upperId <= first);
  return old.some(({ isRest }) => !isRest) ? (old.at(-1)?.upperId ?? null) : null;
}

/**
 * Drops partitions whose listings were all seen before the days. What has to stay of them is copied, a part a batch, to a new
 * first partition, which then takes their place at once. What others change of them meanwhile is noted, and copied at the end.
 */
const dropOld =
  (table: PartitionedTable, rowsOf: keyof KeptDays) =>
  async (_client: Client, { rows }: Batch, { keptDays, pool }: PartitionParts): Promise<BatchResult> => {
    const { rowCount } = await pool.query('select from leaving_partitions where table_name = $1', [table]);
    if (!rowCount) {
      const days = keptDays[rowsOf];
      const below = await findLeaving(pool, table, days);
      if (below === null) return DONE;
      const sql = `select begin_leaving('${table}', ${below}, ${days} * interval '1 day')`;
      return (await change(pool, sql)) ? MORE : DONE;
    }
    const pages = Math.max(1, Math.floor(rows / ROWS_A_PAGE));
    const copied = await pool.query<{ copied: number | null }>('select copy_staying($1, $2) as copied', [table, pages]);
    if (copied.rows[0]?.copied != null) return MORE;
    const noted = await pool.query<{ copied: number | null }>('select copy_changes($1, $2) as copied', [
      table,
      CHANGES_A_BATCH,
    ]);
    if ((noted.rows[0]?.copied ?? 0) > FEW_CHANGES) return MORE;
    return { after: null, removed: (await change(pool, `select finish_leaving('${table}')`)) ? 1 : 0 };
  };

/**
 * Deletes old rows of the partition that has listings of more time than a month, as the first one has after an upgrade, or that
 * of a small installation. Others leave as a whole before so much of them is old. The position is the last row's first key.
 */
const deleteOld =
  (table: PartitionedTable, rowsOf: keyof KeptDays) =>
  async (client: Client, { after, rows }: Batch, { keptDays }: PartitionParts): Promise<BatchResult> => {
    const days = keptDays[rowsOf];
    const ids = await readListingIds(client);
    if (!ids) return DONE;
    const below = Math.min(ids.last + 1, await firstSeenWithin(client, days + DAYS_A_PARTITION, ids));
    if (isDistributed()) {
      const old = await deleteOldOnShards(client, table, { below, days, after: Number(after ?? 0), rows });
      return { after: old.last === null ? null : String(old.last), removed: old.removed };
    }
    const { rows: done } = await client.query<{ last: number | null; removed: number }>(
      `select last_id as last, removed from delete_old_rows($1, $2, $3::int4 * interval '1 day', $4, $5)`,
      [table, below, days, Number(after ?? 0), rows],
    );
    const { last = null, removed = 0 } = done[0] ?? {};
    return { after: last === null ? null : String(last), removed };
  };

/** Where the tables are distributed, no partition gets an end, and none leaves. */
const onOneServer =
  (run: CleanUpStep<PartitionParts>['run']): CleanUpStep<PartitionParts>['run'] =>
  async (...given) =>
    isDistributed() ? DONE : run(...given);

/** The server's own statistics are of partitions; those of the whole tables, by which joins are planned, are asked for. */
const analyze =
  (table: PartitionedTable) =>
  async (_client: Client, _batch: Batch, parts: PartitionParts): Promise<BatchResult> => {
    runBeside(parts, `select analyze_partitions('${table}')`);
    return DONE;
  };

/** Old matches and notifications leave by dropping partitions, and row by row where a partition has listings of years. */
export const partitionSteps: readonly CleanUpStep<PartitionParts>[] = [
  { name: 'bounded-matches', everyMs: FIVE_MINUTES, run: onOneServer(boundLast('matches')) },
  { name: 'bounded-notifications', everyMs: FIVE_MINUTES, run: onOneServer(boundLast('notifications')) },
  { name: 'old-matches', everyMs: FIVE_MINUTES, rows: 60_000, run: onOneServer(dropOld('matches', 'matches')) },
  {
    name: 'old-notifications',
    everyMs: FIVE_MINUTES,
    rows: 60_000,
    run: onOneServer(dropOld('notifications', 'messages')),
  },
  { name: 'old-rows-of-matches', everyMs: DAY, run: deleteOld('matches', 'matches') },
  { name: 'old-rows-of-notifications', everyMs: DAY, run: deleteOld('notifications', 'messages') },
  { name: 'matches-statistics', everyMs: DAY, run: analyze('matches') },
  { name: 'notifications-statistics', everyMs: DAY, run: analyze('notifications') },
];
