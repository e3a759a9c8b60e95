import type { Batch, BatchResult } from '../../base/batches.ts';
import type { Client, Queryable } from '../../base/database.ts';
import type { KeptDays } from './retention.ts';
import type { CleanUpStep } from './step-job.ts';

type PartitionedTable = 'matches' | 'notifications';

const FIVE_MINUTES = 300_000;
const DAY = 24 * 3_600_000;

/** A partition gets the listings of about so many days, at the rate of the last ones. */
const DAYS_A_PARTITION = 30;
/** After so many days the rate of a new installation is known. */
const KNOWN_AFTER_DAYS = 7;
/** A partition ends at least so many days, and so many listings, after the newest one: until then its end may be prepared. */
const SPARE_DAYS = 2;
const MIN_LISTINGS = 1_000;
/** A change of partitions waits so long for a lock, and so do those who come after it. */
const LOCK_MS = 200;
/** Reading all rows of a large partition once takes minutes; nobody waits for it. */
const CHECK_MS = 30 * 60_000;
/** About how many rows a page of these tables has. */
const ROWS_A_PAGE = 60;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
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
async function readListingIds(db: Queryable) {
  const { rows } = await db.query<{ first: number; last: number; ageDays: number }>(
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

/** Gives way to those who hold a lock: what was begun is undone, and tried again later. @returns null where it gave way */
async function givingWay<T>(client: Client, change: () => Promise<T>): Promise<T | null> {
  await client.query(`savepoint change; set local lock_timeout = ${LOCK_MS}`);
  try {
    return await change();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
    await client.query('rollback to savepoint change');
    return null;
  }
}

/** @returns where the last partition is to end; null while it takes all listings of the next days anyway */
async function findBound(client: Client, table: PartitionedTable): Promise<number | null> {
  const last = (await readPartitions(client, table)).find(({ upperId }) => upperId === null);
  const ids = await readListingIds(client);
  if (!last || !ids || ids.last < (last.lowerId ?? 0)) return null;
  if (last.lowerId === null && ids.ageDays < KNOWN_AFTER_DAYS) return null;
  const recent = Math.max(0, ids.last - (await firstSeenWithin(client, DAYS_A_PARTITION, ids)) + 1);
  const perDay = recent / Math.min(DAYS_A_PARTITION, Math.max(1, ids.ageDays));
  const begin = last.lowerId ?? ids.first;
  const end = begin + Math.max(MIN_LISTINGS, Math.round(perDay * DAYS_A_PARTITION));
  return Math.max(end, ids.last + Math.max(MIN_LISTINGS, Math.round(perDay * SPARE_DAYS)));
}

/**
 * Ends the last partition, which takes all listings from some id on, once it has rows, and makes a new last one behind the
 * end. So an insert always finds a partition, however long this did not run. The end is checked first without keeping
 * anybody waiting, as a partition may be large when it gets its end.
 */
const boundLast =
  (table: PartitionedTable) =>
  async (client: Client, { after }: Batch): Promise<BatchResult> => {
    if (after === null) {
      const bound = await findBound(client, table);
      if (bound === null) return DONE;
      const state = await givingWay(client, async () => {
        const { rows } = await client.query<{ state: string | null }>('select prepare_bound($1, $2) as state', [
          table,
          bound,
        ]);
        return rows[0]?.state ?? '';
      });
      return state === null ? DONE : { after: 'check', removed: 0 };
    }
    if (after === 'check') {
      await client.query(`set local statement_timeout = ${CHECK_MS}`);
      await client.query('select prepare_bound($1, 0)', [table]);
      return { after: 'bound', removed: 0 };
    }
    // Where it gives way, the next run goes on: the end that is prepared is days ahead.
    await givingWay(client, () => client.query('select bound_last_partition($1)', [table]));
    return DONE;
  };

/** @returns below which listing rows leave; null where no partition is old enough */
async function findLeaving(client: Client, table: PartitionedTable, days: number): Promise<number | null> {
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
  async (client: Client, { rows }: Batch, { keptDays }: { keptDays: KeptDays }): Promise<BatchResult> => {
    const { rowCount } = await client.query('select from leaving_partitions where table_name = $1', [table]);
    if (!rowCount) {
      const days = keptDays[rowsOf];
      const below = await findLeaving(client, table, days);
      if (below === null) return DONE;
      const begun = await givingWay(client, () =>
        client.query("select begin_leaving($1, $2, $3::int4 * interval '1 day')", [table, below, days]),
      );
      return begun === null ? DONE : MORE;
    }
    const pages = Math.max(1, Math.floor(rows / ROWS_A_PAGE));
    const copied = await client.query<{ copied: number | null }>('select copy_staying($1, $2) as copied', [
      table,
      pages,
    ]);
    if (copied.rows[0]?.copied != null) return MORE;
    const finished = await givingWay(client, () => client.query('select finish_leaving($1)', [table]));
    return { after: null, removed: finished === null ? 0 : 1 };
  };

/** The server's own statistics are of partitions; those of the whole tables, by which joins are planned, are asked for. */
const analyze =
  (table: PartitionedTable) =>
  async (client: Client): Promise<BatchResult> => {
    await client.query('select analyze_partitions($1)', [table]);
    return DONE;
  };

/** Old matches and notifications leave by dropping partitions. */
export const partitionSteps: readonly CleanUpStep<{ keptDays: KeptDays }>[] = [
  { name: 'bounded-matches', everyMs: FIVE_MINUTES, run: boundLast('matches') },
  { name: 'bounded-notifications', everyMs: FIVE_MINUTES, run: boundLast('notifications') },
  { name: 'old-matches', everyMs: FIVE_MINUTES, rows: 60_000, run: dropOld('matches', 'matches') },
  {
    name: 'old-notifications',
    everyMs: FIVE_MINUTES,
    rows: 60_000,
    run: dropOld('notifications', 'messages'),
  },
  { name: 'matches-statistics', everyMs: DAY, run: analyze('matches') },
  { name: 'notifications-statistics', everyMs: DAY, run: analyze('notifications') },
];
