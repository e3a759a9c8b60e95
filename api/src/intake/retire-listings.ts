import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import { beginWithShortIdle, type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { storableText } from '../domain/facts/listing-facts.ts';
import { factsOfUnmarked, haveCopies, lockToWrite, unmarked } from '../placement/listing-marks.ts';
import { announceEnded } from './announce-ended.ts';
import { isWhole } from './last-seen.ts';

/**
 * Marks marketplace items as gone that were not seen for 30 days. This does not concern cars of a feed that is being read,
 * since each complete read, even an unchanged one, counts as a sight. The position is the day and id of the last listing;
 * locked ones are left to the next walk.
 */
export const retireUnseen: BatchedCleanUp = async (db, { after, rows } = FIRST_BATCH) => {
  const [day = '-infinity', id = '0'] = after?.split(' ') ?? [];
  const { rows: walked } = await db.query<{ last: string | null; seen: number; unseen: number[] }>({
    name: 'find-unseen',
    text: `with batch as materialized (
             select id, unseen_since from listings
              where status = 'for_sale' and unseen_since <= (now() at time zone 'UTC')::date - 30
                and (unseen_since, id) > ($1::date, $2::int8)
              order by unseen_since, id limit $3
           ), unseen as materialized (
             select id from listings
              where id in (select id from batch) and status = 'for_sale' and last_seen_at < now() - interval '30 days'
                and source not in (select name from sources f where ${isWhole('f')}
                                      and last_success_at > now() - interval '30 days')
              order by id for update skip locked
           )
           select array(select id from unseen) as unseen, (select count(*) from batch)::int4 as seen,
                  (select unseen_since || ' ' || id from batch order by unseen_since desc, id desc limit 1) as last`,
    values: [day, id, rows],
  });
  const { last = null, seen = 0, unseen = [] } = walked[0] ?? {};
  if (unseen.length > 0) await db.query({ name: 'retire-unseen', text: retireSql(), values: [unseen] });
  await announceEnded(db, unseen);
  return { after: seen < rows ? null : last, removed: unseen.length };
};

/** SQL: ends listings that are locked ($1: ids). @param settings of other columns */
const retireSql = (settings = ''): string => `
  with ${unmarked('select unnest($1::int8[])')}
  update listings
     set status = 'gone', changed_at = now(), version = version + 1, pending_match = false, pending_filters = false,
         facts_before = coalesce(${factsOfUnmarked('listings')}, facts_before)${settings}
   where id = any ($1::int8[])`;

const BATCH = 1000;
/** The complete reads in a row that must miss a car before it is gone, since one may meet a half-written feed. */
const READS_WITHOUT_IT = 2;

/** Counts of the cars that a read did not show. */
interface Retired {
  /** Cars that were missed for the first time. */
  missed: number;
  /** Cars that are gone now: they no longer match, and their history is kept. */
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
 * When cars that are missed were last shown: at the first miss, by the previous read. A row must not look newer than a
 * record of it that was quarantined since. Times are texts, which keep their microseconds.
 */
async function lastShown(db: Queryable, source: string, ids: readonly number[]): Promise<string[]> {
  const { rows } = await db.query<{ at: string }>(
    `select case when l.missed_reads > 0 or exists (
              select 1 from quarantine q
               where q.source = $2 and q.external_id = l.external_id and q.last_seen_at >= l.last_seen_at)
            then l.last_seen_at else greatest(l.last_seen_at, (select last_success_at from sources where name = $2)) end::text as at
       from unnest($1::int8[]) with ordinality given (id, place) join listings l on l.id = given.id order by given.place`,
    [ids, source],
  );
  return rows.map(({ at }) => at);
}

/** SQL: counts one more read of `listings` that missed them. @param times the parameter with when those in $1 were last shown */
const missedAgain = (times: string): string =>
  `missed_reads = missed_reads + 1,
   last_seen_at = coalesce((${times}::timestamptz[])[array_position($1::int8[], id)], last_seen_at)`;

interface RetireOptions {
  /** Stops between two batches; what was written stays, and the next complete read continues. */
  signal?: AbortSignal | undefined;
  /** Called in the transaction of each batch after its writes; what it throws rolls the batch back. */
  beforeCommit?(db: Queryable): Promise<unknown>;
  /** Ids of which the source itself says that they are gone: for these one read is enough. */
  gone?: ReadonlySet<string> | undefined;
}

/** Runs `write` in batches of a thousand ids, each in a transaction. */
async function inBatches(
  pool: Pool,
  ids: readonly number[],
  { signal, beforeCommit }: RetireOptions,
  write: (db: Client, ids: number[]) => Promise<void>,
) {
  for (let start = 0; start < ids.length; start += BATCH) {
    signal?.throwIfAborted();
    await inTransaction(
      pool,
      async (client) => {
        await write(client, ids.slice(start, start + BATCH));
        await beforeCommit?.(client);
      },
      beginWithShortIdle,
    );
  }
}

/**
 * Counts the cars of a feed that a complete read did not show; those missed twice in a row are gone. Call it only after
 * the whole feed was stored, and not after a read that failed or was cut.
 * @param present every external id of the feed, including those of rejected rows; 'unchanged' when the source says that
 *   nothing changed since the last complete read
 */
export async function retireAbsent(
  pool: Pool,
  source: string,
  present: ReadonlySet<string> | 'unchanged',
  options: RetireOptions = {},
): Promise<Retired> {
  const retired: Retired = { missed: 0, gone: 0 };
  const certain = [...(options.gone ?? [])].map(storableText);
  const known = await missedBefore(pool, source);
  let absent = known.map(({ id }) => id);
  if (present !== 'unchanged') {
    const stored = new Set([...present].map(storableText));
    const back = known.filter(({ external_id }) => stored.has(external_id)).map(({ id }) => id);
    await inBatches(pool, back, options, async (db, ids) => {
      await lockToWrite(db, ids);
      await db.query('update listings set missed_reads = 0 where id = any($1)', [ids]);
    });
    absent = await absentIds(pool, source, [...stored]);
  }
  await inBatches(pool, absent, options, async (db, ids) => {
    const { rows: locked } = await db.query<{ id: number; isGone: boolean }>({
      name: 'lock-absent-listings',
      text: `select id, missed_reads + 1 >= ${READS_WITHOUT_IT} or external_id = any($2::text[]) as "isGone" from listings
        where id = any($1) and status in ('for_sale', 'pending') order by id for update`,
      values: [ids, certain],
    });
    // A server may not have committed yet what was inserted lately. The next read finds it missing, too.
    const copied = new Set(
      await haveCopies(
        db,
        locked.map(({ id }) => id),
      ),
    );
    const rows = locked.filter(({ id }) => copied.has(id));
    const gone = rows.flatMap(({ id, isGone }) => (isGone ? [id] : []));
    const missed = rows.flatMap(({ id, isGone }) => (isGone ? [] : [id]));
    if (missed.length > 0)
      await db.query(`update listings set ${missedAgain('$2')} where id = any($1::int8[])`, [
        missed,
        await lastShown(db, source, missed),
      ]);
    if (gone.length > 0) await db.query(retireSql(`, ${missedAgain('$2')}`), [gone, await lastShown(db, source, gone)]);
    await announceEnded(db, gone);
    retired.gone += gone.length;
    retired.missed += missed.length;
  });
  return retired;
}
