import { endWhenIdle, inTransaction, type Pool, type Queryable, SHORT_IDLE_MS } from '../base/database.ts';
import { storableText } from '../domain/facts/storable-text.ts';

const BATCH = 1000;
/** So many complete reads in a row must miss a car before it is gone: one may have met a feed half written. */
const READS_WITHOUT_IT = 2;

/** What became of the cars that a read did not show. */
export interface Retired {
  /** Missed for the first time. */
  missed: number;
  /** Missed once too often: out of matching, its history kept. */
  gone: number;
}

async function absentIds(db: Queryable, source: string, present: readonly string[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select l.id from listings l
      where l.source = $1 and l.status in ('for_sale', 'pending')
        and not exists (select from unnest($2::text[]) as p (external_id) where p.external_id = l.external_id)
      order by l.id`,
    [source, present],
  );
  return rows.map(({ id }) => id);
}

async function missedBefore(db: Queryable, source: string) {
  const { rows } = await db.query<{ id: number; external_id: string }>(
    `select id, external_id from listings
      where source = $1 and missed_reads > 0 and status in ('for_sale', 'pending') order by id`,
    [source],
  );
  return rows;
}

/**
 * Of a car that is missed for the first time: the read before was the last that showed it. Where a record of it was set
 * aside since, its row must not look newer than that.
 */
const lastShown = `case when missed_reads > 0 or exists (
    select from quarantine q
     where q.source = $2 and q.external_id = listings.external_id and q.last_seen_at >= listings.last_seen_at)
  then last_seen_at else greatest(last_seen_at, (select last_success_at from sources where name = $2)) end`;

export interface RetireOptions {
  /** Stops between two batches; what was written stays and the next complete read goes on from it. */
  signal?: AbortSignal | undefined;
  /** Asked in the transaction of each batch when it is written; what it throws rolls the batch back. */
  beforeCommit?(db: Queryable): Promise<unknown>;
}

/** Runs `write` on a thousand ids at a time, each batch in a transaction. */
async function inBatches(
  pool: Pool,
  ids: readonly number[],
  { signal, beforeCommit }: RetireOptions,
  write: (db: Queryable, ids: number[]) => Promise<void>,
) {
  for (let start = 0; start < ids.length; start += BATCH) {
    signal?.throwIfAborted();
    await inTransaction(
      pool,
      async (client) => {
        await write(client, ids.slice(start, start + BATCH));
        await beforeCommit?.(client);
      },
      `begin; ${endWhenIdle(SHORT_IDLE_MS)}`,
    );
  }
}

/**
 * Takes note of which cars of a feed a complete read did not show: those that it misses for the second time in a row
 * are gone. Call it only after the whole of the feed was stored; a read that failed or was cut says nothing.
 * @param present every external id of the feed, those of rejected rows included; 'unchanged' when the source says that
 * nothing changed since the last complete read
 */
export async function retireAbsent(
  pool: Pool,
  source: string,
  present: ReadonlySet<string> | 'unchanged',
  options: RetireOptions = {},
): Promise<Retired> {
  const retired: Retired = { missed: 0, gone: 0 };
  const known = await missedBefore(pool, source);
  let absent = known.map(({ id }) => id);
  if (present !== 'unchanged') {
    const stored = new Set([...present].map(storableText));
    const back = known.filter(({ external_id }) => stored.has(external_id)).map(({ id }) => id);
    await inBatches(pool, back, options, async (db, ids) => {
      await db.query('update listings set missed_reads = 0 where id = any($1)', [ids]);
    });
    absent = await absentIds(pool, source, [...stored]);
  }
  await inBatches(pool, absent, options, async (db, ids) => {
    const { rows } = await db.query<{ status: string }>(
      `update listings
          set missed_reads = missed_reads + 1, last_seen_at = ${lastShown},
              status = case when missed_reads + 1 < ${READS_WITHOUT_IT} then status else 'gone' end,
              pending_match = pending_match and missed_reads + 1 < ${READS_WITHOUT_IT},
              changed_at = case when missed_reads + 1 < ${READS_WITHOUT_IT} then changed_at else now() end
        where id in (select id from listings where id = any($1) and status in ('for_sale', 'pending') order by id for update)
        returning status`,
      [ids, source],
    );
    const gone = rows.filter(({ status }) => status === 'gone').length;
    retired.gone += gone;
    retired.missed += rows.length - gone;
  });
  return retired;
}
