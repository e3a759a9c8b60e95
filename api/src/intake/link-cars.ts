import { locks } from '../base/advisory-lock.ts';
import { channels } from '../base/channels.ts';
import type { Client } from '../base/database.ts';
import { readVin } from '../domain/facts/facts-from-text.ts';
import type { ListingFacts } from '../domain/facts/listing-facts.ts';
import {
  type ComparedListing,
  candidateFilter,
  carLocks,
  compareCars,
  type GroupedListing,
  groupCars,
  RELIST_DAYS,
} from '../domain/same-car/compare-cars.ts';
import { requireCopies } from '../placement/listing-marks.ts';
import { lastSeen } from './last-seen.ts';

/** A stored listing as it is compared; `car` is its own id while no other listing is known to be the same car. */
interface StoredListing extends ComparedListing {
  id: number;
  car: number;
  hasPhoto: boolean;
}

/** The columns of `listings o`; the caller adds `lastSeenAt`. */
const comparedColumns = `
  o.id, coalesce(o.car_id, o.id) as car, o.source, o.status, o.title, o.make, o.model, o.year, o.price,
  o.mileage as "mileageMiles", o.vin, o.transmission, o.color, o.condition, o.lat, o.lng, o.seen_at as "seenAt",
  o.image_url is not null as "hasPhoto"`;

/**
 * Writes car ids as `groupCars` found them. The rows are locked first, because an update with a join that waits for a
 * lock may leave out a row that changed meanwhile.
 */
export async function setCars(client: Client, numbers: ReadonlyMap<number, number>): Promise<void> {
  if (numbers.size === 0) return;
  const cars = [...numbers.keys()];
  const { rows } = await client.query<{ id: number }>({
    name: 'lock-listings-of-cars',
    text: 'select id from listings where id = any($1::int8[]) or car_id = any($1::int8[]) order by id for update',
    values: [cars],
  });
  await requireCopies(
    client,
    rows.map(({ id }) => id),
  );
  await client.query(
    `update listings l set car_id = n.car
       from unnest($1::int8[], $2::int8[]) as n (old, car)
      where l.id = any($3::int8[]) and coalesce(l.car_id, l.id) = n.old and l.car_id is distinct from n.car`,
    [cars, [...numbers.values()], rows.map(({ id }) => id)],
  );
}

/**
 * Locks the keys of new cars until the transaction ends, so that of two sources that list one car at the same time the
 * second sees the first, and the car is announced once. The locks are taken in order, before any row is locked.
 */
export async function lockNewCars(client: Client, source: string, facts: readonly ListingFacts[]): Promise<void> {
  const keys = facts.flatMap((one) =>
    carLocks({ ...one, vin: readVin(one.vin) }).map((lock) => [one.externalId, lock] as const),
  );
  if (keys.length === 0) return;
  await client.query({
    name: 'lock-new-cars',
    text: `select pg_advisory_xact_lock(${locks.newCar}, n)
             from (select distinct n from unnest($2::text[], $3::int4[]) as l (external_id, n)
                    where not exists (select from listings o where o.source = $1 and o.external_id = l.external_id)
                    order by n) locks`,
    values: [source, keys.map(([externalId]) => externalId), keys.map(([, lock]) => lock)],
  });
}

interface NewListing {
  id: number;
  facts: ListingFacts;
}

/** A stored listing that may be the car of a new one. */
interface Candidate extends StoredListing {
  /** The new listing's external id. */
  newId: string;
  lastSeenAt: Date;
  now: Date;
}

/** Candidates by facts count only when they are older than the new listings' page; those by VIN may be in it too. */
interface Candidates {
  byFacts: readonly Candidate[];
  byVin: readonly Candidate[];
}

type Pair = [GroupedListing, Candidate];

/** How many candidates, the newest, one look-up by index returns. */
const CANDIDATES = 60;
/** How many candidates' photos, those nearest in price, one new listing's photo is compared with. */
const PHOTOS = 8;

/**
 * Links listings that this transaction stored to those that are the same car under another id or at another source. When
 * the facts decide, they are linked at once, before matching; otherwise a job compares their photos.
 * @param found the candidates of `findCandidates`
 */
export async function linkNew(
  client: Client,
  source: string,
  listings: NewListing[],
  found: Candidates,
): Promise<void> {
  const byId = new Map(listings.map((listing) => [listing.facts.externalId, listing]));
  const ids = new Set(listings.map(({ id }) => id));
  const candidates = [...found.byFacts.filter(({ id }) => !ids.has(id)), ...found.byVin].filter(({ newId }) =>
    byId.has(newId),
  );
  if (candidates.length === 0) return;
  const same: Pair[] = [];
  const maybe: Pair[] = [];
  for (const candidate of candidates) {
    const listing = byId.get(candidate.newId);
    if (!listing) continue;
    const { id, facts } = listing;
    const fresh = comparedListing(id, source, facts, candidate.now);
    const verdict = compareCars(candidate, fresh);
    if (verdict === 'same') same.push([fresh, candidate]);
    if (verdict === 'maybe' && candidate.hasPhoto && facts.images.length > 0) maybe.push([fresh, candidate]);
  }
  const newest = (a: Pair, b: Pair) => b[1].lastSeenAt.getTime() - a[1].lastSeenAt.getTime();
  const numbers = groupCars(same.sort(newest), candidates);
  await setCars(client, numbers);
  const open = maybe.filter(([fresh, other]) => numbers.get(fresh.car) !== (numbers.get(other.car) ?? other.car));
  await queuePhotoComparisons(
    client,
    open.sort((a, b) => priceGap(a) - priceGap(b)),
  );
}

/** The relative difference of the prices; an unknown price counts as the largest difference of one car. */
const priceGap = ([fresh, other]: Pair): number =>
  fresh.price && other.price ? Math.abs(fresh.price / other.price - 1) : 0.15;

function comparedListing(id: number, source: string, facts: ListingFacts, now: Date): GroupedListing {
  return { ...facts, id, car: id, source, vin: readVin(facts.vin), seenAt: now, lastSeenAt: now };
}

/** The parameter $1 is a JSON array of the filters. */
const candidatesSql = (found: string) => `
  select n.id as "newId", now() as now, ${comparedColumns},
         case when o.source = $2 and o.external_id = any($3::text[]) then now() else seen.at end as "lastSeenAt"
    from json_to_recordset($1::json) as n (id text, key int8, year int2, low int4, high int4, vin text)
   cross join lateral (select * from listings where ${found} order by seen_at desc, id desc limit ${CANDIDATES}) o
   cross join lateral (select ${lastSeen('o')} as at) seen
   where not (o.source = $2 and o.external_id = n.id) and seen.at > now() - interval '${RELIST_DAYS} days'`;

const byFactsSql = candidatesSql(
  'model_key = n.key and year = n.year and (mileage between n.low and n.high or mileage is null)',
);
const byVinSql = candidatesSql('vin = n.vin');

/**
 * Finds stored listings that may be the cars of new ones. Call it in the transaction that stores these, after the page's
 * changes of known listings are written, for instance that one is sold.
 * @param listings the new listings, stored before or after this call
 * @param page every external id of their page
 */
export async function findCandidates(
  client: Client,
  source: string,
  listings: readonly ListingFacts[],
  page: string[],
): Promise<Candidates> {
  const filters = listings.flatMap((facts) => {
    const filter = candidateFilter(facts);
    if (!filter) return [];
    const { keys, year, mileageMin: low, mileageMax: high } = filter;
    return keys.map((key) => ({ id: facts.externalId, key, year, low, high }));
  });
  const vins = listings.flatMap(({ externalId: id, vin: stated }) => {
    const vin = readVin(stated);
    return vin ? { id, vin } : [];
  });
  const ask = async (name: string, text: string, asked: readonly unknown[]): Promise<Candidate[]> => {
    if (asked.length === 0) return [];
    return (await client.query<Candidate>({ name, text, values: [JSON.stringify(asked), source, page] })).rows;
  };
  const [ofFacts, ofVin] = await Promise.all([
    ask('same-car-by-facts', byFactsSql, filters),
    ask('same-car-by-vin', byVinSql, vins),
  ]);
  return { byFacts: ofFacts, byVin: ofVin };
}

async function queuePhotoComparisons(client: Client, pairs: readonly Pair[]): Promise<void> {
  const asked = new Map<number, number>();
  const chosen = pairs.filter(([{ id }]) => {
    const count = (asked.get(id) ?? 0) + 1;
    asked.set(id, count);
    return count <= PHOTOS;
  });
  if (chosen.length === 0) return;
  await client.query(
    `insert into car_candidates (listing_id, other_id) select * from unnest($1::int8[], $2::int8[])
     on conflict do nothing`,
    [chosen.map(([fresh]) => fresh.id), chosen.map(([, other]) => other.id)],
  );
  await client.query("select pg_notify($1, 'photos')", [channels.work]);
}

/**
 * Links two listings whose photos agree, if their facts still allow it and no other listing of either car contradicts it.
 * @returns the car's id; null when they stay two cars
 */
export async function linkByPhoto(client: Client, one: number, other: number): Promise<number | null> {
  const { rows } = await client.query<StoredListing>({
    name: 'lock-compared-by-photo',
    text: `select ${comparedColumns}, ${lastSeen('o')} as "lastSeenAt" from listings o
      where o.id in (select id from listings where id in ($1, $2) union
                     select id from listings where car_id in (select car_id from listings where id in ($1, $2)))
      order by o.id for update`,
    values: [one, other],
  });
  const pair = [one, other].flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const [first, second] = pair.sort((a, b) => a.seenAt.getTime() - b.seenAt.getTime() || a.id - b.id);
  if (!first || !second || first.car === second.car || compareCars(first, second) === 'different') return null;
  const numbers = groupCars([[first, second]], rows);
  await setCars(client, numbers);
  return numbers.get(first.car) ?? null;
}
