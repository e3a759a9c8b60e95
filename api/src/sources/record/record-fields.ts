import { memoize } from '../../base/memoize.ts';

/** The fields of a record under normalised names: `is_sold`, `isSold` and `Is sold` are all `issold`. */
export type Fields = ReadonlyMap<string, unknown>;

const none: Fields = new Map();

/** Whether a JSON value is an object, and neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_KNOWN = 2000;
const MAX_KNOWN_LENGTH = 100;

/** The normalised name of a field. Memoized, as the items of one source have the same few names. */
export const normalizedName = memoize((name) => name.toLowerCase().replace(/[_\s-]/g, ''), {
  maxEntries: MAX_KNOWN,
  maxKeyLength: MAX_KNOWN_LENGTH,
});

/** The stated fields of objects; other values have none. Later objects add the fields that earlier ones leave out. */
export function fieldsOf(...values: unknown[]): Fields {
  const fields = new Map<string, unknown>();
  for (const value of values) {
    if (!isRecord(value)) continue;
    for (const [name, content] of Object.entries(value)) {
      const key = normalizedName(name);
      if (content !== null && content !== undefined && content !== '' && !fields.has(key)) fields.set(key, content);
    }
  }
  return fields.size > 0 ? fields : none;
}

const MAX_PAIRS = 100;

/** Pairs as an object: `[{name: 'Make', value: 'Ford'}]`, as schema.org's `additionalProperty` has them. */
export function pairsOf(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return isRecord(value) ? value : {};
  const pairs = value.slice(0, MAX_PAIRS).flatMap((pair) => {
    const fields = fieldsOf(pair);
    const name = textOf(fields, 'name', 'attributename', 'key', 'label');
    return name === null ? [] : [[name, fields.get('value')] as const];
  });
  return Object.fromEntries(pairs);
}

function asText(value: unknown, depth = 2): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (depth === 0) return null;
  if (Array.isArray(value)) return asText(value[0], depth - 1);
  if (!isRecord(value)) return null;
  return asText(value.text ?? value.name ?? value.value ?? value['@value'], depth - 1);
}

/** The first of the fields that is text or a number, bare, first of a list or in an object, as text. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const text = asText(fields.get(name));
    if (text !== null) return text;
  }
  return null;
}

/** The first of the fields that is a number, or text that is one. */
export function numberOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const text = textOf(fields, name);
    if (text !== null && /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  }
  return null;
}

/** Texts of a field that may be a list. */
export function textsOf(fields: Fields, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const value = fields.get(name);
    return (Array.isArray(value) ? value.slice(0, MAX_PAIRS) : [value]).flatMap((one) => asText(one) ?? []);
  });
}

/** A boolean, or the word for one, as a boolean; null where it is neither. */
export function booleanOf(fields: Fields, name: string): boolean | null {
  const value = fields.get(name);
  return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : null;
}

/** Fields of the objects under the names, or of the first of a list of objects. */
export function nestedFieldsOf(fields: Fields, ...names: string[]): Fields {
  return fieldsOf(
    ...names.map((name) => {
      const value = fields.get(name);
      return Array.isArray(value) ? value[0] : value;
    }),
  );
}

/** The characters kept of a text. An address may have 2,000; one that is cut here is still recognised as too long. */
const MAX_TEXT_LENGTH = 2_048;
const DESCRIPTION = 10 * 1024;
/** A feed's cell may list many photos. */
const PHOTO_LIST = 64 * 1024;
const MAX_NAME_LENGTH = 200;
const MAX_FIELDS = 2_000;
const MAX_ITEMS = 1_000;
const DEEPEST = 64;

/** The limits of fields that may be longer, by normalised name. */
const longFields = new Map([
  ...['description', 'redacteddescription', 'marketplacelistingdescription', 'comments'].map(
    (name) => [name, DESCRIPTION] as const,
  ),
  ...['image', 'images', 'imageurl', 'imageurls', 'imagelink', 'additionalimagelink'].map(
    (name) => [name, PHOTO_LIST] as const,
  ),
]);

const limitOf = (name: string, longest: number): number => Math.max(longest, longFields.get(normalizedName(name)) ?? 0);

/** Whether nothing has to be cut. This holds for nearly every record, which then is not copied. */
function isBounded(value: unknown, longest: number, depth: number): boolean {
  if (typeof value === 'string') return value.length <= longest;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value))
    return value.length <= MAX_ITEMS && value.every((one) => isBounded(one, longest, depth - 1));
  let fields = 0;
  for (const name in value) {
    if (++fields > MAX_FIELDS || name.length > MAX_NAME_LENGTH) return false;
    const content = (value as Record<string, unknown>)[name];
    // A short text needs no name.
    if (typeof content === 'string' ? content.length <= longest : typeof content !== 'object') continue;
    if (!isBounded(content, limitOf(name, longest), depth - 1)) return false;
  }
  return true;
}

function bounded(value: unknown, longest: number, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= longest
      ? value
      : value
          .trimStart()
          .slice(0, longest)
          .replace(/[\ud800-\udbff]$/, '');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((one) => bounded(one, longest, depth - 1));
  // Without a prototype: a field may be called `__proto__`.
  const copy: Record<string, unknown> = Object.create(null);
  let fields = 0;
  for (const name in value) {
    if (name.length > MAX_NAME_LENGTH) continue;
    if (++fields > MAX_FIELDS) break;
    copy[name] = bounded((value as Record<string, unknown>)[name], limitOf(name, longest), depth - 1);
  }
  return copy;
}

/**
 * The record with every text cut to its field's limit, long lists and objects cut to their first values, and fields with
 * overlong names left out, so that its reader need not check lengths. Returns the record itself where nothing is too long.
 */
export function boundRecord<T>(record: T): T {
  return isBounded(record, MAX_TEXT_LENGTH, DEEPEST) ? record : (bounded(record, MAX_TEXT_LENGTH, DEEPEST) as T);
}

/** A column's name, `''` where it is longer than any field's. */
export const boundName = (name: string): string => (name.length > MAX_NAME_LENGTH ? '' : name);

const MAX_PHOTOS = 20;
const MAX_ADDRESS = 2000;
const facebookId = /^\d{10,20}$/;

/** An address that may be linked and shown. Plain http is allowed, as many dealers' pages and photos still use it. */
function safeAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS || !/^https?:\/\//i.test(value.trim())) return null;
  try {
    const url = new URL(value.trim());
    if (url.username || url.password) return null;
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

function photoOf(value: unknown): string | null {
  if (typeof value === 'string') return safeAddress(value);
  if (!isRecord(value)) return null;
  const image = isRecord(value.image) ? value.image : value;
  for (const address of [image.uri, image.url, value.photo_image_url, value.contentUrl, value.src, value.image]) {
    const safe = safeAddress(address);
    if (safe) return safe;
  }
  return null;
}

/** The addresses of the seller's photos, in their order, without duplicates. */
export function recordPhotos(fields: Fields): string[] {
  const found = new Set<string>();
  for (const name of [
    'listingphotos',
    'images',
    'photos',
    'image',
    'primarylistingphoto',
    'primaryphoto',
    'imageurl',
  ]) {
    const value = fields.get(name);
    // The first photo is often stated alone too, in another size, which only counts where there is no list.
    if (name.startsWith('primary') && found.size > 0) continue;
    for (const photo of (Array.isArray(value) ? value : [value]).slice(0, MAX_PHOTOS)) {
      const address = photoOf(photo);
      if (address && found.size < MAX_PHOTOS) found.add(address);
    }
  }
  return [...found];
}

/** The listing's own page, as stated or as derived from a Facebook id; null when unknown. */
export function recordUrl(fields: Fields, externalId: string): string | null {
  const stated = safeAddress(textOf(fields, 'url', 'itemurl', 'listingurl', 'shareuri', 'link'));
  if (stated) return stated;
  const facebook = fields.has('marketplacelistingtitle') || fields.get('typename') === 'GroupCommerceProductItem';
  return facebook && facebookId.test(externalId) ? `https://www.facebook.com/marketplace/item/${externalId}/` : null;
}
