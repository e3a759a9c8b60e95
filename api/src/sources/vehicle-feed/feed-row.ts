import { memoize } from '../../base/memoize.ts';
import type { RejectCode } from '../../domain/facts/listing-facts.ts';
import { boundName, isRecord } from '../record/record-fields.ts';

/** One row of a feed by column name, or one XML element by the names of its children; values may nest. */
export type FeedRow = Record<string, unknown>;

/** The columns that may hold a row's id, the first that is filled counts. */
export const idColumns: readonly string[] = ['vehicle_id', 'auto_listing_id', 'listing_id', 'id'];
const MAX_DEPTH = 4;
const MAX_INDEX = 100;

/** Other names of columns that feeds use, and Meta's name for each. */
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

interface Column {
  name: string;
  /** The path of its value once it is nested. */
  path: readonly string[];
  /** The photo's index: 3 in `image[3].url`. */
  photo: number | null;
}

const MAX_KNOWN = 5000;

function readColumn(raw: string): Column {
  const plain = boundName(raw)
    .trim()
    .toLowerCase()
    .replace(/^[a-z]\w{0,20}:/, '')
    .replace(/[\s-]+/g, '_');
  const name =
    otherNames.get(plain) ??
    plain.replace(/^address_(?=[a-z])/, 'address.').replace(/^image_(\d+)(_url)?$/, 'image[$1].url');
  const [, index] = /^image\[(\d{1,6})\]\.url$/.exec(name) ?? [];
  const path = name.split(/[.[\]]+/).filter((part) => part !== '');
  return {
    name,
    path: path.slice(0, MAX_DEPTH),
    photo: index === undefined ? null : Math.min(Number(index), MAX_INDEX),
  };
}

/** Memoized, as the same names come with every row. */
const columnOf = memoize(readColumn, { maxEntries: MAX_KNOWN, maxKeyLength: 100 });

/** A column's name as Meta writes it: lower case, without blanks and namespace. */
export const columnName = (raw: string): string => columnOf(raw).name;

/** Whether a column of this name holds the row's id. */
export const isIdColumn = (name: string, ids = idColumns): boolean => ids.includes(columnName(name));

/** Columns that only a vehicle feed has; an item with one of them is a row of a feed. */
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

function put(target: FeedRow, path: readonly string[], value: unknown, at = 0): void {
  const name = path[at] ?? '';
  const before = target[name];
  if (at + 1 >= path.length) {
    // The first value that is stated counts; photos are collected.
    if (before === undefined) target[name] = value;
    else if (name === 'image' && Array.isArray(before)) before.push(...[value].flat());
    else if (name === 'image') target[name] = [before, value].flat();
    else if (isRecord(before) && before.value === undefined) before.value = value;
    return;
  }
  const inner = isRecord(before) ? before : emptyRow();
  if (inner !== before && before !== undefined) inner.value = before;
  target[name] = inner;
  put(inner, path, value, at + 1);
}

function nested(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => nested(one, depth - 1));
  return isRecord(value) && depth > 0 ? nestedRow(value, depth - 1) : value;
}

function nestedRow(row: FeedRow, depth: number): FeedRow {
  const found = emptyRow();
  const photos: [number, unknown][] = [];
  for (const raw in row) {
    const value = row[raw];
    if (isBlank(value)) continue;
    const { name, path, photo } = columnOf(raw);
    if (depth < MAX_DEPTH) put(found, [raw.trim().toLowerCase()], nested(value, depth));
    else if (photo !== null) photos.push([photo, value]);
    else if (!name.startsWith('image[')) put(found, path, nested(value, depth));
  }
  if (photos.length > 0) {
    const listed = photos.toSorted(([a], [b]) => a - b).map(([, url]) => url);
    found.image = [...listed, ...(found.image === undefined ? [] : [found.image].flat())];
  }
  return found;
}

/**
 * The row with its flattened columns nested again, under Meta's names: `mileage.value` and `mileage_value` become part of
 * `mileage`, every photo one of `image`. Blank cells are left out.
 */
export function nestedColumns(row: FeedRow): FeedRow {
  return nestedRow(row, MAX_DEPTH);
}

function idIn(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  const text = isRecord(first) ? first.value : first;
  if (typeof text === 'number' && Number.isFinite(text)) return String(text);
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** The row's id, from the first id column that is filled; null when there is none. */
export function feedRowId(row: FeedRow): string | null {
  let best = idColumns.length;
  let found: string | null = null;
  for (const raw in row) {
    const rank = idColumns.indexOf(columnName(raw));
    const id = rank >= 0 && rank < best ? idIn(row[raw]) : null;
    if (id === null) continue;
    best = rank;
    found = id;
  }
  return found;
}

/** One row as the reader of its format returns it: its columns, or why it is rejected; `record` is its text. */
export type FeedEntry = { row: FeedRow } | { code: RejectCode; reason: string; record: string; id?: string };
