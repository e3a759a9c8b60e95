import type { Client } from '../base/database.ts';
import { isLearned } from '../domain/facts/later-facts.ts';
import { isWhole } from './last-seen.ts';
import { laterFactsOf, type RecordKey } from './listing-columns.ts';

interface KnownListing extends RecordKey {
  id: number;
  price: number | null;
  /** Whether it is locked, because it differed from the record or its last sight is to be updated. */
  is_locked: boolean;
}

/** A feed's read counts as a sight of all its cars (see `lastSeen`). The interval is spread so that no read writes all. */
const FEED_SEEN_INTERVAL = `interval '12 hours' + l.id % 720 * interval '1 minute'`;
/** The search for relists distinguishes listings that were not seen for a quarter of an hour. */
const SEEN_INTERVAL = `interval '10 minutes'`;

/**
 * Whether the listing's last sight is to be updated. Not every read writes it, but a listing must look newer than a
 * record of it that was quarantined since.
 */
const isLastSeenStale = `(
  l.last_seen_at < now() - case when (select ${isWhole('f')} from sources f where name = $1)
    then ${FEED_SEEN_INTERVAL} else ${SEEN_INTERVAL} end
  or exists (select from quarantine q
              where q.source = $1 and q.external_id = l.external_id and q.last_seen_at >= l.last_seen_at))`;

const laterFacts = laterFactsOf('l');
const ofPage = 'l.source = $1 and l.external_id = any($2::text[])';
const idsOf = (records: readonly RecordKey[]): string[] => records.map(({ external_id }) => external_id);

/**
 * Finds the records of a page whose listings equal them and need no write, by external id. Nothing is locked: the record
 * was stored at the time of this read, and a change by another writer counts as later.
 */
export async function readUnchanged(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, number>> {
  // The records are compared here, because a join with them would be planned badly while the table is new.
  const { rows } = await client.query<RecordKey & { id: number }>({
    name: 'read-unchanged-listings',
    text: `select l.id, l.external_id, l.facts_hash, l.status, ${laterFacts} as later_facts
             from listings l where ${ofPage} and not ${isLastSeenStale}`,
    values: [source, idsOf(records)],
  });
  const known = new Map(rows.map((row) => [row.external_id, row]));
  return new Map(
    records.flatMap((record) => {
      const row = known.get(record.external_id);
      return row && isEqual(row, record) ? [[record.external_id, row.id] as const] : [];
    }),
  );
}

/** Locks the listings of records, in the same order as all writers. @returns them by external id */
export async function lockKnown(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>({
    name: 'lock-known-listings',
    text: `select l.id, l.external_id, l.facts_hash, l.status, ${laterFacts} as later_facts, l.price, true as is_locked
             from listings l where ${ofPage} order by l.external_id for update`,
    values: [source, idsOf(records)],
  });
  return new Map(rows.map((row) => [row.external_id, row]));
}

/**
 * Reads the listings of a few records, by external id. Those to be written are locked, and compared again once they are
 * locked; the others are only read. It is one statement, because a push waits for it.
 */
export async function lockDiffering(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>({
    name: 'lock-differing-listings',
    text: `with locked as materialized (
             select l.id, l.facts_hash, l.status, ${laterFacts} as later_facts, l.price from listings l
              where ${ofPage}
                and (l.facts_hash || ' ' || l.status || ' ' || ${laterFacts} <> ($3::text[])[array_position($2::text[], l.external_id)]
                     or ${isLastSeenStale})
              order by l.external_id for update
           )
           select l.id, l.external_id, k.id is not null as is_locked,
                  coalesce(k.facts_hash, l.facts_hash) as facts_hash, coalesce(k.status, l.status) as status,
                  coalesce(k.later_facts, ${laterFacts}) as later_facts,
                  case when k.id is null then l.price else k.price end as price
             from listings l left join locked k on k.id = l.id
            where ${ofPage}`,
    values: [
      source,
      idsOf(records),
      records.map(({ facts_hash, status, later_facts }) => `${facts_hash} ${status} ${later_facts}`),
    ],
  });
  return new Map(rows.map((row) => [row.external_id, row]));
}

const isSameCar = (one: RecordKey, other: RecordKey): boolean =>
  one.facts_hash === other.facts_hash && one.status === other.status;
const isEqual = (one: RecordKey, other: RecordKey): boolean =>
  isSameCar(one, other) && one.later_facts === other.later_facts;

export interface Change<T> {
  record: T;
  before: KnownListing;
}

/** A page's records, compared with the stored listings. */
interface Compared<T> {
  isNew: T[];
  changed: Change<T>[];
  /** They are as before, and only facts are added that were not read then: see `isLearned`. */
  learned: Change<T>[];
  /** Only the time of the last sight is to be written. */
  seenAgain: KnownListing[];
  unchanged: KnownListing[];
  /** Records whose listings another writer changed or deleted meanwhile. */
  overtaken: T[];
}

export function compare<T extends RecordKey>(
  records: Iterable<T>,
  known: ReadonlyMap<string, KnownListing>,
): Compared<T> {
  const compared: Compared<T> = { isNew: [], changed: [], learned: [], seenAgain: [], unchanged: [], overtaken: [] };
  for (const record of records) {
    const before = known.get(record.external_id);
    if (!before) {
      compared.isNew.push(record);
      continue;
    }
    if (isEqual(before, record)) compared[before.is_locked ? 'seenAgain' : 'unchanged'].push(before);
    else if (!before.is_locked) compared.overtaken.push(record);
    else {
      const isKnown = isSameCar(before, record) && isLearned(before.later_facts, record.later_facts);
      compared[isKnown ? 'learned' : 'changed'].push({ record, before });
    }
  }
  return compared;
}
