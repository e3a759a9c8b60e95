import type { Queryable } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { alertKeys, alertMakeKeys } from '../domain/criteria/search-columns.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { cosRadius } from '../domain/places/place.ts';
import { askedAlerts, askedOf, colorsFit, cosDistance, photosFit, pricesFit, yearsFit } from './match-rules.ts';

/** One step by which an alert can be widened, and how many more listings it would match. */
export interface WideningSteps {
  priceMax: number | null;
  priceMin: number | null;
  yearMin: number | null;
  yearMax: number | null;
  radius: number | null;
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
}

/** What an alert asks of a listing of its make. */
const criteria = {
  model: '(k."modelKey" is null or l.model_key = k."modelKey")',
  price: pricesFit,
  year: yearsFit,
  color: colorsFit,
  photo: photosFit,
  near: `${cosDistance} >= c.cos_radius`,
} as const;

const names = Object.keys(criteria).map((name) => `is_${name}`);
const fits = names.join(' and ');

/** The condition that a listing misses this one criterion. */
const missesOnly = (missed: keyof typeof criteria): string =>
  names.map((name) => (name === `is_${missed}` ? `${name} is not true` : name)).join(' and ');

const SAMPLES = 3;

/*
 * $1: the alert as for the backfill; $2: {makeKey, modelKey} of its cells and of those within the wider radius;
 * $3: days; $4 to $7: the steps, null where none is possible; $8: the cosine of the wider radius.
 */
const countSql = `
  with asked as materialized (${askedAlerts('$1')}), found as materialized (
    select l.id, l.seen_at, l.price, l.year, ${Object.entries(criteria)
      .map(([name, sql]) => `${sql} as is_${name}`)
      .join(', ')},
           c.price_max, c.price_min, c.year_min, c.year_max, ${cosDistance} as cos_distance
      from json_to_recordset($2::json) as k ("makeKey" int8, "modelKey" int8)
     cross join asked c
     cross join lateral (
       select l.* from listings l
        where l.make_key = k."makeKey" and l.seen_at > now() - $3::int4 * interval '1 day'
          and l.status = '${ListingStatus.forSale}' and not l.pending_match
          and ${cosDistance} >= least(c.cos_radius, coalesce($8::float8, c.cos_radius))
       offset 0) l
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
           count(*) filter (where ${missesOnly('photo')})::int4 as "onlyWithImages"
      from found
  )
  select counted.*, array(select id from found where ${fits}
                           order by seen_at desc, id desc limit ${SAMPLES}) as samples
    from counted`;

/**
 * Counts the listings for sale, first seen in the last days, that an alert with these criteria matches, and those that it
 * misses by one criterion. It counts what the backfill finds.
 */
export async function countMatches(
  db: Queryable,
  alert: AlertCriteria,
  steps: WideningSteps,
  days: number,
): Promise<MatchCounts> {
  const wide = { ...alert, radius: Math.max(alert.radius, steps.radius ?? 0) };
  const modelKeys = alert.model ? alertKeys(wide) : [];
  const cells = alertMakeKeys(wide).map((makeKey, at) => ({ makeKey, modelKey: modelKeys[at] ?? null }));
  const { rows } = await db.query<MatchCounts>({
    name: 'count-matches',
    text: countSql,
    values: [
      JSON.stringify([askedOf({ ...alert, id: 0, version: 0 })]),
      JSON.stringify(cells),
      days,
      steps.priceMax,
      steps.priceMin,
      steps.yearMin,
      steps.yearMax,
      steps.radius === null ? null : cosRadius(steps.radius),
    ],
  });
  const [counts] = rows;
  if (!counts) throw new Error('the count of matches has no row');
  return counts;
}
