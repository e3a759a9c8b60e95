import type { Queryable } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { alertCells, NO_MILEAGE_MAX } from '../domain/criteria/search-columns.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { cosRadius } from '../domain/places/place.ts';
import { askedButMileageFit } from './filter-rules.ts';
import { askedAlerts, askedOf, colorsFit, cosDistance, photosFit, pricesFit, yearsFit } from './match-rules.ts';

/** One step by which an alert can be widened, and how many more listings it would match. */
export interface WideningSteps {
  priceMax: number | null;
  priceMin: number | null;
  yearMin: number | null;
  yearMax: number | null;
  radius: number | null;
  /** Miles. */
  mileageMax: number | null;
}

export interface MatchCounts {
  matches: number;
  /** The newest matches. */
  samples: number[];
  priceMax: number;
  priceMin: number;
  /** State no price, and fit otherwise. */
  noPrice: number;
  yearMin: number;
  yearMax: number;
  radius: number;
  color: number;
  model: number;
  onlyWithImages: number;
  mileageMax: number;
  /** Miss filters other than the mileage. */
  filters: number;
}

/** What an alert asks of a listing of its make, by the columns of one index. */
const indexed = {
  model: '(k."modelKeys" is null or l.model_key = any (k."modelKeys"))',
  // Of the alert its bounds are passed, and whether a price must be stated for itself.
  price: `(case when l.price is null and $9::bool is not null then not $9 else ${pricesFit} end)`,
  year: yearsFit,
  color: colorsFit,
  photo: photosFit,
  near: `${cosDistance} >= c.cos_radius`,
} as const;

/** What is read from the listing itself, and so only of those that miss at most one of the others. */
const stored = {
  mileage: `(c.mileage_max = ${NO_MILEAGE_MAX}
             or coalesce((select f.mileage from listings f where f.id = l.id), ${NO_MILEAGE_MAX}) <= c.mileage_max)`,
  filters: askedButMileageFit,
} as const;

type Criterion = keyof typeof indexed | keyof typeof stored;

/** The bit of each criterion in `missed`. */
const bits = Object.fromEntries(
  [...Object.keys(indexed), ...Object.keys(stored)].map((name, at) => [name, 1 << at]),
) as Record<Criterion, number>;

const missedOf = (criteria: Partial<Record<Criterion, string>>): string =>
  Object.entries(criteria)
    .map(([name, sql]) => `case when ${sql} then 0 else ${bits[name as Criterion]} end`)
    .join(' + ');

const fits = 'missed = 0';

/** The condition that a listing misses this one criterion. */
const missesOnly = (missed: Criterion): string => `missed = ${bits[missed]}`;

const SAMPLES = 3;

/*
 * $1: the alert as for the backfill; $2: {makeKey, modelKeys} of its cells and of those within the wider radius;
 * $3: days; $4 to $7: the steps, null where none is possible; $8: the cosine of the wider radius; $9: whether a price must be
 * stated; $10: the step of the mileage.
 */
const countSql = `
  with asked as materialized (${askedAlerts('$1')}), near as materialized (
    select l.id, l.seen_at, l.price, l.year, ${cosDistance} as cos_distance, ${missedOf(indexed)} as missed
      from json_to_recordset($2::json) as k ("makeKey" int8, "modelKeys" int8[])
     cross join asked c
     cross join lateral (
       select l.* from listings l
        where l.make_key = k."makeKey" and l.seen_at > now() - $3::int4 * interval '1 day'
          and l.status = '${ListingStatus.forSale}' and not l.pending_match
          and ${cosDistance} >= least(c.cos_radius, coalesce($8::float8, c.cos_radius))
       offset 0) l
  ), found as materialized (
    select l.id, l.seen_at, l.price, l.year, l.cos_distance, l.missed + ${missedOf(stored)} as missed,
           c.price_max, c.price_min, c.year_min, c.year_max
      from near l cross join asked c
     where l.missed & (l.missed - 1) = 0
  ), counted as (
    select count(*) filter (where ${fits})::int4 as matches,
           count(*) filter (where ${missesOnly('price')} and price > price_max and price <= $4)::int4 as "priceMax",
           count(*) filter (where ${missesOnly('price')} and price < price_min and price >= $5)::int4 as "priceMin",
           count(*) filter (where ${missesOnly('price')} and price is null)::int4 as "noPrice",
           count(*) filter (where ${missesOnly('year')} and year < year_min and year >= $6)::int4 as "yearMin",
           count(*) filter (where ${missesOnly('year')} and year > year_max and year <= $7)::int4 as "yearMax",
           count(*) filter (where ${missesOnly('near')} and cos_distance >= $8)::int4 as radius,
           count(*) filter (where ${missesOnly('color')})::int4 as color,
           count(*) filter (where ${missesOnly('model')})::int4 as model,
           count(*) filter (where ${missesOnly('photo')})::int4 as "onlyWithImages",
           count(*) filter (where ${missesOnly('mileage')} and (select mileage from listings l where l.id = found.id) <= $10)::int4
             as "mileageMax",
           count(*) filter (where ${missesOnly('filters')})::int4 as filters
      from found
  )
  select counted.*, array(select id from found where ${fits}
                           order by seen_at desc, id desc limit ${SAMPLES}) as samples
    from counted`;

/**
 * Counts the listings for sale, first seen in the last days, that an alert with these criteria matches, and those that it
 * misses by one criterion. It counts what the backfill finds, and what waits to be matched.
 */
export async function countMatches(
  db: Queryable,
  alert: AlertCriteria,
  steps: WideningSteps,
  days: number,
): Promise<MatchCounts> {
  const wide = { ...alert, radius: Math.max(alert.radius, steps.radius ?? 0) };
  // Whether a price must be stated is part of the criterion of the price.
  const asked = askedOf({ ...alert, priceStated: null, id: 0, userId: 0, version: 0 });
  const { rows } = await db.query<MatchCounts>({
    name: 'count-matches',
    text: countSql,
    values: [
      JSON.stringify([asked]),
      JSON.stringify(alertCells(wide)),
      days,
      steps.priceMax,
      steps.priceMin,
      steps.yearMin,
      steps.yearMax,
      steps.radius === null ? null : cosRadius(steps.radius),
      alert.priceStated ?? null,
      steps.mileageMax,
    ],
  });
  const [counts] = rows;
  if (!counts) throw new Error('the count of matches has no row');
  return counts;
}
