import { askedCars } from '../domain/criteria/asked-cars.ts';
import { type AlertCriteria, notStatedBits } from '../domain/criteria/criteria.ts';
import { conditionsOf } from '../domain/criteria/filters.ts';
import { alertSearch, NO_PRICE_MAX, NO_YEAR_MAX } from '../domain/criteria/search-columns.ts';
import { EARTH_RADIUS_MILES, POINT_GRID } from '../domain/places/place.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { askedFiltersFit } from './filter-rules.ts';

/*
 * The rules of `domain/criteria/criteria.ts` as SQL, on `c` (the criteria of an alert, columns of `alert_cells`) and `l`
 * (listings). Both searches and edits of alerts use them; a test compares them with the rules of the domain.
 */

/** SQL: what the bounds of an alert are compared with. A price or year that is not stated fits where there is no bound. */
const bounds = {
  lowest_price_max: `coalesce(l.price, ${NO_PRICE_MAX})`,
  highest_price_min: 'coalesce(l.price, 0)',
  highest_year_min: 'coalesce(l.year, 0)',
  lowest_year_max: `coalesce(l.year, ${NO_YEAR_MAX})`,
};
type BoundOf = (name: keyof typeof bounds) => string;
const boundOf: BoundOf = (name) => bounds[name];
/** The same, where `listingOnce` joined them. */
const boundOnce: BoundOf = (name) => `g.${name}`;

const priceMaxFits = (of: BoundOf) => `c.price_max >= ${of('lowest_price_max')}`;
const priceMinFits = (of: BoundOf) => `c.price_min <= ${of('highest_price_min')}`;
const yearMinFits = (of: BoundOf) => `c.year_min <= ${of('highest_year_min')}`;
const yearMaxFits = (of: BoundOf) => `c.year_max >= ${of('lowest_year_max')}`;

export const pricesFit = `${priceMaxFits(boundOf)} and ${priceMinFits(boundOf)}`;
export const yearsFit = `${yearMinFits(boundOf)} and ${yearMaxFits(boundOf)}`;
export const colorsFit = '(c.color = 0 or c.color = l.color_code or l.color_code = 0)';
export const photosFit = '(l.has_image or not c.only_images)';
export const cosDistance = 'c.x * l.x + c.y * l.y + c.z * l.z';
const isNear = `${cosDistance} >= c.cos_radius`;

export const otherFactsFit = `
  ${yearsFit}
  and ${colorsFit}
  and ${photosFit}
  and ${isNear}`;

/**
 * SQL: whether an alert `c`, found by its cell, fits a listing to which `listingOnce` is joined. PostgreSQL would compare
 * the distance last, as it has most operators; "case" compares first what refuses most.
 * @param rest further conditions
 */
export const foundFits = (rest: string): string => `
  ${priceMaxFits(boundOnce)}
  and case when ${yearMinFits(boundOnce)} and ${isNear}
           then ${priceMinFits(boundOnce)} and ${yearMaxFits(boundOnce)} and ${colorsFit} and ${photosFit} and ${rest} end`;

type Axis = 'x' | 'y' | 'z';

const onGrid = (axis: Axis): string => `(floor(l.${axis} * ${POINT_GRID} + 0.5) / ${POINT_GRID})`;

const boundColumns = Object.entries(bounds).map(([name, value]) => `${value} as ${name}`);

/** SQL: the criteria with columns of their own that a listing `l` with a place does not state. */
const factsNotStated = `
  (l.color_code = 0)::int * ${notStatedBits.color} + (l.model_key is null)::int * ${notStatedBits.model}
  + (l.year is null)::int * ${notStatedBits.year} + (l.price is null)::int * ${notStatedBits.price}
  + (not l.has_image)::int * ${notStatedBits.image}`;

/** SQL: joins to the listing `l` as `g` what its alerts are compared with and its rounded point, computed once and not for each alert. */
export const listingOnce = `
 cross join lateral (
   select ${boundColumns.join(', ')}, (${factsNotStated})::int2 as not_stated,
          (${factsNotStated} + ${notStatedBits.filters})::int2 as not_stated_nor_filters,
          ${onGrid('x')} as x, ${onGrid('y')} as y, ${onGrid('z')} as z offset 0) g`;

/** Miles from the square of a chord, which is at most that of the radius. A product takes a tenth of the time of "^ 2". */
const milesTo = (point: (axis: Axis) => string): string => {
  const square = (axis: Axis) => `(c.${axis} - ${point(axis)}) * (c.${axis} - ${point(axis)})`;
  const chord = `sqrt(least(${square('x')} + ${square('y')} + ${square('z')}, 2 - 2 * c.cos_radius))`;
  return `(floor(2 * ${EARTH_RADIUS_MILES} * asin(${chord} / 2) * 10 + 0.5) / 10)::float4`;
};

/** `shownMiles` of the domain for a pair that fits, as it is stored and shown. */
export const distanceMiles = milesTo(onGrid);

/** The same where `listingOnce` is joined. */
export const distanceToPoint = milesTo((axis) => `g.${axis}`);

/**
 * The criteria that a listing with a place does not state. One without a place has no `model_key` and matches nothing.
 * @param filters whether a filter asks for what is not stated
 */
export const notStated = (filters: string): string =>
  `(${factsNotStated} + (${filters})::int * ${notStatedBits.filters})::int2`;

/** The same where `listingOnce` is joined. */
export const notStatedOnce = (filters: string): string =>
  `case when ${filters} then g.not_stated_nor_filters else g.not_stated end`;

/** Whether the first price is at least 5 % below the second; unknown prices are no drop. */
export const isDrop = (price: string, from: string): string =>
  `coalesce(${price}::int8 * 100 <= ${from}::int8 * 95, false)`;

/** SQL: the version of a pair of `c` and `l`, which is hidden where another listing of the car is dismissed. */
export const pairVersion = `
  case when l.car_id is not null and exists (
         select from listings o join matches d on d.listing_id = o.id and d.alert_id = c.alert_id and d.user_id = c.user_id
          where o.car_id = l.car_id and d.alert_version = ${DISMISSED})
       then ${DISMISSED} else c.alert_version end`;

/** The criteria of an alert as `askedAlerts` reads them from JSON. */
export const askedOf = <T extends AlertCriteria & { id: number; userId: number; version: number }>(alert: T) => ({
  ...alert,
  ...alertSearch(alert),
  cars: [...askedCars(alert)].flatMap(([make, models]) => models?.map((model) => `${make}/${model}`) ?? make),
  conditions: conditionsOf(alert),
});

/** Rows for `c`, of the parameter `json`: an array of what `askedOf` gives. */
export const askedAlerts = (json: string): string => `
  select id as alert_id, "userId" as user_id, version as alert_version, cars, "priceMin" as price_min, "priceMax" as price_max,
         "yearMin" as year_min, "yearMax" as year_max, color, "onlyImages" as only_images, x, y, z,
         "cosRadius" as cos_radius, asked, conditions, "mileageMax" as mileage_max
    from json_to_recordset(${json}::json) as a (
      id int8, "userId" int8, version int4, cars text[], "priceMin" int4, "priceMax" int4, "yearMin" int4, "yearMax" int4,
      color int4, "onlyImages" bool, x float8, y float8, z float8, "cosRadius" float8, asked int4, conditions text,
      "mileageMax" int4)`;

/** Whether a known pair of `c` and `l` fits: one that is found by its cell has the car already. */
export const pairFits = `
  (l.make = any (c.cars) or l.make || '/' || l.model = any (c.cars))
  and ${pricesFit} and ${otherFactsFit} and ${askedFiltersFit}`;
