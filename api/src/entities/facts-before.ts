import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { filterKinds } from '../domain/forms/filter-values.ts';
import { columnOf } from './column-of.ts';

/*
 * The facts of a listing at its last search are kept from its first change until the next search. By them that one tells an
 * alert that it begins to fit from one that it fitted all the time, where the alert no longer has the match. While the listing
 * waits, they are in its mark; of one that is not for sale they are in `listings.facts_before`.
 */

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
export const NO_FACTS = "'{}'::jsonb";

/**
 * SQL: the facts at the last search of a listing that is about to be changed, where it does not wait for one. `changed_at` is
 * until when it was for sale with them.
 * @param l an alias of the row as it is before the change
 */
export const factsBefore = (l: string): string => `
  coalesce(${l}.facts_before, jsonb_build_object(${searched.map((column) => `'${column}', ${l}.${column}`).join(', ')},
    'changed_at', case when ${l}.status = '${ListingStatus.forSale}' then now() else ${l}.changed_at end))`;

/** SQL: the value of a new listing. @param status SQL */
export const factsOfNew = (status: string): string => `
  case when ${status} <> '${ListingStatus.forSale}' then ${NO_FACTS} end`;

/** SQL: the value of a listing that was not for sale for so long that no search of an alert found it. */
export const factsOfOld = NO_FACTS;

/** SQL: listings as they were at the last search, with the columns by which the search decides. @param json a JSON array of such facts */
export const listingsBefore = (json: string): string => `
  select b.* from jsonb_populate_recordset(null::listings, ${json}::jsonb) b`;
