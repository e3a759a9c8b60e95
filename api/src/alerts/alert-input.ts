import { isColor, isMake, isModelOf } from '../domain/catalogue.ts';
import { alertTexts, bounds, lastYear } from '../domain/form-rules.ts';

/** What createAlert takes. `null` and '' count as left out; values of a wrong type are refused. */
export interface AlertInput {
  make?: unknown;
  model?: unknown;
  yearMin?: unknown;
  yearMax?: unknown;
  location?: unknown;
  radius?: unknown;
  priceMin?: unknown;
  priceMax?: unknown;
  color?: unknown;
  onlyWithImages?: unknown;
  emailNotifications?: unknown;
  textNotifications?: unknown;
}

/** What updateAlert takes: absent stays, `null` and '' clear. */
export interface AlertPatch extends AlertInput {
  isActive?: unknown;
}

/** What an alert asks and how it tells, as stored but for the place. */
export interface AlertFields {
  make: string;
  model: string | null;
  yearMin: number | null;
  yearMax: number | null;
  location: string;
  radius: number;
  priceMin: number | null;
  priceMax: number | null;
  color: string | null;
  onlyWithImages: boolean;
  emailNotifications: boolean;
  textNotifications: boolean;
}

/** Messages by field name. */
export type Faults = Record<string, string>;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * What was given, checked by itself and against `before`; without it everything is new.
 * @param now decides the last model year
 */
export function readAlertFields(
  input: AlertInput,
  before: AlertFields | null,
  now: Date,
): { fields: AlertFields; faults: Faults } {
  const faults: Faults = {};
  const read = <K extends keyof AlertInput & keyof AlertFields>(
    name: K,
    cleared: AlertFields[K],
    parse: (value: unknown) => AlertFields[K] | undefined,
    fault: string,
  ): AlertFields[K] => {
    const value = input[name];
    if (value === undefined && before) return before[name];
    if (isEmpty(value)) return cleared;
    const parsed = parse(value);
    if (parsed === undefined) faults[name] = fault;
    return parsed ?? cleared;
  };

  const make = read('make', '', slug(isMake), alertTexts.makeUnknown);
  if (make === '' && !faults.make) faults.make = alertTexts.makeRequired;
  const kept = before && make === before.make ? before.model : null;
  const model =
    input.model === undefined
      ? kept
      : read(
          'model',
          null,
          slug((value) => isModelOf(make, value)),
          alertTexts.modelUnknown,
        );
  const year = wholeNumber(bounds.firstYear, lastYear(now));
  const yearFault = alertTexts.yearUnknown(now);
  const price = wholeNumber(0, bounds.price);
  const priceFault = alertTexts.priceUnknown;
  const fields: AlertFields = {
    make,
    model,
    yearMin: read('yearMin', null, year, yearFault),
    yearMax: read('yearMax', null, year, yearFault),
    location: read('location', '', locationText, alertTexts.locationLong),
    radius: read('radius', 0, radius, alertTexts.radiusUnknown),
    priceMin: read('priceMin', null, price, priceFault),
    priceMax: read('priceMax', null, price, priceFault),
    color: anyAsNull(read('color', null, slug(isColor), alertTexts.colorUnknown)),
    onlyWithImages: read('onlyWithImages', true, flag, alertTexts.flagUnknown),
    emailNotifications: read('emailNotifications', true, flag, alertTexts.flagUnknown),
    textNotifications: read('textNotifications', false, flag, alertTexts.flagUnknown),
  };
  if (fields.location === '' && !faults.location) faults.location = alertTexts.locationRequired;
  if (fields.radius === 0 && !faults.radius) faults.radius = alertTexts.radiusRequired;
  refuseCrossed(fields, faults, 'yearMin', 'yearMax');
  refuseCrossed(fields, faults, 'priceMin', 'priceMax');
  return { fields, faults };
}

type Bound = 'yearMin' | 'yearMax' | 'priceMin' | 'priceMax';

function refuseCrossed(fields: AlertFields, faults: Faults, minName: Bound, maxName: Bound): void {
  const [min, max] = [fields[minName], fields[maxName]];
  if (min === null || max === null || min <= max) return;
  faults[minName] ??= alertTexts.crossed;
  faults[maxName] ??= alertTexts.crossed;
}

const slug =
  (isKnown: (value: string) => boolean) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' && isKnown(value.trim()) ? value.trim() : undefined;

const anyAsNull = (color: string | null): string | null => (color === 'any' ? null : color);

const wholeNumber =
  (min: number, max: number) =>
  (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined;

const radius = (value: unknown): number | undefined =>
  typeof value === 'number' && bounds.radii.includes(value) ? value : undefined;

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** PostgreSQL's text takes no NUL. */
const locationText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim().length <= bounds.location && !value.includes('\0')
    ? value.trim()
    : undefined;
