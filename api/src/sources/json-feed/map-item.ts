import { boundRecord, isRecord } from '../record/record-fields.ts';
import { type JsonPath, parseJsonPath, valueAt } from './json-path.ts';

/**
 * What a mapping may name, and the name of it that the reader of items knows. Those of a place are put together to one.
 */
const itemNames = {
  id: 'id',
  title: 'title',
  description: 'description',
  price: 'price',
  currency: 'currency',
  year: 'year',
  make: 'make',
  model: 'model',
  trim: 'vehicle_trim_display_name',
  mileage: 'mileage',
  mileageUnit: 'mileage_unit',
  vin: 'vin',
  condition: 'condition',
  color: 'exterior_color',
  transmission: 'transmission',
  fuel: 'fuel_type',
  drive: 'drivetrain',
  body: 'body_style',
  titleStatus: 'title_status',
  seller: 'seller_type',
  dealer: 'dealer_name',
  location: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
  latitude: '',
  longitude: '',
  images: 'images',
  url: 'url',
  listedAt: 'listed_at',
  status: 'status',
  sold: 'is_sold',
  pending: 'is_pending',
  category: 'category',
} as const;

export type FieldName = keyof typeof itemNames;
export const fieldNames = Object.keys(itemNames) as [FieldName, ...FieldName[]];
const placeFields = ['city', 'state', 'postalCode', 'country', 'latitude', 'longitude'] as const;

export interface MappingSettings {
  /** A path for each field, or several, of which the first that finds something counts. */
  fields: Partial<Record<FieldName, string | readonly string[]>>;
  /** What holds for every item that states nothing else. */
  constants?: Partial<Record<FieldName, string | number | boolean>> | undefined;
}

/** A mapping with its paths read. */
export interface Mapping {
  paths: readonly (readonly [FieldName, readonly JsonPath[]])[];
  constants: Readonly<Partial<Record<FieldName, unknown>>>;
  /** Relative addresses count from here. */
  base: string;
  /** Texts that contain it are left out, as some services repeat a caller's key in the addresses of their answers. */
  secrets: readonly string[];
}

/** @throws Error when a path can't be read, which the settings rule out */
export function makeMapping(
  { fields, constants = {} }: MappingSettings,
  base: string,
  secrets: readonly string[],
): Mapping {
  const paths = Object.entries(fields).map(([name, texts]) => {
    const read = [texts].flat().map((text) => {
      const path = parseJsonPath(text);
      if (!path) throw new Error(`${text} is no path.`);
      return path;
    });
    return [name as FieldName, read] as const;
  });
  return { paths, constants, base, secrets };
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A relative address as a whole one; `#123` is none. */
function wholeAddress(value: unknown, base: string): unknown {
  if (typeof value !== 'string' || !value.startsWith('/')) return value;
  return URL.parse(value, base)?.href ?? value;
}

/** What the mapping finds in an item, by field; a field that finds nothing is left out. */
export function findFields(item: unknown, { paths }: Mapping): Partial<Record<FieldName, unknown>> {
  const found: Partial<Record<FieldName, unknown>> = {};
  for (const [name, candidates] of paths) {
    for (const path of candidates) {
      const value = valueAt(item, path);
      if (isBlank(value)) continue;
      found[name] = value;
      break;
    }
  }
  return found;
}

function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret)) ? undefined : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, secrets)).filter((one) => one !== undefined);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSecrets(one, secrets)]));
}

/** The place as one object, which the reader of items knows. GeoJSON's pair is `coordinates`. */
function locationOf(stated: Partial<Record<FieldName, unknown>>): unknown {
  const { location } = stated;
  const inner = isRecord(location)
    ? location
    : Array.isArray(location)
      ? { coordinates: location }
      : isBlank(location)
        ? {}
        : { text: location };
  const parts = placeFields.flatMap((name) => (isBlank(stated[name]) ? [] : [[name, stated[name]] as const]));
  const whole = { ...inner, ...Object.fromEntries(parts) };
  return Object.keys(whole).length > 0 ? whole : undefined;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** An item as the reader of marketplace items takes it. @param found what `findFields` found */
export function mapItem(found: Partial<Record<FieldName, unknown>>, mapping: Mapping): Record<string, unknown> {
  const stated: Partial<Record<FieldName, unknown>> = { ...mapping.constants };
  // What an answer holds may be nested deeper than the stack.
  for (const [name, value] of Object.entries(boundRecord(found))) stated[name as FieldName] = value;
  const item: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const value = stated[name];
    if (itemNames[name] !== '' && !isBlank(value)) item[itemNames[name]] = value;
  }
  item.url = wholeAddress(item.url, mapping.base);
  if (item.images !== undefined) item.images = [item.images].flat().map((one) => wholeAddress(one, mapping.base));
  if (isBlank(item.title)) {
    item.title = [stated.year, stated.make, stated.model, stated.trim].map(text).filter(Boolean).join(' ');
  }
  item.location = locationOf(stated);
  const clean = mapping.secrets.length > 0 ? withoutSecrets(item, mapping.secrets) : item;
  return Object.fromEntries(Object.entries(clean as object).filter(([, value]) => !isBlank(value)));
}
