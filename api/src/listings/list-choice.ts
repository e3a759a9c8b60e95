import { AppError } from '../base/errors.ts';
import { isNewsToBuyer } from './new-cars.ts';

/** By what a list of cars can be sorted. Cars that don't state it come last. */
export const listSorts = ['newest', 'price', 'mileage', 'nearest'] as const;
export type ListSort = (typeof listSorts)[number];

/** To what a list of cars can be narrowed. */
export const listFilters = ['new', 'price_drop', 'saved', 'below_fair_price'] as const;
export type ListFilter = (typeof listFilters)[number];

/** How a buyer wants to see a list: sorted by what, and only cars to which all filters apply. */
export interface ListChoice {
  sort: ListSort;
  only: readonly ListFilter[];
}

/** Whether a list is as it comes: newest first, and whole. */
export const isPlain = ({ sort, only }: ListChoice): boolean => sort === 'newest' && only.length === 0;

/** A place in a sorted list: behind the row with this key and these ids. */
export interface ListCursor {
  /** A decimal number as text, or Infinity. */
  key: string;
  ids: readonly number[];
}

/** Encodes a cursor as an opaque text for clients. */
export const encodeListCursor = (sort: ListSort, { key, ids }: ListCursor): string =>
  Buffer.from([sort, key, ...ids].join(':')).toString('base64url');

/**
 * Reads a cursor of a list with this sort. The filters may differ, since they don't move a row.
 * @param idCount how many ids tell its rows apart
 * @throws AppError VALIDATION when the text is no such cursor
 */
export function decodeListCursor(text: string, sort: ListSort, idCount: number): ListCursor {
  const plain = text.length <= 150 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [name, key = '', ...ids] = plain.split(':');
  const isKey = /^(?:-?\d{1,20}(?:\.\d{1,10})?|Infinity)$/.test(key);
  if (name !== sort || !isKey || ids.length !== idCount || !ids.every((id) => /^\d{1,15}$/.test(id))) {
    const message = 'This cursor is invalid.';
    throw new AppError('VALIDATION', message, { fields: { after: message } });
  }
  return { key, ids: ids.map(Number) };
}

/**
 * An SQL condition: all filters of `only`, a parameter with a list of texts, apply to the listing `l`. A filter that is
 * not asked for costs nothing.
 */
export const meetsFilters = (only: string, user: string): string => `(
  ('below_fair_price' <> all(${only}::text[]) or l.price::int8 * l.price < l.band_low::int8 * l.band_middle)
  and ('saved' <> all(${only}::text[])
    or exists (select from saved_listings where user_id = ${user} and listing_id = l.id and removed_at is null))
  and ('new' <> all(${only}::text[])
    or not exists (select from listing_views where user_id = ${user} and listing_id = l.id)
      and exists (
        select from (select alert_id, alert_version, matched_at from matches
                      where listing_id = l.id and user_id = ${user}
                        and alert_id = any(array(select id from alerts where user_id = ${user})) offset 0) m
          join alerts a on a.id = m.alert_id and a.user_id = ${user} and a.version = m.alert_version
         where ${isNewsToBuyer('m', 'a', 'l.seen_at')}))
  and ('price_drop' <> all(${only}::text[]) or l.price < (
    select h.price
      from (select id, price, seen_at from listings where id = l.id
            union all
            select id, price, seen_at from (select * from listings where car_id = l.car_id offset 0) c
             where c.id <> l.id and c.source = l.source) o
      left join price_changes p on p.listing_id = o.id
     cross join lateral (
       select case when p.listing_id is null then o.price else p.price end as price,
              coalesce(p.seen_at, o.seen_at) as seen_at) h
     where h.price <> l.price
     order by h.seen_at desc, o.id desc limit 1)))`;

/** SQL: by what listing `l` is sorted, ascending. @param newest, nearest expressions for the sorts that depend on the list */
export const sortKey = (sort: string, { newest, nearest }: { newest: string; nearest: string }): string => `
  case ${sort}::text
    when 'price' then coalesce(l.price::numeric, 'infinity')
    when 'mileage' then coalesce(l.mileage::numeric, 'infinity')
    when 'nearest' then coalesce((${nearest})::numeric, 'infinity')
    else (${newest})::numeric
  end`;
