import { channels } from '../base/channels.ts';
import type { Client, Pool } from '../base/database.ts';
import { ConcurrentWrite, inRetriedTransaction } from '../base/retried-transaction.ts';
import { type ListingFacts, type ParsedRecord, storableText } from '../domain/facts/listing-facts.ts';
import { countIntake } from './count-intake.ts';
import { type StoredFacts, storeFacts } from './store-facts.ts';

/** A quarantined record and the current reader's result; null when it can't be parsed alone. */
export interface RetriedRecord {
  id: number;
  parsed: ParsedRecord | null;
}

/** The outcomes of retried records, which add up to the records that still existed. */
export interface RetriedCounts {
  accepted: number;
  updated: number;
  unchanged: number;
  /** Deleted because the listing has been stored since, or because a later record of it was parsed too. */
  newer: number;
  /** Still rejected, with the current code and reason. */
  rejected: number;
}

interface LockedRecord {
  id: number;
  firstSeenAt: Date;
  /** Microseconds since 1970, because two records of one listing may come within a millisecond. */
  lastSeenMicros: number;
  announce: boolean;
}

interface ParsedRecordOfQuarantine extends LockedRecord {
  facts: ListingFacts;
}

const DAY_MS = 86_400_000;
const micros = '(extract(epoch from last_seen_at) * 1000000)::int8';

/**
 * Stores the records of a source that can be parsed now, as of when each was last seen, so that facts stored later stay.
 * Stored and outdated records leave the quarantine. It is one transaction, so that a crash or a second call changes
 * nothing twice. A listing is announced only when its page would have announced it and it is younger than a day.
 */
export async function storeRetried(pool: Pool, source: string, records: RetriedRecord[]): Promise<RetriedCounts> {
  return inRetriedTransaction(pool, (client) => storeOnce(client, source, records));
}

async function storeOnce(client: Client, source: string, records: RetriedRecord[]): Promise<RetriedCounts> {
  const factsById = new Map(
    records.flatMap(({ id, parsed }) =>
      parsed && 'facts' in parsed
        ? [[id, { ...parsed.facts, externalId: storableText(parsed.facts.externalId) }] as const]
        : [],
    ),
  );
  // Two concurrent retries of a source would wait for each other's rows.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`retry:${source}`]);
  // As for every page, listings are locked before quarantined records, each in a fixed order, to prevent deadlocks.
  const known = await lockListings(client, source, [...factsById.values()]);
  const held = await lockRecords(
    client,
    records.map(({ id }) => id),
  );
  const parsed = held.flatMap((record) => {
    const facts = factsById.get(record.id);
    return facts ? [{ ...record, facts }] : [];
  });
  const current = newestOfEach(parsed).filter(
    ({ facts, lastSeenMicros }) => (known.get(facts.externalId) ?? 0) < lastSeenMicros,
  );
  const stored = await storeCurrent(client, source, current);
  if ([...stored].some(([externalId, { status }]) => !known.has(externalId) && status !== 'accepted')) {
    throw new ConcurrentWrite('A listing came in between.');
  }
  await setTimes(client, current, stored);
  await client.query('delete from quarantine where id = any($1)', [parsed.map(({ id }) => id)]);
  const rejected = await updateRejected(client, records);

  const count = (status: StoredFacts['status']) => [...stored.values()].filter((one) => one.status === status).length;
  const counts = { accepted: count('accepted'), updated: count('updated'), unchanged: count('unchanged') };
  await countIntake(client, source, { ...counts, newRejects: 0, lagsMs: [], externalIds: [] });
  if (counts.accepted + counts.updated > 0) await client.query("select pg_notify($1, 'match')", [channels.work]);
  return { ...counts, newer: parsed.length - current.length, rejected };
}

async function lockListings(client: Client, source: string, facts: ListingFacts[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ external_id: string; micros: number }>({
    name: 'lock-quarantined-listings',
    text: `select external_id, ${micros} as micros from listings
      where source = $1 and external_id = any($2) order by external_id for update`,
    values: [source, facts.map(({ externalId }) => externalId)],
  });
  return new Map(rows.map((row) => [row.external_id, row.micros]));
}

/** Locks the records that still exist. */
async function lockRecords(client: Client, ids: number[]): Promise<LockedRecord[]> {
  const { rows } = await client.query<LockedRecord>(
    `select id, first_seen_at as "firstSeenAt", ${micros} as "lastSeenMicros", announce
       from quarantine where id = any($1) order by record_hash for update`,
    [ids],
  );
  return rows;
}

function newestOfEach(records: ParsedRecordOfQuarantine[]): ParsedRecordOfQuarantine[] {
  const newest = new Map<string, ParsedRecordOfQuarantine>();
  for (const record of records.toSorted((a, b) => a.lastSeenMicros - b.lastSeenMicros || a.id - b.id)) {
    newest.set(record.facts.externalId, record);
  }
  return [...newest.values()];
}

async function storeCurrent(
  client: Client,
  source: string,
  current: ParsedRecordOfQuarantine[],
): Promise<Map<string, StoredFacts>> {
  const yesterday = Date.now() - DAY_MS;
  const isNews = ({ announce, facts, firstSeenAt }: ParsedRecordOfQuarantine) =>
    announce && (facts.listedAt ?? firstSeenAt).getTime() > yesterday;
  const stored = new Map<string, StoredFacts>();
  for (const announce of [true, false]) {
    const part = current.filter((record) => isNews(record) === announce).map(({ facts }) => facts);
    for (const [externalId, one] of await storeFacts(client, source, part, announce)) stored.set(externalId, one);
  }
  return stored;
}

/** Sets when each listing was seen to the time of its record. */
async function setTimes(
  client: Client,
  current: ParsedRecordOfQuarantine[],
  stored: Map<string, StoredFacts>,
): Promise<void> {
  const rows = current.flatMap((record) => {
    const one = stored.get(record.facts.externalId);
    return one ? [{ ...record, ...one }] : [];
  });
  await client.query(
    `with r as materialized (
       select id, is_new, first_seen, timestamptz 'epoch' + micros * interval '1 microsecond' as last_seen
         from unnest($1::int8[], $2::bool[], $3::timestamptz[], $4::int8[]) as given (id, is_new, first_seen, micros)
     )
     update listings l
        set last_seen_at = r.last_seen, seen_at = case when r.is_new then r.first_seen else l.seen_at end
       from r where l.id = r.id`,
    [
      rows.map(({ listingId }) => listingId),
      rows.map(({ status }) => status === 'accepted'),
      rows.map(({ firstSeenAt }) => firstSeenAt),
      rows.map(({ lastSeenMicros }) => lastSeenMicros),
    ],
  );
}

async function updateRejected(client: Client, records: RetriedRecord[]): Promise<number> {
  const rejections: { id: number; code: string | null; reason: string | null }[] = [];
  for (const { id, parsed } of records) {
    if (parsed === null) rejections.push({ id, code: null, reason: null });
    else if ('rejection' in parsed) rejections.push({ id, ...parsed.rejection });
  }
  const { rowCount } = await client.query(
    `update quarantine q set code = coalesce(r.code, q.code), reason = coalesce(r.reason, q.reason), retried_at = now()
       from unnest($1::int8[], $2::text[], $3::text[]) as r (id, code, reason)
      where q.id = r.id`,
    [
      rejections.map(({ id }) => id),
      rejections.map(({ code }) => code),
      rejections.map(({ reason }) => reason && storableText(reason).slice(0, 1000)),
    ],
  );
  return rowCount ?? 0;
}
