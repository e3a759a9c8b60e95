import { createHash } from 'node:crypto';
import { type Batch, type BatchResult, FIRST_BATCH } from '../base/batches.ts';
import type { Queryable } from '../base/database.ts';
import {
  type RecordReader,
  type RejectCode,
  type Rejection,
  storableText,
  storedRecord,
} from '../domain/facts/listing-facts.ts';

interface QuarantineOptions {
  /** Whether the listings of the page are announced. */
  announce: boolean;
}

function toQuarantineRow(rejection: Rejection) {
  const kept = storedRecord(storableText(rejection.record));
  const whole = kept.whole && rejection.whole !== false;
  const externalId = rejection.externalId && storableText(rejection.externalId).slice(0, 200);
  // Two records may have the same beginning, so that the external id is hashed too.
  const hash = createHash('sha256').update(whole ? kept.record : `${externalId ?? ''} ${kept.record}`);
  return { ...rejection, record: kept.record, whole, externalId, hash: hash.digest('hex') };
}

/**
 * Stores rejected records with code and reason. A record that comes again is counted and gets the current code.
 * @returns how many are new
 */
export async function quarantineRecords(
  db: Queryable,
  source: string,
  rejections: Rejection[],
  { announce }: QuarantineOptions,
): Promise<number> {
  if (rejections.length === 0) return 0;
  const rows = new Map(rejections.map(toQuarantineRow).map((row) => [row.hash, row]));
  const sorted = [...rows.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const { rows: written } = await db.query<{ fresh: boolean }>(
    `insert into quarantine (source, announce, external_id, code, reason, record, record_hash, reader, whole)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bool[])
     on conflict (source, record_hash) do update
       set times = quarantine.times + 1, last_seen_at = now(),
           external_id = excluded.external_id, code = excluded.code, reason = excluded.reason
     returning xmax = 0 as fresh`,
    [
      source,
      announce,
      sorted.map((row) => row.externalId),
      sorted.map((row) => row.code),
      sorted.map((row) => storableText(row.reason).slice(0, 1000)),
      sorted.map((row) => row.record),
      sorted.map((row) => row.hash),
      sorted.map((row) => row.reader ?? 'items'),
      sorted.map((row) => row.whole),
    ],
  );
  return written.filter(({ fresh }) => fresh).length;
}

/** Selects the records that fit every given field. */
export interface QuarantineFilter {
  ids?: number[] | undefined;
  source?: string | undefined;
  code?: string | undefined;
}

/** One quarantined record. */
export interface QuarantineRow {
  id: number;
  source: string;
  externalId: string | null;
  code: RejectCode;
  reason: string;
  record: string;
  reader: RecordReader;
  /** Whether `record` holds all that was received, and not only its beginning. */
  whole: boolean;
  retryable: boolean;
  times: number;
  firstSeenAt: Date;
  lastSeenAt: Date;
  retriedAt: Date | null;
}

interface QuarantineRows {
  rows: QuarantineRow[];
  hasMore: boolean;
}

const quarantineColumns = `id, source, external_id as "externalId", code, reason, record, reader, whole, retryable, times,
  first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", retried_at as "retriedAt"`;

/** The filter as SQL conditions and their values, `$1` first; without a filter all rows fit. */
function quarantineWhere({ ids, source, code }: QuarantineFilter): { where: string; values: unknown[] } {
  const parts: [string, unknown][] = [];
  if (ids !== undefined) parts.push(['id = any($)', ids]);
  if (source !== undefined) parts.push(['source = $', source]);
  if (code !== undefined) parts.push(['code = $', code]);
  return {
    where: parts.map(([part], index) => part.replace('$', `$${index + 1}`)).join(' and ') || 'true',
    values: parts.map(([, value]) => value),
  };
}

/** Reads a page of the quarantine, newest first. @param before an id: the page holds older records */
export async function readQuarantine(
  db: Queryable,
  filter: QuarantineFilter,
  { first, before }: { first: number; before?: number | undefined },
): Promise<QuarantineRows> {
  const { where, values } = quarantineWhere(filter);
  const { rows } = await db.query<QuarantineRow>(
    `select ${quarantineColumns} from quarantine
      where ${where} and id < $${values.length + 1} order by id desc limit ${first + 1}`,
    [...values, before ?? Number.MAX_SAFE_INTEGER],
  );
  return { rows: rows.slice(0, first), hasMore: rows.length > first };
}

/** Reads records that can be parsed again, oldest first, after an id. */
export async function readRetryable(
  db: Queryable,
  filter: QuarantineFilter,
  { first, after }: { first: number; after: number },
): Promise<QuarantineRow[]> {
  const { where, values } = quarantineWhere(filter);
  const { rows } = await db.query<QuarantineRow>(
    `select ${quarantineColumns} from quarantine
      where ${where} and retryable and id > $${values.length + 1} order by id limit ${first}`,
    [...values, after],
  );
  return rows;
}

/** Counts the records that fit, and those of them that can be parsed again. */
export async function countQuarantine(
  db: Queryable,
  filter: QuarantineFilter,
): Promise<{ total: number; retryable: number }> {
  const { where, values } = quarantineWhere(filter);
  const { rows } = await db.query<{ total: number; retryable: number }>(
    `select count(*)::int as total, count(*) filter (where retryable)::int as retryable from quarantine where ${where}`,
    values,
  );
  return rows[0] ?? { total: 0, retryable: 0 };
}

/** How much of each source's newest records is kept. */
export interface QuarantineLimits {
  rows: number;
  bytes: number;
}

const LIMITS: QuarantineLimits = { rows: 100_000, bytes: 500_000_000 };

/**
 * Deletes each source's records beyond its newest 100,000 or its newest 500 MB as stored. A batch is one source, and the
 * position is its name.
 */
export async function purgeExcessQuarantined(
  db: Queryable,
  { after, rows }: Batch = FIRST_BATCH,
  limits = LIMITS,
): Promise<BatchResult> {
  const { rows: next } = await db.query<{ source: string }>(
    'select source from quarantine where source > $1 order by source limit 1',
    [after ?? ''],
  );
  if (!next[0]) return { after: null, removed: 0 };
  const { source } = next[0];
  const { rowCount } = await db.query(
    `delete from quarantine where id = any(array(
       select id from (
         select id, last_seen_at, row_number() over newest as place, sum(pg_column_size(record)) over newest as bytes
           from quarantine where source = $1 window newest as (order by last_seen_at desc, id desc)) r
        where place > $2 or bytes > $3 limit $4))`,
    [source, limits.rows, limits.bytes, rows],
  );
  const removed = rowCount ?? 0;
  // When more records are beyond the bounds the next batch takes the same source again.
  return { after: removed < rows ? source : (after ?? ''), removed };
}

/** Deletes records from the quarantine without another try. @returns how many */
export async function dismissQuarantined(db: Queryable, filter: QuarantineFilter): Promise<number> {
  const { where, values } = quarantineWhere(filter);
  return (await db.query(`delete from quarantine where ${where}`, values)).rowCount ?? 0;
}
