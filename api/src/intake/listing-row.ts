import { listingSearchColumns } from '../domain/criteria/search-columns.ts';
import { factsHash, type ListingFacts, storableText } from '../domain/facts/listing-facts.ts';
import { readVin } from '../domain/same-car/car-probe.ts';
import type { RecordKey } from './known-listings.ts';

/** The columns of `listings` that facts fill, with their types; `json_to_recordset` takes whole pages at once. */
export const columns = [
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
export const columnNames = columns.map(([name]) => name).join(', ');
const types = columns.map(([name, type]) => `${name} ${type}`).join(', ');
/** The parameter $2 holds the rows as JSON. */
export const recordset = `json_to_recordset($2::json) as r (id int8, ${types})`;

const storable = (text: string | null): string | null => (text === null ? null : storableText(text));

/** A record before the comparison with its listing. */
export interface StorableRecord extends RecordKey {
  facts: ListingFacts;
}

/** Makes the record of facts. Characters that the database can't store are replaced. */
export const toRecord = (facts: ListingFacts): StorableRecord => ({
  facts,
  external_id: storableText(facts.externalId),
  facts_hash: factsHash(facts),
  status: facts.status,
});

type Row = Record<(typeof columns)[number][0], unknown>;

export function toRow({ facts, external_id, facts_hash, status }: StorableRecord): Row {
  const search = listingSearchColumns(facts);
  return {
    external_id,
    status,
    facts_hash,
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
    vin: readVin(facts.vin),
    make_key: search.makeKey,
    model_key: search.modelKey,
    color_code: search.colorCode,
    x: search.x,
    y: search.y,
    z: search.z,
  };
}
