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

/**
 * SQL: the new value of `facts_before` where a listing is about to be changed and marked for matching: its facts as of the
 * last search, until the next one. By them that one tells an alert that it begins to fit from one that it fitted all the
 * time, where the alert no longer has the match. They are null for a listing that was never searched for. `changed_at` is
 * until when the listing was for sale with them.
 * @param l an alias of the row that is updated
 */
export const factsBefore = (l: string): string => `
  case when ${l}.facts_before is null and not ${l}.pending_match
       then jsonb_build_object(${searched.map((column) => `'${column}', ${l}.${column}`).join(', ')},
              'changed_at', case when ${l}.status = '${ListingStatus.forSale}' then now() else ${l}.changed_at end)
       else ${l}.facts_before end`;

/** SQL: the listings of `$1` as they were at the last search, with the columns by which the search decides. */
export const listingsBefore = `
  select b.* from listings l cross join lateral jsonb_populate_record(null::listings, l.facts_before) b
   where l.id = any ($1::int8[]) and l.facts_before is not null`;
