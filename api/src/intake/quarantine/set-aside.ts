import { createHash } from 'node:crypto';
import type { Queryable } from '../../base/database.ts';
import type { Rejection } from '../../domain/facts/listing-facts.ts';
import { keptRecord } from '../../domain/facts/rejection.ts';
import { storableText } from '../../domain/facts/storable-text.ts';

/** What a page says of a record counts for all that is set aside of it. */
export interface SetAsideOptions {
  /** Whether its listings are announced. */
  announce: boolean;
}

function toRow(rejection: Rejection) {
  const kept = keptRecord(storableText(rejection.record));
  const whole = kept.whole && rejection.whole !== false;
  const externalId = rejection.externalId && storableText(rejection.externalId).slice(0, 200);
  // Beginnings alone may be alike.
  const hash = createHash('sha256').update(whole ? kept.record : `${externalId ?? ''} ${kept.record}`);
  return { ...rejection, record: kept.record, whole, externalId, hash: hash.digest('hex') };
}

/**
 * Sets records aside with code and reason; one that comes again is counted, not stored again, and has today's code.
 * @returns how many are new
 */
export async function setAside(
  db: Queryable,
  source: string,
  rejections: Rejection[],
  { announce }: SetAsideOptions,
): Promise<number> {
  if (rejections.length === 0) return 0;
  const rows = new Map(rejections.map(toRow).map((row) => [row.hash, row]));
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
