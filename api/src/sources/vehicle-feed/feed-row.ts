import { isRecord } from '../marketplace-items/parse-item-fields.ts';

/** One row of a feed by column name, or one XML element by the names of its children; values may nest. */
export type FeedRow = Record<string, unknown>;

const idColumns = ['vehicle_id', 'auto_listing_id', 'listing_id', 'id'];
const MAX_DEPTH = 4;
const MAX_INDEX = 100;

/** Columns that have another name somewhere, by their own. */
const otherNames = new Map(
  Object.entries({
    vehicleid: 'vehicle_id',
    autolistingid: 'auto_listing_id',
    listingid: 'listing_id',
    mileage_value: 'mileage.value',
    mileage_unit: 'mileage.unit',
    image_url: 'image',
    image_urls: 'image',
    image_link: 'image',
    images: 'image',
    additional_image_link: 'image',
    link: 'url',
    brand: 'make',
  }),
);

/** A column's name as Meta writes it: lower case, without blanks and namespace. */
export function columnName(raw: string): string {
  const plain = raw
    .trim()
    .toLowerCase()
    .replace(/^[a-z]\w{0,20}:/, '')
    .replace(/[\s-]+/g, '_');
  return (
    otherNames.get(plain) ??
    plain.replace(/^address_(?=[a-z])/, 'address.').replace(/^image_(\d+)(_url)?$/, 'image[$1].url')
  );
}

/** Whether a column of this name holds the row's id. */
export const isIdColumn = (name: string): boolean => idColumns.includes(columnName(name));

/** Columns that only a vehicle feed has: an item with one of them is a feed's row. */
const ownColumn =
  /^(vehicle_id|auto_listing_id|state_of_vehicle|date_first_on_lot|mileage\.(value|unit)|image\[\d+\]\.url|address\.\w+)$/;

/** Whether an object is a row of Meta's vehicle catalogue rather than a marketplace item. */
export function isFeedRow(item: Record<string, unknown>): boolean {
  return !('marketplace_listing_title' in item) && Object.keys(item).some((name) => ownColumn.test(columnName(name)));
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Without a prototype: a column may be called `__proto__`. */
const emptyRow = (): FeedRow => Object.create(null);

function put(target: FeedRow, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  const before = target[name];
  if (rest.length === 0) {
    // The first one that is stated counts; photos add up.
    if (before === undefined) target[name] = value;
    else if (name === 'image') target[name] = [...(Array.isArray(before) ? before : [before]), value].flat();
    else if (isRecord(before) && before.value === undefined) before.value = value;
    return;
  }
  const inner = isRecord(before) ? before : emptyRow();
  if (inner !== before && before !== undefined) inner.value = before;
  target[name] = inner;
  put(inner, rest, value);
}

function nested(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => nested(one, depth - 1));
  return isRecord(value) && depth > 0 ? nestedRow(value, depth - 1) : value;
}

function nestedRow(row: FeedRow, depth: number): FeedRow {
  const found = emptyRow();
  const photos: [number, unknown][] = [];
  for (const [raw, value] of Object.entries(row)) {
    if (isBlank(value)) continue;
    const name = depth === MAX_DEPTH ? columnName(raw) : raw.trim().toLowerCase();
    const [, index] = /^image\[(\d{1,6})\]\.url$/.exec(name) ?? [];
    if (index !== undefined) photos.push([Math.min(Number(index), MAX_INDEX), value]);
    else if (/^image\[/.test(name)) continue;
    else
      put(
        found,
        name
          .split(/[.[\]]+/)
          .filter((part) => part !== '')
          .slice(0, MAX_DEPTH),
        nested(value, depth),
      );
  }
  if (photos.length > 0) {
    const listed = photos.toSorted(([a], [b]) => a - b).map(([, url]) => url);
    found.image = [...listed, ...(found.image === undefined ? [] : [found.image].flat())];
  }
  return found;
}

/**
 * A row with its flattened columns nested again, under Meta's names: `mileage.value` and `mileage_value` lie in
 * `mileage`, every photo in `image`. Blank cells are left out.
 */
export function nestedColumns(row: FeedRow): FeedRow {
  return nestedRow(row, MAX_DEPTH);
}

/** The row's id as it is stored, of the first id column that is filled; null when there is none. */
export function feedRowId(columns: FeedRow): string | null {
  for (const name of idColumns) {
    const value = [columns[name]].flat()[0];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (isRecord(value) && typeof value.value === 'string' && value.value.trim() !== '') return value.value.trim();
  }
  return null;
}
