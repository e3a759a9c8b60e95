import { spelling } from './record-fields.ts';

/** Characters that are kept of a text. An address may have 2,000, so that a longer one is still told by its length. */
const LONGEST_TEXT = 2_048;
const DESCRIPTION = 10 * 1024;
/** A feed's cell may list many photos. */
const PHOTO_LIST = 64 * 1024;
const LONGEST_NAME = 200;
const MOST_FIELDS = 2_000;
const MOST_ITEMS = 1_000;
const DEEPEST = 64;

/** Fields that are longer by their nature, by their spelling. */
const longFields = new Map([
  ...['description', 'redacteddescription', 'marketplacelistingdescription', 'comments'].map(
    (name) => [name, DESCRIPTION] as const,
  ),
  ...['image', 'images', 'imageurl', 'imageurls', 'imagelink', 'additionalimagelink'].map(
    (name) => [name, PHOTO_LIST] as const,
  ),
]);

/** Whether nothing has to be cut: so it is with nearly every record, and then nothing is copied. */
function isBounded(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.length <= MOST_ITEMS && value.every((one) => isBounded(one, depth - 1));
  let fields = 0;
  for (const name in value) {
    if (++fields > MOST_FIELDS || name.length > LONGEST_NAME) return false;
    if (!isBounded((value as Record<string, unknown>)[name], depth - 1)) return false;
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
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((one) => bounded(one, longest, depth - 1));
  // Without a prototype: a field may be called `__proto__`.
  const copy: Record<string, unknown> = Object.create(null);
  let fields = 0;
  for (const name in value) {
    if (name.length > LONGEST_NAME) continue;
    if (++fields > MOST_FIELDS) break;
    const own = Math.max(longest, longFields.get(spelling(name)) ?? 0);
    copy[name] = bounded((value as Record<string, unknown>)[name], own, depth - 1);
  }
  return copy;
}

/**
 * The record with every text cut to what its field may hold, long lists and objects to their first values, and names
 * that no field has left out: whatever reads it need fear no length. Not a copy where nothing is too long.
 */
export function boundRecord<T>(record: T): T {
  return isBounded(record, DEEPEST) ? record : (bounded(record, LONGEST_TEXT, DEEPEST) as T);
}

/** A column's name, `''` where it is longer than any field's. */
export const boundName = (name: string): string => (name.length > LONGEST_NAME ? '' : name);
