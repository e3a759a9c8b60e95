import type { Client } from '../base/database.ts';
import type { ListingStatus } from '../domain/facts/listing-facts.ts';

/** What tells a record that changed from one that did not. */
export interface RecordKey {
  external_id: string;
  facts_hash: string;
  status: ListingStatus;
}

export interface KnownListing extends RecordKey {
  id: number;
  price: number | null;
  /** It differed from the record, or was not noted as seen for long: it is locked and stays as it is here. */
  is_locked: boolean;
}

/** A feed's read says for all its cars that they are there: see `lastSeen`. Spread, so that no read writes them all. */
const FEED_SEEN_AGAIN = `interval '12 hours' + l.id % 720 * interval '1 minute'`;
/** The search for relists tells apart what was not seen for a quarter of an hour. */
const SEEN_AGAIN = `interval '10 minutes'`;

/**
 * Whether it is to be noted that a listing was seen again. A write at every read would be waste; but where a record of
 * the listing was set aside since, it has to be known that the listing is the newer one.
 */
const isUnnoted = `(
  l.last_seen_at < now() - case when (select kind from sources where name = $1) = 'vehicle-feed'
    then ${FEED_SEEN_AGAIN} else ${SEEN_AGAIN} end
  or exists (select from quarantine q
              where q.source = $1 and q.external_id = l.external_id and q.last_seen_at >= l.last_seen_at))`;

const ofPage = 'l.source = $1 and l.external_id = any($2::text[])';
const idsOf = (records: readonly RecordKey[]): string[] => records.map(({ external_id }) => external_id);

/**
 * Of a page's records those whose listings equal them and need no write, by external id. Nothing is locked: such a record
 * was stored at the moment of this look, and what another writer changes afterwards came later.
 */
export async function readUnchanged(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, number>> {
  // Compared here: a join with the records would be planned badly while the table is new.
  const { rows } = await client.query<RecordKey & { id: number }>({
    name: 'read-unchanged-listings',
    text: `select l.id, l.external_id, l.facts_hash, l.status from listings l where ${ofPage} and not ${isUnnoted}`,
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

/** The listings of records, locked in one order for all writers; by external id. */
export async function lockKnown(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>({
    name: 'lock-known-listings',
    text: `select l.id, l.external_id, l.facts_hash, l.status, l.price, true as is_locked
             from listings l where ${ofPage} order by l.external_id for update`,
    values: [source, idsOf(records)],
  });
  return new Map(rows.map((row) => [row.external_id, row]));
}

/**
 * The listings of a few records, by external id. Those to be written are locked, and compared again once they are; the
 * others are only read. In one statement, as a push waits for it.
 */
export async function lockDiffering(
  client: Client,
  source: string,
  records: readonly RecordKey[],
): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>({
    name: 'lock-differing-listings',
    text: `with locked as materialized (
             select l.id, l.facts_hash, l.status, l.price from listings l
              where ${ofPage}
                and (l.facts_hash || ' ' || l.status <> ($3::text[])[array_position($2::text[], l.external_id)]
                     or ${isUnnoted})
              order by l.external_id for update
           )
           select l.id, l.external_id, k.id is not null as is_locked,
                  coalesce(k.facts_hash, l.facts_hash) as facts_hash, coalesce(k.status, l.status) as status,
                  case when k.id is null then l.price else k.price end as price
             from listings l left join locked k on k.id = l.id
            where ${ofPage}`,
    values: [source, idsOf(records), records.map(({ facts_hash, status }) => `${facts_hash} ${status}`)],
  });
  return new Map(rows.map((row) => [row.external_id, row]));
}

const isEqual = (one: RecordKey, other: RecordKey): boolean =>
  one.facts_hash === other.facts_hash && one.status === other.status;

export interface Change<T> {
  record: T;
  before: KnownListing;
}

/** What a page's records are next to the listings that are known of them. */
export interface Compared<T> {
  isNew: T[];
  changed: Change<T>[];
  /** Nothing but when it was last seen. */
  seenAgain: KnownListing[];
  unchanged: KnownListing[];
  /** Somebody changed or deleted it while it was looked at. */
  overtaken: T[];
}

export function compare<T extends RecordKey>(
  records: Iterable<T>,
  known: ReadonlyMap<string, KnownListing>,
): Compared<T> {
  const compared: Compared<T> = { isNew: [], changed: [], seenAgain: [], unchanged: [], overtaken: [] };
  for (const record of records) {
    const before = known.get(record.external_id);
    if (!before) {
      compared.isNew.push(record);
      continue;
    }
    if (isEqual(before, record)) compared[before.is_locked ? 'seenAgain' : 'unchanged'].push(before);
    else if (before.is_locked) compared.changed.push({ record, before });
    else compared.overtaken.push(record);
  }
  return compared;
}
