import { isAnnouncedOn } from '../entities/car-followers.ts';
import { matchChannels } from '../entities/delivery-channels.ts';
import { BACKFILL_DAYS } from './alert-search-sql.ts';
import { filtersFit, listingBits } from './filter-rules.ts';
import { isDrop, otherFactsFit, pricesFit } from './match-rules.ts';

/*
 * An alert keeps its newest matches. That a pair has no row may mean that it never fitted, or that there were too many newer
 * ones. SQL for the search for listings, on `l` (a claimed listing), `c` (the cells of an alert that it fits), and `before`
 * (the claimed listings as they were at the last search).
 */

/** SQL: whether the alert of a cell announces on any channel. */
export const announcesAny = matchChannels.map(isAnnouncedOn).join(' or ');

/** The alert may have found the listing, as it was then, in another cell. */
const fittedBefore = `
  select from before l ${listingBits}
   cross join lateral (
     select from alert_cells o
      where o.alert_id = c.alert_id and o.user_id = c.user_id and o.key = any (array[l.make_key, l.model_key]) offset 0) cell
   where l.id = before.id and ${pricesFit} and ${otherFactsFit} and ${filtersFit}`;

/** Servers note the times of one change by their own clocks. */
const CLOCKS = "interval '1 s'";

/**
 * SQL: whether a pair is shown without an announcement, as a backfill shows it. The alert fits the listing as it was before, too,
 * and its price has not dropped. Besides, only a new price model marked the listing ($4: since when each in $1 waits), or the alert
 * was made while it waited. An edit is not enough: the changed car may have come to fit what the alert asked for before.
 */
export const isShownAsOld = `
  exists (
    select from before
     cross join lateral (
       select a.created_at, a.backfill_requested_at from alerts a
        where a.id = c.alert_id and a.user_id = c.user_id offset 0) a
     cross join lateral (select ($4::timestamptz[])[array_position($1::int8[], l.id)] as marked_at) w
     where before.id = l.id
       and (l.changed_at < w.marked_at - ${CLOCKS} or l.changed_at <= a.backfill_requested_at and w.marked_at < a.created_at)
       and not ${isDrop('l.price', 'before.price')} and exists (${fittedBefore}))`;

/** Since when the alert knew the listing, if its last search for listings found it. */
const foundAt = 'greatest(l.seen_at, a.backfill_requested_at)';

const priceThen = `
  select p.price from price_changes p where p.listing_id = l.id and p.seen_at <= ${foundAt} order by p.seen_at desc limit 1`;

/**
 * SQL: what a row of `matches` would say of a pair that has none because there are too many newer ones: the alert has left
 * pairs out, and either it announced this one, or the listing fitted it at the last search already and its backfill went back
 * as far. The price is that of the last announcement, else that when the alert found the car; without announcements it is the
 * one before the change, as nothing remembers what webhooks were told. A row that is written for it is as old as the oldest
 * that the alert keeps, so that readers by cursor don't take it for a new match.
 */
export const leftOutPair = `
  select true as known, false as is_stored,
         coalesce(n.price, case when ${announcesAny} then (${priceThen}) end, before.price) as price,
         coalesce(n.announced, false) as announced, false as dismissed, ${foundAt} as matched_at,
         (select o.position from matches o where o.alert_id = c.alert_id and o.user_id = c.user_id
           order by o.position limit 1) as position
    from alerts a
    left join before on before.id = l.id
   cross join lateral (
     select (array_agg(o.price order by o.id desc))[1] as price, bool_or(o.status <> 'dropped') as announced,
            count(*) > 0 as decided
       from notifications o
      where o.alert_id = a.id and o.user_id = a.user_id and o.listing_id = l.id and o.kind <> 'sold') n
   where a.id = c.alert_id and a.user_id = c.user_id and a.is_capped
     and (n.decided
          or a.backfill_requested_at <= before.changed_at
             and l.seen_at > a.backfill_requested_at - interval '${BACKFILL_DAYS} days'
             and exists (${fittedBefore}))`;
