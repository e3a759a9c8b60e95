import { type Client, inOneGo } from '../base/database.ts';
import { listingSearchColumns } from '../domain/criteria/listing-search.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import { factsHash } from '../domain/facts/listing-identity.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import { readVin } from '../domain/same-car/vin.ts';
import { findCandidates, linkNew } from './same-car/link-new.ts';
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

/** The columns of `listings` that facts fill, with their types; `json_to_recordset` takes whole pages at once. */
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
const types = columns.map(([name, type]) => `${name} ${type}`).join(', ');
const recordset = `json_to_recordset($2::json) as r (id int8, ${types})`;

const storable = (text: string | null): string | null => (text === null ? null : storableText(text));

const SEEN_AGAIN_EVERY = '10 minutes';
const EAGER_PAGE = 20;

type Row = Record<(typeof columns)[number][0], unknown>;

function toRow(facts: ListingFacts): Row {
  const search = listingSearchColumns(facts);
  return {
    external_id: storableText(facts.externalId),
    status: facts.status,
    title: storable(facts.title),
    make: storable(facts.make),
    model: storable(facts.model),
    year: facts.year,
    price: facts.price,
    mileage: facts.mileageMiles,
    transmission: storable(facts.transmission),
    color: storable(facts.color),
    condition: storable(facts.condition),
    city: storable(facts.city),
    state: storable(facts.state),
    lat: facts.lat,
    lng: facts.lng,
    image_url: storable(facts.images[0] ?? null),
    images: facts.images.map(storableText),
    url: storable(facts.url),
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

interface Change {
  id: number;
  row: Row;
  before: KnownListing;
}

/** What a page's rows are next to the listings that are known of them. */
function compare(rows: ReadonlyMap<string, Row>, known: ReadonlyMap<string, KnownListing>) {
  const isNew: Row[] = [];
  const changed: Change[] = [];
  const unchanged: KnownListing[] = [];
  for (const [externalId, row] of rows) {
    const before = known.get(externalId);
    if (!before) isNew.push(row);
    else if (before.facts_hash === row.facts_hash && before.status === row.status) unchanged.push(before);
    else changed.push({ id: before.id, row, before });
  }
  return { isNew, changed, unchanged };
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
  const page = [...rows.keys()];

  // A few that are pushed are mostly new: they are inserted before it is known, which saves a way to the server.
  const isEager = page.length <= EAGER_PAGE;
  const [, early, guessed, seen] = await inOneGo(client, () => [
    announce ? lockNewCars(client, source, sorted) : undefined,
    isEager ? insertNew(client, source, [...rows.values()], announce) : [],
    isEager ? findCandidates(client, source, sorted, page) : undefined,
    readKnown(client, source, page),
  ]);
  for (const { external_id } of early) seen.delete(external_id);
  const earlyIds = new Set(early.map(({ external_id }) => external_id));
  const rest = new Map([...rows].filter(([externalId]) => !earlyIds.has(externalId)));
  const { isNew, changed, unchanged } = compare(rest, seen);
  const news = sorted.filter(({ externalId }) => !seen.has(externalId));
  const isSettled = guessed !== undefined && isNew.length + changed.length === 0;
  const [late, , , found] = await inOneGo(client, () => [
    insertNew(client, source, isNew, announce),
    updateChanged(client, changed, announce),
    touchUnchanged(client, source, unchanged),
    isSettled ? guessed : findCandidates(client, source, news, page),
  ]);
  const inserted = [...early, ...late];
  const note = (status: StoredFacts['status'], list: readonly { id: number; external_id: unknown }[]) => {
    for (const { id, external_id } of list) stored.set(String(external_id), { status, listingId: id });
  };
  note('accepted', inserted);
  note('unchanged', unchanged);
  note(
    'updated',
    changed.map(({ id, before }) => ({ ...before, id })),
  );
  if (late.length < isNew.length) {
    // Another page stored them between our look and our insert.
    const open = new Map([...rows].filter(([externalId]) => !stored.has(externalId)));
    const now = compare(open, await readKnown(client, source, [...open.keys()]));
    await updateChanged(client, now.changed, announce);
    await touchUnchanged(client, source, now.unchanged);
    note('unchanged', now.unchanged);
    note(
      'updated',
      now.changed.map(({ before }) => before),
    );
  }
  const ids = new Map(inserted.map(({ id, external_id }) => [external_id, id]));
  const listings = news.flatMap((one) => {
    const id = ids.get(one.externalId);
    return id === undefined ? [] : [{ id, facts: one }];
  });
  await linkNew(client, source, listings, found);
  return stored;
}

async function readKnown(client: Client, source: string, externalIds: string[]): Promise<Map<string, KnownListing>> {
  const { rows } = await client.query<KnownListing>({
    name: 'read-known-listings',
    text: `select id, external_id, facts_hash, status, price from listings
            where source = $1 and external_id = any($2) order by external_id for update`,
    values: [source, externalIds],
  });
  return new Map(rows.map((row) => [row.external_id, row]));
}

async function insertNew(client: Client, source: string, rows: Row[], announce: boolean) {
  if (rows.length === 0) return [];
  const inserted = await client.query<{ id: number; external_id: string }>({
    name: 'insert-new-listings',
    text: `insert into listings (source, announce, pending_match, ${columnNames})
           select $1, $3, r.status = '${ListingStatus.forSale}', ${columnNames} from ${recordset}
            where not exists (select from listings k where k.source = $1 and k.external_id = r.external_id)
            order by r.external_id
           on conflict (source, external_id) do nothing returning id, external_id`,
    values: [source, JSON.stringify(rows), announce],
  });
  return inserted.rows;
}

/** With their price history. By id: of a page's rows the planner can't know how few they are. */
async function updateChanged(client: Client, changed: Change[], announce: boolean): Promise<void> {
  if (changed.length === 0) return;
  const settings = columns.map(([name]) => `${name} = r.${name}`).join(', ');
  const rows = changed.map(({ id, row }) => ({ id, ...row }));
  await Promise.all([
    client.query({
      name: 'update-changed-listings',
      text: `update listings l
                set ${settings}, announce = $1, last_seen_at = now(), changed_at = now(), missed_reads = 0,
                    pending_match = r.status = '${ListingStatus.forSale}',
                    photo_hash = case when l.image_url is not distinct from r.image_url then l.photo_hash end
               from ${recordset}
              where l.id = r.id`,
      values: [announce, JSON.stringify(rows)],
    }),
    notePriceChanges(
      client,
      changed.filter(({ row, before }) => row.price !== before.price),
    ),
  ]);
}

async function notePriceChanges(client: Client, changes: Change[]): Promise<void> {
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
      changes.map(({ id }) => id),
      changes.map(({ before }) => before.price),
      changes.map(({ row }) => row.price),
    ],
  });
}

/**
 * How long a car has not been seen decides when it is gone; a write at every read of a page would be waste. But where
 * a record of the car was set aside since, it has to be known that the listing is the newer one.
 */
async function touchUnchanged(client: Client, source: string, unchanged: readonly KnownListing[]): Promise<void> {
  if (unchanged.length === 0) return;
  await client.query({
    name: 'touch-unchanged-listings',
    text: `update listings set last_seen_at = now()
            where id = any($1) and (last_seen_at < now() - interval '${SEEN_AGAIN_EVERY}' or external_id in (
              select q.external_id from quarantine q
               where q.source = $2 and q.external_id = any($3)
                 and q.last_seen_at > now() - interval '${SEEN_AGAIN_EVERY}'))`,
    values: [unchanged.map(({ id }) => id), source, unchanged.map(({ external_id }) => external_id)],
  });
}
