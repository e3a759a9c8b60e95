import { listingSearchColumns } from '../domain/criteria/search-columns.ts';
import { readVin } from '../domain/facts/facts-from-text.ts';
import { askedLater, laterFacts, SEPARATOR, storableTrim, unaskedLater } from '../domain/facts/later-facts.ts';
import {
  factsHash,
  type ListingFacts,
  type ListingStatus,
  storableText,
  textHash,
} from '../domain/facts/listing-facts.ts';
import { bandColumns } from '../domain/prices/price-band.ts';
import type { PriceModel } from '../domain/prices/price-model.ts';
import { columnOf } from '../entities/column-of.ts';

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
  ['trim', 'text'],
  ['transmission', 'text'],
  ['fuel', 'text'],
  ['drive', 'text'],
  ['body', 'text'],
  ['title_status', 'text'],
  ['seller', 'text'],
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
  ['text_hash', 'text'],
  ['vin', 'text'],
  ['prepayment', 'text'],
  ['make_key', 'int8'],
  ['model_key', 'int8'],
  ['color_code', 'int2'],
  ['x', 'float8'],
  ['y', 'float8'],
  ['z', 'float8'],
  ['band_low', 'int4'],
  ['band_middle', 'int4'],
  ['band_high', 'int4'],
  ['band_cars', 'int4'],
  ['band_refusal', 'text'],
] as const;
export const columnNames = columns.map(([name]) => name).join(', ');
const types = columns.map(([name, type]) => `${name} ${type}`).join(', ');
/** SQL: rows that `toRow` made, as `r`. @param json a parameter that holds them as JSON */
export const recordset = (json: string): string => `json_to_recordset(${json}::json) as r (id int8, ${types})`;

/** SQL: the new values of an update by such rows. */
export const columnSettings = columns.map(([name]) => `${name} = r.${name}`).join(', ');

/** SQL: what `laterFacts` gives, of a listing. */
export const laterFactsOf = (l: string): string =>
  `concat(${[...askedLater, ...unaskedLater].map((name) => `${l}.${columnOf(name)}`).join(`, '${SEPARATOR}', `)})`;

/** The columns by which a changed record is recognised. */
export interface RecordKey {
  external_id: string;
  facts_hash: string;
  status: ListingStatus;
  /** See `laterFacts`. */
  later_facts: string;
}

const storable = (text: string | null): string | null => (text === null ? null : storableText(text));

/** A record before the comparison with its listing. */
export interface StorableRecord extends RecordKey {
  facts: ListingFacts;
  /** See `textHash`. */
  text_hash: string;
}

/** Makes the record of facts. Characters that the database can't store are replaced. */
export function toRecord(facts: ListingFacts): StorableRecord {
  const text_hash = textHash(facts);
  return {
    facts,
    external_id: storableText(facts.externalId),
    facts_hash: factsHash(facts),
    status: facts.status,
    later_facts: laterFacts(facts, text_hash),
    text_hash,
  };
}

type Row = Record<(typeof columns)[number][0], unknown>;

export function toRow(
  { facts, external_id, facts_hash, text_hash, status }: StorableRecord,
  prices: PriceModel | null,
): Row {
  const search = listingSearchColumns(facts);
  return {
    external_id,
    status,
    facts_hash,
    text_hash: text_hash || null,
    title: storable(facts.title),
    make: storable(facts.make),
    model: storable(facts.model),
    year: facts.year,
    price: facts.price,
    mileage: facts.mileageMiles,
    trim: storableTrim(facts.trim),
    transmission: storable(facts.transmission),
    fuel: facts.fuel ?? null,
    drive: facts.drive ?? null,
    body: facts.body ?? null,
    title_status: facts.titleStatus ?? null,
    seller: facts.seller ?? null,
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
    prepayment: storable(facts.prepayment ?? null),
    make_key: search.makeKey,
    model_key: search.modelKey,
    color_code: search.colorCode,
    x: search.x,
    y: search.y,
    z: search.z,
    ...bandColumns(prices, { ...facts, mileage: facts.mileageMiles }),
  };
}
