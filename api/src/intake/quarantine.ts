import { createHash } from 'node:crypto';
import type { Queryable } from '../base/database.ts';
import type { Rejection } from '../domain/facts/listing-facts.ts';
import { storableText } from '../domain/facts/storable-text.ts';

const RECORD_CHARACTERS = 8000;

/** Sets records aside with code and reason; one that comes again is counted, not stored again. @returns how many are new */
export async function setAside(db: Queryable, source: string, rejections: Rejection[]): Promise<number> {
  if (rejections.length === 0) return 0;
  const rows = new Map(
    rejections.map((rejection) => {
      const record = storableText(rejection.record.slice(0, RECORD_CHARACTERS));
      const hash = createHash('sha1').update(`${rejection.code} ${record}`).digest('base64url');
      return [hash, { ...rejection, record, hash }] as const;
    }),
  );
  const sorted = [...rows.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const { rows: written } = await db.query<{ fresh: boolean }>(
    `insert into quarantine (source, external_id, code, reason, record, record_hash)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     on conflict (source, record_hash) do update set times = quarantine.times + 1, last_seen_at = now()
     returning xmax = 0 as fresh`,
    [
      source,
      sorted.map((row) => row.externalId && storableText(row.externalId).slice(0, 200)),
      sorted.map((row) => row.code),
      sorted.map((row) => storableText(row.reason).slice(0, 1000)),
      sorted.map((row) => row.record),
      sorted.map((row) => row.hash),
    ],
  );
  return written.filter(({ fresh }) => fresh).length;
}
