import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { filterKinds } from '../domain/forms/filter-values.ts';
import { columnOf } from './column-of.ts';

/** The columns of `listings` by which the search decides. */
const searched = [
  ...[
    'id',
    'make_key',
    'model_key',
    'price',
    'year',
    'color_code',
    'has_image',
    'x',
    'y',
    'z',
    'mileage',
    'title',
    'trim',
  ],
  ...['band_low', 'band_middle', 'band_high'],
  ...filterKinds.map(columnOf),
];

/** SQL: in place of the facts at the last search, where there was none. They fit no alert. */
const NEVER = "'{}'::jsonb";

/**
 * SQL: the new value of `facts_before` where a listing is about to be changed: its facts as of the last search, until the
 * next one. By them that one tells an alert that it begins to fit from one that it fitted all the time, where the alert no
 * longer has the match. `changed_at` is until when the listing was for sale with them.
 * @param l an alias of the row that is updated
 */
export const factsBefore = (l: string): string => `
  case when ${l}.facts_before is not null then ${l}.facts_before
       when ${l}.pending_match then ${NEVER}
       else jsonb_build_object(${searched.map((column) => `'${column}', ${l}.${column}`).join(', ')},
              'changed_at', case when ${l}.status = '${ListingStatus.forSale}' then now() else ${l}.changed_at end) end`;

/** SQL: the value where a listing is no longer for sale, so that it may not have been searched for. @param l the same */
export const factsBeforeEnd = (l: string): string => `
  case when ${l}.pending_match then coalesce(${l}.facts_before, ${NEVER}) else ${l}.facts_before end`;

/** SQL: the value of a new listing. @param status SQL */
export const factsOfNew = (status: string): string => `
  case when ${status} <> '${ListingStatus.forSale}' then ${NEVER} end`;

/** SQL: the value of a listing that was not for sale for so long that no search of an alert found it. */
export const factsOfOld = NEVER;

/** SQL: the listings of `$1` as they were at the last search, with the columns by which the search decides. */
export const listingsBefore = `
  select b.* from listings l cross join lateral jsonb_populate_record(null::listings, l.facts_before) b
   where l.id = any ($1::int8[]) and l.facts_before is not null`;
