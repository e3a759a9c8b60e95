import type { Queryable } from '../../base/database.ts';
import type { RecordReader, RejectCode } from '../../domain/facts/listing-facts.ts';

/** Which records: those that fit everything that is given. */
export interface QuarantineFilter {
  ids?: number[] | undefined;
  source?: string | undefined;
  code?: string | undefined;
}

/** One record that was set aside. */
export interface QuarantineRow {
  id: number;
  source: string;
  externalId: string | null;
  code: RejectCode;
  reason: string;
  record: string;
  reader: RecordReader;
  /** false: `record` is only the beginning of what came in. */
  whole: boolean;
  retryable: boolean;
  times: number;
  firstSeenAt: Date;
  lastSeenAt: Date;
  retriedAt: Date | null;
}

export interface QuarantineRows {
  rows: QuarantineRow[];
  hasMore: boolean;
}

const columns = `id, source, external_id as "externalId", code, reason, record, reader, whole, retryable, times,
  first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", retried_at as "retriedAt"`;

/** Conditions and their values, `$1` first; without a filter all rows fit. */
export function quarantineWhere({ ids, source, code }: QuarantineFilter): { where: string; values: unknown[] } {
  const parts: [string, unknown][] = [];
  if (ids !== undefined) parts.push(['id = any($)', ids]);
  if (source !== undefined) parts.push(['source = $', source]);
  if (code !== undefined) parts.push(['code = $', code]);
  return {
    where: parts.map(([part], index) => part.replace('$', `$${index + 1}`)).join(' and ') || 'true',
    values: parts.map(([, value]) => value),
  };
}

/** A page of the quarantine, newest first. @param before an id: the page holds what came before it */
export async function readQuarantine(
  db: Queryable,
  filter: QuarantineFilter,
  { first, before }: { first: number; before?: number | undefined },
): Promise<QuarantineRows> {
  const { where, values } = quarantineWhere(filter);
  const { rows } = await db.query<QuarantineRow>(
    `select ${columns} from quarantine
      where ${where} and id < $${values.length + 1} order by id desc limit ${first + 1}`,
    [...values, before ?? Number.MAX_SAFE_INTEGER],
  );
  return { rows: rows.slice(0, first), hasMore: rows.length > first };
}

/** Those that can be read again, oldest first, beyond an id. */
export async function readRetryable(
  db: Queryable,
  filter: QuarantineFilter,
  { first, after }: { first: number; after: number },
): Promise<QuarantineRow[]> {
  const { where, values } = quarantineWhere(filter);
  const { rows } = await db.query<QuarantineRow>(
    `select ${columns} from quarantine
      where ${where} and retryable and id > $${values.length + 1} order by id limit ${first}`,
    [...values, after],
  );
  return rows;
}

/** How many fit, and how many of them can be read again. */
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
