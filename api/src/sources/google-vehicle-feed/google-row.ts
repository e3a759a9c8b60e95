import { readFuel } from '../../domain/facts/kinds-from-text.ts';
import { isRecord } from '../record/record-fields.ts';
import { columnName, type FeedRow } from '../vehicle-feed/feed-row.ts';
import { UNKNOWN_STORE } from '../vehicle-feed/parse-feed-row.ts';

/** Places by store code: `Austin, TX` or a ZIP. The place of `*` is that of all other stores. */
export type Stores = Readonly<Record<string, string>>;

/** The place of all stores that are not named. */
const ANY_STORE = '*';

/** Columns that may identify a row. */
export const googleIds: readonly string[] = ['id', 'vin'];

/**
 * Google's attributes, and the column of Meta's catalogue that means the same. Those with one name in both, such as
 * `model`, are not listed, nor are the aliases that the reader of feeds knows: `brand`, `link`, `image_link`.
 * Source: support.google.com/merchants/answer/11192663 (vehicle ads) and developers.google.com/vehicle-listings/reference
 */
const metaNames = new Map(
  Object.entries({
    color: 'exterior_color',
    date_in_stock: 'date_first_on_lot',
    date_on_lot: 'date_first_on_lot',
    dealership_address: 'address',
    dealership_name: 'dealer_name',
    fuel: 'fuel_type',
    vdp_url: 'url',
    vehicle_category: 'vehicle_type',
  }),
);

/** Numbers of Google's taxonomy of products for vehicles that are no cars; 916 are cars, trucks and vans. */
const otherCategories = new Map(
  Object.entries({
    899: 'parts',
    919: 'motorcycle',
    920: 'RV',
    2528: 'powersports',
    3018: 'ATV',
    3540: 'watercraft',
    3549: 'snowmobile',
    3931: 'golf cart',
    5613: 'parts',
    503031: 'ATV',
  }),
);

/** The text of a cell or element, of several the first that is filled. */
function textIn(value: unknown): string {
  for (const one of [value].flat()) {
    const text = isRecord(one) ? one.value : one;
    if (typeof text === 'number' || (typeof text === 'string' && text.trim() !== '')) return String(text).trim();
  }
  return '';
}

/** All texts of a cell that may be repeated as an element. */
const textsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .map(textIn)
    .filter((text) => text !== '');

/** The category as a kind of vehicle: the last name of a path such as `Vehicles & Parts > … > Cars, Trucks & Vans`. */
function vehicleTypeOf(category: string): string {
  return otherCategories.get(category) ?? (category.split('>').at(-1) ?? '').trim();
}

/** The inner fields of `vehicle_fulfillment` by their plain names, or the parts of `in_store:CODE:CODE`. */
function fulfilledAt(value: unknown): string[] {
  return [value].flat().flatMap((one) => {
    if (!isRecord(one)) return textIn(one).split(':').slice(1);
    const stores = Object.entries(one).filter(([name]) => columnName(name) === 'store_code');
    return stores.flatMap(([, store]) => textsIn(store));
  });
}

const MAX_STORES = 500;
const MAX_CODE = 64;
const MAX_TEMPLATE = 2048;

/** The address that a template makes of a store's code; null where one is longer than any is, as each may fill the row. */
function addressOf(template: string, code: string): string | null {
  if (template.length > MAX_TEMPLATE || code.length > MAX_CODE) return null;
  return template.replaceAll('{store_code}', encodeURIComponent(code.toWellFormed()));
}

/** The row's store codes; several in one cell are separated by commas. */
function storeCodes(cells: ReadonlyMap<string, unknown>): string[] {
  const stated = textsIn(cells.get('store_code'));
  const fulfilled = [...cells].flatMap(([name, value]) =>
    name.startsWith('vehicle_fulfillment') ? fulfilledAt(value) : [],
  );
  const codes = [...stated, ...stated.flatMap((text) => text.split(',')), ...fulfilled];
  return [...new Set(codes.map((code) => code.trim()))].filter((code) => code !== '').slice(0, MAX_STORES);
}

/** The place of the first store that is known. Store codes are case-sensitive, as Google has them. */
function placeOf(codes: readonly string[], stores: Stores): string | null {
  const known = codes.find((code) => Object.hasOwn(stores, code));
  if (known !== undefined) return stores[known] ?? null;
  return Object.hasOwn(stores, ANY_STORE) ? (stores[ANY_STORE] ?? null) : null;
}

const unknownStore = (code: string | undefined): string =>
  code === undefined
    ? 'the row names neither an address nor a store.'
    : `the store ${code.slice(0, MAX_CODE)} is not among the source’s stores.`;

const isYes = (text: string) => /^(?:yes|y|true|1)$/i.test(text);

/**
 * A row of one of Google's vehicle feeds under the names of Meta's catalogue, with the place of its store, which the feed
 * itself names only by a code. A row whose place is not known says so in `unknown_store`, and is rejected for it.
 */
export function toMetaRow(row: FeedRow, stores: Stores): FeedRow {
  const cells = new Map<string, unknown>();
  // Without a prototype: a column may be called `__proto__`.
  const meta: FeedRow = Object.create(null);
  for (const raw in row) {
    const name = columnName(raw);
    if (!cells.has(name)) cells.set(name, row[raw]);
    const renamed = metaNames.get(name);
    if (renamed === undefined) meta[raw] = row[raw];
    else if (textIn(meta[renamed]) === '') meta[renamed] = row[raw];
  }
  const fill = (name: string, value: string | null) => {
    if (value !== null && value !== '' && textIn(cells.get(name) ?? meta[name]) === '') meta[name] = value;
  };
  const text = (name: string) => textIn(cells.get(name));
  if (text('id') === '') fill('vehicle_id', text('vin'));
  fill('vehicle_type', vehicleTypeOf(text('google_product_category')));
  const engine = text('engine').slice(0, 100);
  // Google's `engine` is the fuel, but many feeds state the displacement there.
  if (!['other', null].includes(readFuel(engine))) fill('fuel_type', engine);
  if (isYes(text('certified_pre_owned'))) {
    for (const raw of Object.keys(meta)) if (columnName(raw) === 'condition') delete meta[raw];
    meta.condition = 'certified pre-owned';
  }
  const codes = storeCodes(cells);
  fill('dealer_id', codes[0] ?? null);
  if (text('url') === '' && codes[0] !== undefined) fill('url', addressOf(text('link_template'), codes[0]));
  const hasAddress = text('address') !== '' || textIn(meta.address) !== '' || isRecord([meta.address].flat()[0]);
  if (!hasAddress) {
    const place = placeOf(codes, stores);
    if (place === null) meta[UNKNOWN_STORE] = unknownStore(codes[0]);
    else meta.address = place;
  }
  return meta;
}
