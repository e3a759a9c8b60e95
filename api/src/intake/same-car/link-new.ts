import { channels } from '../../base/channels.ts';
import type { Client } from '../../base/database.ts';
import type { ListingFacts } from '../../domain/facts/listing-facts.ts';
import { carProbe, RELIST_DAYS } from '../../domain/same-car/car-probe.ts';
import { compareCars } from '../../domain/same-car/compare-cars.ts';
import { type GroupedSighting, groupCars } from '../../domain/same-car/group-cars.ts';
import { readVin } from '../../domain/same-car/vin.ts';
import { lastSeen } from '../../entities/shared/last-seen.ts';
import { setCars } from './set-cars.ts';
import { type KnownSighting, sightingColumns } from './sighting-columns.ts';

export interface NewListing {
  id: number;
  facts: ListingFacts;
}

/** A stored listing that may be the car of a new one. */
export interface Candidate extends KnownSighting {
  /** The new one's external id. */
  newId: string;
  lastSeenAt: Date;
  now: Date;
}

/** Those that facts have found count if they are older than the new ones' page; those of a VIN may stand in it too. */
export interface Candidates {
  byFacts: readonly Candidate[];
  byVin: readonly Candidate[];
}

type Pair = [GroupedSighting, Candidate];

/** Per look-up by index, the newest. */
const CANDIDATES = 60;
/** How many photos one new listing's is compared with: those whose price is nearest. */
const PHOTOS = 8;

/**
 * Links listings that this transaction stored to those that are the same car under another id or at another source.
 * What the facts settle is linked at once, so that matching knows; what takes the photos is left to their job.
 * @param found what `findCandidates` found for them
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
    const fresh = sightingOf(id, source, facts, candidate.now);
    const verdict = compareCars(candidate, fresh);
    if (verdict === 'same') same.push([fresh, candidate]);
    if (verdict === 'maybe' && candidate.hasPhoto && facts.images.length > 0) maybe.push([fresh, candidate]);
  }
  const newest = (a: Pair, b: Pair) => b[1].lastSeenAt.getTime() - a[1].lastSeenAt.getTime();
  const numbers = groupCars(same.sort(newest), candidates);
  await setCars(client, numbers);
  const open = maybe.filter(([fresh, other]) => numbers.get(fresh.car) !== (numbers.get(other.car) ?? other.car));
  await askPhotos(
    client,
    open.sort((a, b) => priceGap(a) - priceGap(b)),
  );
}

/** Where a price is not stated, as far as one that may still be the car's. */
const priceGap = ([fresh, other]: Pair): number =>
  fresh.price && other.price ? Math.abs(fresh.price / other.price - 1) : 0.15;

function sightingOf(id: number, source: string, facts: ListingFacts, now: Date): GroupedSighting {
  return { ...facts, id, car: id, source, vin: readVin(facts.vin), seenAt: now, lastSeenAt: now };
}

/** $1: JSON array of the probes. */
const candidatesSql = (found: string) => `
  select n.id as "newId", now() as now, ${sightingColumns},
         case when o.source = $2 and o.external_id = any($3::text[]) then now() else seen.at end as "lastSeenAt"
    from json_to_recordset($1::json) as n (id text, key int8, year int2, low int4, high int4, vin text)
   cross join lateral (select * from listings where ${found} order by seen_at desc, id desc limit ${CANDIDATES}) o
   cross join lateral (select ${lastSeen('o')} as at) seen
   where not (o.source = $2 and o.external_id = n.id) and seen.at > now() - interval '${RELIST_DAYS} days'`;

const byFacts = candidatesSql(
  'model_key = n.key and year = n.year and (mileage between n.low and n.high or mileage is null)',
);
const byVin = candidatesSql('vin = n.vin');

/**
 * Stored listings that may be the cars of new ones. Asked in the transaction that stores these, after what their page
 * says of earlier listings is written: that one is sold, for instance.
 * @param listings the new ones, stored already or in a moment
 * @param page every external id that the source showed together with them
 */
export async function findCandidates(
  client: Client,
  source: string,
  listings: readonly ListingFacts[],
  page: string[],
): Promise<Candidates> {
  const probes = listings.flatMap((facts) => {
    const probe = carProbe(facts);
    if (!probe) return [];
    const { keys, year, mileageMin: low, mileageMax: high } = probe;
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
    ask('same-car-by-facts', byFacts, probes),
    ask('same-car-by-vin', byVin, vins),
  ]);
  return { byFacts: ofFacts, byVin: ofVin };
}

async function askPhotos(client: Client, pairs: readonly Pair[]): Promise<void> {
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
