import { type Client, pipeline } from '../base/database.ts';
import { ConcurrentWrite } from '../base/retried-transaction.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import type { PriceModel } from '../domain/prices/price-model.ts';
import { factsBefore, factsOfNew } from '../entities/facts-before.ts';
import { factsOfUnmarked, markChanged, markNew, requireCopies, unmarked } from '../placement/listing-marks.ts';
import { announceEnded } from './announce-ended.ts';
import { type Change, compare, lockDiffering, lockKnown, readUnchanged } from './known-listings.ts';
import { updateLearned } from './learned-facts.ts';
import { findCandidates, linkNew, lockNewCars } from './link-cars.ts';
import { columnNames, columnSettings, recordset, type StorableRecord, toRecord, toRow } from './listing-columns.ts';
import { withOtherTexts, writeTexts } from './listing-texts.ts';

export interface StoredFacts {
  status: 'accepted' | 'updated' | 'unchanged';
  listingId: number;
}

/** Up to this many records are stored with the fewest round trips, more with the least work. */
const FEW = 20;

/**
 * Inserts or updates listings by (source, external id); `facts` has every id once. New and changed listings that are for
 * sale are marked for matching; unchanged ones are not locked. Facts that are only now read are added without news.
 * @param prices gives new and changed listings their price bands; without it they have none until the next fit
 * @returns the outcome by external id
 * @throws ConcurrentWrite when other transactions keep writing the same listings
 */
export async function storeFacts(
  client: Client,
  source: string,
  facts: ListingFacts[],
  announce: boolean,
  prices: PriceModel | null = null,
): Promise<Map<string, StoredFacts>> {
  const stored = new Map<string, StoredFacts>();
  if (facts.length === 0) return stored;
  // All writers use the same order, so that two pages with the same cars wait for each other instead of deadlocking.
  const sorted = facts.map(toRecord).sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
  const page = sorted.map(({ external_id }) => external_id);
  // Most records of a large page are known and unchanged, which one read finds.
  const isFew = page.length <= FEW;
  const known = isFew ? new Map<string, number>() : await readUnchanged(client, source, sorted);
  for (const [externalId, listingId] of known) stored.set(externalId, { status: 'unchanged', listingId });
  const records = sorted.filter(({ external_id }) => !known.has(external_id));
  if (records.length === 0) return stored;

  // A few pushed records are mostly new, so they are inserted before the comparison, which saves a round trip.
  const allFacts = records.map((record) => record.facts);
  const [, early, earlyCandidates, seen] = await pipeline(client, () => [
    announce ? lockNewCars(client, source, allFacts) : undefined,
    isFew ? insertNew(client, source, records, announce, prices) : [],
    isFew ? findCandidates(client, source, allFacts, page) : undefined,
    isFew ? lockDiffering(client, source, records) : lockKnown(client, source, records),
  ]);
  for (const { external_id } of early) seen.delete(external_id);
  const earlyIds = new Set(early.map(({ external_id }) => external_id));
  const rest = records.filter(({ external_id }) => !earlyIds.has(external_id));
  const { isNew, changed, learned, seenAgain, unchanged, overtaken } = compare(rest, seen);
  const news = records.filter(({ external_id }) => !seen.has(external_id));
  const toWrite = [...[...changed, ...learned].map(({ before }) => before.id), ...seenAgain.map(({ id }) => id)];
  await requireCopies(client, toWrite);
  const isComplete = earlyCandidates !== undefined && isNew.length + changed.length === 0;
  const [late, , , , found] = await pipeline(client, () => [
    insertNew(client, source, isNew, announce, prices),
    updateChanged(client, changed, announce, prices),
    updateLearned(client, learned, prices),
    updateLastSeen(client, seenAgain),
    isComplete
      ? earlyCandidates
      : findCandidates(
          client,
          source,
          news.map((record) => record.facts),
          page,
        ),
  ]);
  const inserted = [...early, ...late];
  const setOutcome = (status: StoredFacts['status'], list: readonly { id: number; external_id: string }[]) => {
    for (const { id, external_id } of list) stored.set(external_id, { status, listingId: id });
  };
  const setUpdated = (changes: readonly Change<StorableRecord>[]) =>
    setOutcome(
      'updated',
      changes.map(({ before }) => before),
    );
  const written = [...changed, ...learned];
  setOutcome('accepted', inserted);
  setOutcome('unchanged', [...unchanged, ...seenAgain]);
  setUpdated(written);
  if (overtaken.length > 0 || late.length < isNew.length) {
    // Another page stored or changed them between the read and the write.
    const open = records.filter(({ external_id }) => !stored.has(external_id));
    const now = compare(open, await lockKnown(client, source, open));
    if (now.isNew.length > 0) throw new ConcurrentWrite('Others write the same listings.');
    await updateChanged(client, now.changed, announce, prices);
    await updateLearned(client, now.learned, prices);
    await updateLastSeen(client, now.seenAgain);
    setOutcome('unchanged', [...now.unchanged, ...now.seenAgain]);
    setUpdated([...now.changed, ...now.learned]);
    written.push(...now.changed, ...now.learned);
  }
  const ids = new Map(inserted.map(({ id, external_id }) => [external_id, id]));
  const listings = news.flatMap(({ external_id, text_hash, facts }) => {
    const id = ids.get(external_id);
    return id === undefined ? [] : [{ id, text_hash, facts }];
  });
  await pipeline(client, () => [
    writeTexts(client, [...listings.filter((one) => one.text_hash !== ''), ...withOtherTexts(written)]),
    linkNew(client, source, listings, found),
  ]);
  return stored;
}

async function insertNew(
  client: Client,
  source: string,
  records: readonly StorableRecord[],
  announce: boolean,
  prices: PriceModel | null,
) {
  if (records.length === 0) return [];
  const inserted = await client.query<{ id: number; external_id: string }>({
    name: 'insert-new-listings',
    text: `with stored as (
             insert into listings (source, announce, pending_match, facts_before, ${columnNames})
             select $1, $3, false, ${factsOfNew('r.status')}, ${columnNames} from ${recordset('$2')}
               left join (select external_id as known_id from listings where source = $1) k on k.known_id = r.external_id
              where k.known_id is null
              order by r.external_id
             on conflict (source, external_id) do nothing returning id, version, external_id, status
           ), marked as (${markNew(`stored where status = '${ListingStatus.forSale}'`)})
           select id, external_id from stored`,
    values: [source, JSON.stringify(records.map((record) => toRow(record, prices))), announce],
  });
  return inserted.rows;
}

const isForSale = `r.status = '${ListingStatus.forSale}'`;

/** Updates listings by id, since the planner can't know how few a page's rows are, and writes their price history. */
async function updateChanged(
  client: Client,
  changed: readonly Change<StorableRecord>[],
  announce: boolean,
  prices: PriceModel | null,
): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map(({ record, before }) => ({ id: before.id, ...toRow(record, prices) }));
  await Promise.all([
    client.query({
      name: 'update-changed-listings',
      text: `with r as materialized (select * from ${recordset('$2')}),
                  marked as (${markChanged(`listings l join r on r.id = l.id where ${isForSale}`, true)}),
                  ${unmarked(`select id from r where not ${isForSale}`)}
             update listings l
                set ${columnSettings}, announce = $1, last_seen_at = now(), changed_at = now(), missed_reads = 0,
                    version = l.version + 1, pending_match = false, pending_filters = false,
                    facts_before = ended.facts,
                    photo_hash = case when l.image_url is not distinct from r.image_url then l.photo_hash end,
                    photo_place = case when l.image_url is not distinct from r.image_url then l.photo_place end
               from r
               left join lateral (
                 select coalesce(${factsOfUnmarked('e')}, ${factsBefore('e')}) as facts
                   from listings e where e.id = r.id and not ${isForSale}) ended on true
              where l.id = r.id`,
      values: [announce, JSON.stringify(rows)],
    }),
    insertPriceChanges(
      client,
      changed.filter(({ record, before }) => record.facts.price !== before.price),
    ),
    announceEnded(
      client,
      changed.filter(({ record, before }) => isEnded(record) && !isEnded(before)).map(({ before }) => before.id),
    ),
  ]);
}

const isEnded = ({ status }: { status: ListingStatus }): boolean =>
  status === ListingStatus.sold || status === ListingStatus.gone;

async function insertPriceChanges(client: Client, changes: readonly Change<StorableRecord>[]): Promise<void> {
  if (changes.length === 0) return;
  await client.query({
    name: 'note-price-changes',
    text: `insert into price_changes (listing_id, price, seen_at)
           select c.id, c.before, l.seen_at
             from unnest($1::int8[], $2::int4[]) as c (id, before) join listings l on l.id = c.id
            where not exists (select from price_changes p where p.listing_id = c.id)
           union all
           select c.id, c.price, now() from unnest($1::int8[], $3::int4[]) as c (id, price)`,
    values: [
      changes.map(({ before }) => before.id),
      changes.map(({ before }) => before.price),
      changes.map(({ record }) => record.facts.price),
    ],
  });
}

/** Updates when listings were last seen, which decides when they are gone. */
async function updateLastSeen(client: Client, listings: readonly { id: number }[]): Promise<void> {
  if (listings.length === 0) return;
  await client.query({
    name: 'note-seen-again',
    text: 'update listings set last_seen_at = now() where id = any($1)',
    values: [listings.map(({ id }) => id)],
  });
}
