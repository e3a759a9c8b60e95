import type { Client } from '../base/database.ts';
import { listingSearchColumns } from '../domain/criteria/listing-search.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import { factsHash } from '../domain/facts/listing-identity.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import { readVin } from '../domain/same-car/vin.ts';
import { linkNew } from './same-car/link-new.ts';
import { lockNewCars } from './same-car/lock-new-cars.ts';

export interface StoredFacts {
  status: 'accepted' | 'updated' | 'unchanged';
  listingId: number;
}

interface KnownListing {
  id: number;
  external_id: string;
  facts_hash: string;
  status: ListingStatus;
  price: number | null;
}

/** A column of `listings`, its type, and how it is filled; `jsonb_to_recordset` takes whole pages at once. */
const columns = [
  ['external_id', 'text'],
  ['status', 'text'],
  ['title', 'text'],
  ['make', 'text'],
  ['model', 'text'],
  ['year', 'int2'],
  ['price', 'int4'],
  ['mileage', 'int4'],
  ['transmission', 'text'],
  ['color', 'text'],
  ['condition', 'text'],
  ['city', 'text'],
  ['state', 'text'],
  ['lat', 'float8'],
  ['lng', 'float8'],
  ['image_url', 'text'],
  ['images', 'text[]'],
  ['url', 'text'],
  ['listed_at', 'timestamptz'],
  ['facts_hash', 'text'],
  ['vin', 'text'],
  ['make_key', 'int8'],
  ['model_key', 'int8'],
  ['color_code', 'int2'],
  ['x', 'float8'],
  ['y', 'float8'],
  ['z', 'float8'],
] as const;
const columnNames = columns.map(([name]) => name).join(', ');
const recordset = `jsonb_to_recordset($2::jsonb) as r (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`;

const toJson = (rows: Row[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? storableText(value) : value));

const SEEN_AGAIN_EVERY = '10 minutes';

type Row = Record<(typeof columns)[number][0], unknown>;

function toRow(facts: ListingFacts): Row {
  const search = listingSearchColumns(facts);
  return {
    external_id: facts.externalId,
    status: facts.status,
    title: facts.title,
    make: facts.make,
    model: facts.model,
    year: facts.year,
    price: facts.price,
    mileage: facts.mileageMiles,
    transmission: facts.transmission,
    color: facts.color,
    condition: facts.condition,
    city: facts.city,
    state: facts.state,
    lat: facts.lat,
    lng: facts.lng,
    image_url: facts.images[0] ?? null,
    images: facts.images,
    url: facts.url,
    listed_at: facts.listedAt,
    facts_hash: factsHash(facts),
    vin: readVin(facts.vin),
    make_key: search.makeKey,
    model_key: search.modelKey,
    color_code: search.colorCode,
    x: search.x,
    y: search.y,
    z: search.z,
  };
}

/**
 * Inserts or updates listings by (source, external id); every id stands once in `facts`. New and changed ones that are
 * for sale are marked for matching. @returns what became of each external id
 */
export async function storeFacts(
  client: Client,
  source: string,
  facts: ListingFacts[],
  announce: boolean,
): Promise<Map<string, StoredFacts>> {
  const stored = new Map<string, StoredFacts>();
  if (facts.length === 0) return stored;
  // One order for all writers: two pages with the same cars then wait for each other instead of deadlocking.
  const sorted = [...facts].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  const rows = new Map(sorted.map((one) => [one.externalId, toRow(one)]));

  if (announce) await lockNewCars(client, source, sorted);
  let known = await readKnown(client, source, [...rows.keys()]);
  const isNew = [...rows.values()].filter((row) => !known.has(String(row.external_id)));
  const inserted = await insertNew(client, source, isNew, announce);
  for (const { id, external_id } of inserted) stored.set(external_id, { status: 'accepted', listingId: id });
  if (inserted.length < isNew.length) known = await readKnown(client, source, [...rows.keys()]);
  const changed: { id: number; row: Row; before: KnownListing }[] = [];
  for (const [externalId, row] of rows) {
    const before = known.get(externalId);
    if (!before || stored.has(externalId)) continue;
    const unchanged = before.facts_hash === row.facts_hash && before.status === row.status;
    stored.set(externalId, { status: unchanged ? 'unchanged' : 'updated', listingId: before.id });
    if (!unchanged) changed.push({ id: before.id, row, before });
  }
  await updateChanged(
    client,
    source,
    changed.map(({ row }) => row),
    announce,
  );
  await notePriceChanges(
    client,
    changed.filter(({ row, before }) => row.price !== before.price),
  );
  // By now what the same page says of its earlier listings is known: that one is sold, for instance.
  const newFacts = new Map(sorted.map((one) => [one.externalId, one]));
  await linkNew(
    client,
    source,
    inserted.flatMap(({ id, external_id }) => {
      const of = newFacts.get(external_id);
      return of ? { id, facts: of } : [];
    }),
    [...rows.keys()],
  );
  await touchUnchanged(client, source, stored);
  return stored;
}

async function readKnown(client: Client, source: string, externalIds: string[]): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>(
    `select id, external_id, facts_hash, status, price from listings
      where source = $1 and external_id = any($2) order by external_id for update`,
    [source, externalIds],
  );
  return new Map(rows.map((row) => [row.external_id, row]));
}

async function insertNew(client: Client, source: string, rows: Row[], announce: boolean) {
  if (rows.length === 0) return [];
  const inserted = await client.query<{ id: number; external_id: string }>(
    `insert into listings (source, announce, pending_match, ${columnNames})
     select $1, $3, r.status = '${ListingStatus.forSale}', ${columnNames} from ${recordset}
     on conflict (source, external_id) do nothing returning id, external_id`,
    [source, toJson(rows), announce],
  );
  return inserted.rows;
}

async function updateChanged(client: Client, source: string, rows: Row[], announce: boolean): Promise<void> {
  if (rows.length === 0) return;
  const settings = columns.map(([name]) => `${name} = r.${name}`).join(', ');
  await client.query(
    `update listings l
        set ${settings}, announce = $3, last_seen_at = now(), changed_at = now(), missed_reads = 0,
            pending_match = r.status = '${ListingStatus.forSale}',
            photo_hash = case when l.image_url is not distinct from r.image_url then l.photo_hash end
       from ${recordset}
      where l.source = $1 and l.external_id = r.external_id`,
    [source, toJson(rows), announce],
  );
}

async function notePriceChanges(
  client: Client,
  changes: { id: number; row: { price: unknown }; before: { price: number | null } }[],
): Promise<void> {
  if (changes.length === 0) return;
  await client.query(
    `insert into price_changes (listing_id, price, seen_at)
     select c.id, c.before, l.seen_at
       from unnest($1::int8[], $2::int4[]) as c (id, before) join listings l on l.id = c.id
      where not exists (select from price_changes p where p.listing_id = c.id)
     union all
     select c.id, c.price, now() from unnest($1::int8[], $3::int4[]) as c (id, price)`,
    [changes.map(({ id }) => id), changes.map(({ before }) => before.price), changes.map(({ row }) => row.price)],
  );
}

/**
 * How long a car has not been seen decides when it is gone; a write at every read of a page would be waste. But where
 * a record of the car was set aside since, it has to be known that the listing is the newer one.
 */
async function touchUnchanged(client: Client, source: string, stored: Map<string, StoredFacts>): Promise<void> {
  const unchanged = [...stored].filter(([, one]) => one.status === 'unchanged');
  if (unchanged.length === 0) return;
  await client.query(
    `update listings set last_seen_at = now()
      where id = any($1) and (last_seen_at < now() - interval '${SEEN_AGAIN_EVERY}' or external_id in (
        select q.external_id from quarantine q
         where q.source = $2 and q.external_id = any($3) and q.last_seen_at > now() - interval '${SEEN_AGAIN_EVERY}'))`,
    [unchanged.map(([, one]) => one.listingId), source, unchanged.map(([externalId]) => externalId)],
  );
}
