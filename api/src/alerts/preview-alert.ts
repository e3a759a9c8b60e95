import type { Queryable } from '../base/database.ts';
import { refuseInvalid } from '../base/errors.ts';
import { type AskedCars, askedCars } from '../domain/criteria/asked-cars.ts';
import type { Gazetteer, Place } from '../domain/places/places.ts';
import { countMatches, type MatchCounts, type WideningSteps } from '../matching/count-matches.ts';
import { type AlertInput, readAlertFields } from './alert-input.ts';
import { resolvePlace } from './create-alert.ts';

/** A change of one field that would bring more listings. */
export interface NearMiss {
  /**
   * A field of `AlertInput`; `noPrice` for listings that state no price, which `priceStated: false` includes; or `filters` for
   * all further filters but the mileage.
   */
  field: string;
  from: string | null;
  /** null: any. */
  to: string | null;
  more: number;
}

export interface AlertPreview {
  matchCount: number;
  /** How many matches a week brings, with one decimal; of the first week as many as it brought so far. */
  perWeek: number;
  /** How many days were counted: 30, or since the oldest listing was seen. */
  days: number;
  /** From which the radius was measured, and the radius in miles. */
  place: Place & { radius: number };
  /** Listings, the newest first. */
  samples: number[];
  nearMisses: NearMiss[];
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
export const MAX_NEAR_MISSES = 4;
const RADII = [5, 10, 25, 50, 100] as const;
const YEARS = 1;

/** A tenth, in steps of 5,000 miles. */
const mileageStep = (miles: number): number => Math.max(5_000, Math.round(miles / 10 / 5_000) * 5_000);

/** A tenth of the price, in steps of 500 dollars. */
const priceStep = (price: number): number => Math.max(500, Math.round(price / 10 / 500) * 500);

interface Bounds {
  priceMin?: number | null;
  priceMax?: number | null;
  yearMin?: number | null;
  yearMax?: number | null;
  radius: number;
  mileageMax?: number | null;
}

/** The next step of each bound that there is. */
export function wideningSteps({ priceMin, priceMax, yearMin, yearMax, radius, mileageMax }: Bounds): WideningSteps {
  return {
    priceMax: priceMax == null ? null : priceMax + priceStep(priceMax),
    // A minimum of 0 is none, and would also match listings without a price.
    priceMin: priceMin && priceMin > priceStep(priceMin) ? priceMin - priceStep(priceMin) : null,
    yearMin: yearMin == null ? null : yearMin - YEARS,
    yearMax: yearMax == null ? null : yearMax + YEARS,
    radius: RADII.find((wider) => wider > radius) ?? null,
    mileageMax: mileageMax == null ? null : mileageMax + mileageStep(mileageMax),
  };
}

/** Any model instead of those that are asked for: one step where one field has them, all of one make. */
function anyModel(asked: AskedCars, more: number): NearMiss[] {
  const [own, ...others] = askedCars(asked).values();
  if (!own || others.length > 0) return [];
  if (asked.models == null) return [{ field: 'model', from: own.join(', '), to: null, more }];
  return asked.model ? [] : [{ field: 'models', from: own.join(', '), to: null, more }];
}

function nearMissesOf(
  asked: Bounds & AskedCars & { color?: string | null },
  steps: WideningSteps,
  counts: MatchCounts,
): NearMiss[] {
  const bounds = (['priceMax', 'priceMin', 'yearMin', 'yearMax', 'radius', 'mileageMax'] as const).map((field) => ({
    field,
    from: asked[field] == null ? null : String(asked[field]),
    to: steps[field] === null ? null : String(steps[field]),
    more: counts[field],
  }));
  const all: NearMiss[] = [
    ...bounds,
    ...anyModel(asked, counts.model),
    { field: 'color', from: asked.color ?? null, to: null, more: counts.color },
    { field: 'onlyWithImages', from: 'true', to: 'false', more: counts.onlyWithImages },
    { field: 'noPrice', from: null, to: null, more: counts.noPrice },
    { field: 'filters', from: null, to: null, more: counts.filters },
  ];
  return all
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)
    .slice(0, MAX_NEAR_MISSES);
}

/** Over how many of the last days there are listings, at least 1. A day that has begun counts. */
async function readDays(db: Queryable, now: Date): Promise<number> {
  const { rows } = await db.query<{ seenAt: Date }>({
    name: 'read-oldest-listing',
    text: 'select seen_at as "seenAt" from listings order by id limit 1',
  });
  const seenDays = (now.getTime() - (rows[0]?.seenAt ?? now).getTime()) / DAY_MS;
  return Math.min(DAYS, Math.max(1, Math.ceil(seenDays)));
}

/**
 * What an alert would have brought in the last 30 days, of the listings that are still for sale, and which single steps
 * would bring more.
 * @throws AppError VALIDATION with `fields`
 */
export async function previewAlert(
  { db, gazetteer, now }: { db: Queryable; gazetteer: Gazetteer; now: Date },
  input: AlertInput,
): Promise<AlertPreview> {
  const { fields, faults } = readAlertFields(input, null, now);
  const place = resolvePlace(gazetteer, fields, faults);
  refuseInvalid(faults);
  if (!place) throw new Error('a place that was not found is a fault');
  const criteria = { ...fields, lat: place.lat, lng: place.lng };
  const steps = wideningSteps(fields);
  // One after the other, so that nothing begins once the caller has left.
  const counts = await countMatches(db, criteria, steps, DAYS);
  const days = await readDays(db, now);
  return {
    matchCount: counts.matches,
    // Less than a week says too little about the next one.
    perWeek: Math.round((counts.matches / Math.max(days, 7)) * 70) / 10,
    days,
    place: { ...place, radius: fields.radius },
    samples: counts.samples,
    nearMisses: nearMissesOf(fields, steps, counts),
  };
}
