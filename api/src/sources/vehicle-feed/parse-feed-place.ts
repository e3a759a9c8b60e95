import { placeWords, stateOf } from '../../domain/places/place-names.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { isRecord } from '../record/record-fields.ts';
import type { FeedRow } from './feed-row.ts';

const MAX_TEXT = 4000;
const MAX_LIST = 64 * 1024;

const pair =
  /([a-z_]\w{0,40}|"\w{1,40}"|'\w{1,40}')\s{0,9}[:=]\s{0,9}(?:'([\s\S]{0,400}?)'(?=\s{0,9}(?:[,;}]|$))|"((?:[^"\\]|\\.){0,400})"|([^,;}'"]{0,400}))/gi;

/**
 * The fields of an object in JSON, or in what Meta's examples call JSON: `{addr1: '550 Auto Center Dr', city: 'O'Fallon'}`.
 * null when it is no object.
 */
export function readPseudoObject(text: string): Record<string, unknown> | null {
  const plain = text.slice(0, MAX_TEXT).trim();
  if (!plain.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(plain);
    return isRecord(value) ? value : null;
  } catch {
    const found: [string, string][] = [];
    for (const [, name = '', single, double, bare] of plain.matchAll(pair)) {
      found.push([name.replace(/["']/g, '').toLowerCase(), (single ?? double ?? bare ?? '').trim()]);
    }
    return Object.fromEntries(found);
  }
}

/** The list in JSON that a cell holds; null when it is none. */
function readJsonList(text: string): unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

const address = /https?:\/\/[^\s'"<>|]+?(?=['"\s<>|]|[\]}]\s*$|[,;]\s{0,9}(?:https?:\/\/|$)|$)/gi;

/** Every photo of a cell: a JSON list of objects or addresses, such a list in wrong quotes, or addresses one after another. */
export function readPhotoCell(text: string): unknown[] {
  return readJsonList(text) ?? [...text.slice(0, MAX_LIST).matchAll(address)].map(([found]) => found);
}

const MAX_ADDRESS = 300;
const MAX_CITY_WORDS = 4;
const own = /^(us|usa|u\.s\.(a\.)?|united states( of america)?)$/i;
const provinces = new Set('ON QC BC AB MB SK NS NB NL PE YT NT NU'.split(' '));

const cell = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** City and state of text like `550 Auto Center Dr Watsonville CA`: the most words before the state that name a place. */
function cityBefore(words: readonly string[], gazetteer: Gazetteer): FeedRow | null {
  const region = words.at(-1) ?? '';
  if (stateOf(placeWords(region)) === null) return null;
  for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count > 0; count--) {
    const city = words.slice(-1 - count, -1).join(' ');
    const place = gazetteer.resolve(`${city}, ${region}`);
    if (place && placeWords(place.name).join('') === placeWords(city).join('')) return { city, region };
  }
  return { region };
}

/** An address in one line: `550 Auto Center Dr, Watsonville, CA 96075, US`. */
function readAddressLine(text: string, gazetteer: Gazetteer): FeedRow {
  const parts = text
    .slice(0, MAX_ADDRESS)
    .split(/[,\n;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  let country: string | undefined;
  if (parts.length > 1 && (own.test(parts.at(-1) ?? '') || /^canada$/i.test(parts.at(-1) ?? ''))) country = parts.pop();
  let last = (parts.pop() ?? '').replace(/\s(usa?|united states)$/i, '').trimEnd();
  const [, zip] = /(?:^|\s)(\d{5})(?:-\d{4})?$/.exec(last) ?? [];
  if (zip) last = last.replace(/\d{5}(-\d{4})?$/, '').trimEnd();
  const stated = { ...(zip && { postal_code: zip }), ...(country && { country }) };
  if (last === '') last = parts.pop() ?? '';
  if (stateOf(placeWords(last)) !== null && parts.length > 0) return { ...stated, city: parts.at(-1), region: last };
  return { ...stated, ...(cityBefore(last.split(/\s+/), gazetteer) ?? { city: last }) };
}

/**
 * The address of a row, in any of its encodings, as `{city, region, postal_code, country}`: an object, Meta's pseudo-JSON,
 * XML components, flattened columns or one line. The neighbourhood replaces a missing city.
 */
export function feedAddress(row: FeedRow, gazetteer: Gazetteer): FeedRow {
  const given = [row.address].flat()[0];
  const text = isRecord(given) ? cell(given.value) : cell(given);
  const read = text === '' ? {} : (readPseudoObject(text) ?? readAddressLine(text, gazetteer));
  const address = { ...read, ...(isRecord(given) ? components(given) : {}) };
  const region = cell(address.region) || cell(address.state);
  const postal = cell(address.postal_code) || cell(address.zip) || cell(address.postcode);
  const country = cell(address.country);
  const abroad = country === '' && provinces.has(region.toUpperCase()) ? 'CA' : country;
  const city = cell(address.city) || cell(address.locality);
  return {
    city: city || (postal === '' ? cell([row.neighborhood].flat()[0]) || neighborhood(row) : ''),
    region,
    // Excel removes a ZIP's leading zeros.
    postal_code: /^\d{3,4}$/.test(postal) ? postal.padStart(5, '0') : postal,
    country: own.test(abroad) ? 'US' : abroad,
  };
}

function neighborhood(row: FeedRow): string {
  return isRecord(row.neighborhood) ? cell(row.neighborhood['0']) : '';
}

/** `<component name="city">` beside plain children. */
function components(address: FeedRow): FeedRow {
  const { component, ...rest } = address;
  const named = [component]
    .flat()
    .flatMap((one) =>
      isRecord(one) && typeof one.name === 'string' ? [[one.name.trim().toLowerCase(), one.value]] : [],
    );
  return { ...rest, ...Object.fromEntries(named) };
}
