import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { COUNTED_MATCHES, MATCHES_KEPT } from '../domain/match-cap.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { waitingOf, waitsForSearch } from '../placement/listing-marks.ts';
import { askedFiltersFit, isAskedLeftOpen } from './filter-rules.ts';
import { HELD_BY_MESSAGES, isHeld } from './held-pairs.ts';
import {
  askedAlerts,
  distanceMiles,
  notStated,
  otherFactsFit,
  pairFits,
  pairVersion,
  pricesFit,
} from './match-rules.ts';

/** How far back an alert that is new, edited or switched on is searched for. */
export const BACKFILL_DAYS = 14;

const columnsWith = (version: string): string => `
  l.id as listing_id, c.alert_id, c.user_id, ${version} as alert_version, ${distanceMiles} as distance_miles, ${notStated(isAskedLeftOpen)} as not_stated,
  l.price`;
const fits = `${pricesFit} and ${otherFactsFit} and ${askedFiltersFit}`;
const matchColumns = 'listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price';
const shownColumns = `${matchColumns}, announced, position`;
const shown = `select ${matchColumns}, false, (select position from current_position) from fitting`;
/** The position is read once a statement, not once a row. */
const currentPosition = 'current_position as materialized (select match_position() as position)';
const asked = `asked as materialized (${askedAlerts('$1')})`;

/**
 * The newest listings of each cell, of which one more than an alert keeps says that there are more. Uses the columns of one
 * index only, from its end. @param also a further condition on the listing `l`
 */
const backfill = (version: string, also = 'true'): string => `
  select ${columnsWith(version)}, l.seen_at
    from json_to_recordset($2::json) as k (id int8, "makeKey" int8, "modelKeys" int8[])
    join asked c on c.alert_id = k.id
   cross join lateral (
     select l.* from listings l
      where l.make_key = k."makeKey" and l.seen_at > now() - interval '${BACKFILL_DAYS} days'
        and l.status = '${ListingStatus.forSale}' and not l.pending_match
        and (k."modelKeys" is null or l.model_key = any (k."modelKeys")) and ${fits} and ${also}
      order by l.seen_at desc limit ${COUNTED_MATCHES}) l`;

/*
 * Parameters of both statements: $1 is a JSON array with the alert and its `AlertSearch`; $2 is a JSON array of
 * {id, makeKey, modelKeys}, the cells to search; the models' keys are null where no model is asked. Both leave a listing that
 * waits to be matched to its own search, which sees this alert and announces.
 */

/**
 * For an alert without any match row yet, and so without a dismissed car. To look for the mark of each listing would take a
 * tenth of the time, so those of all are looked up at once; where one may have taken the place of an older listing, `needsMore`
 * says that the other statement has to follow. Rows are written in the order of the listings, as in the largest index.
 */
export const matchFreshAlertsSql = `
  with ${asked}, found as materialized (${backfill('c.alert_version')}
  ), waiting as materialized (${waitingOf('select listing_id from found')}
  ), fitting as materialized (
    select * from (
      select * from found where listing_id not in (select listing_id from waiting)
       order by seen_at desc, listing_id desc limit ${MATCHES_KEPT}) newest
     order by listing_id
  ), ${currentPosition}, shown as (
    insert into matches (${shownColumns}) ${shown}
  )
  select c.alert_id as id, (select position from current_position)::text as position,
         f.count - w.count > ${MATCHES_KEPT} as "isCapped", w.count > 0 and f.count > ${MATCHES_KEPT} as "needsMore"
    from asked c cross join (select count(*) from found) f cross join (select count(*) from waiting) w
   where f.count > 0`;

const isDismissed = `alert_version = ${DISMISSED}`;
const storedDismissed = `
  exists (select from matches d where d.listing_id = l.id and d.alert_id = c.alert_id and d.user_id = c.user_id and d.${isDismissed})`;

/**
 * For an alert with match rows: of the pairs that fit, the newest are shown, whatever version they had, except that dismissed
 * ones stay hidden; pairs that no longer fit are hidden (version 0). A pair whose version changes gets a new position, since
 * readers by cursor may have passed it. An announced pair is as new as its announcement. Known pairs that fit, and for which
 * there are too many newer ones, are deleted.
 */
export const rematchAlertsSql = `
  with ${asked}, known as materialized (
    select ${columnsWith(`case when l.${isDismissed} then l.alert_version else ${pairVersion} end`)}, l.position,
           greatest(l.seen_at, case when l.announced then l.matched_at end) as seen_at
      from asked c
     cross join lateral (
       select l.*, m.alert_version, m.announced, m.matched_at, m.position from matches m join listings l on l.id = m.listing_id
        where m.alert_id = c.alert_id and m.user_id = c.user_id and ${pairFits}
       offset 0) l
  ), found as materialized (
    select f.*, null::int8 as position
      from (${backfill(pairVersion, `not ${storedDismissed} and not ${waitsForSearch('l.id')}`)}) f
     where listing_id not in (select listing_id from known)
    union all
    select ${matchColumns}, seen_at, position from known
  ), fitting as materialized (
    select f.*
      from (select *, row_number() over (partition by ${isDismissed} order by seen_at desc, listing_id desc) as rank
              from found) f
      join alerts a on a.id = f.alert_id and a.user_id = f.user_id
     where case when f.rank <= ${MATCHES_KEPT} or f.${isDismissed} then true
                when f.position is null then false
                else ${isHeld('f', 'a.user_id', `f.rank <= ${HELD_BY_MESSAGES}`)} end
  ), ${currentPosition}, shown as (
    insert into matches (${shownColumns}) ${shown}
    on conflict on constraint matches_pkey do update
      set alert_version = case when matches.${isDismissed} then matches.alert_version
                               else excluded.alert_version end,
          distance_miles = excluded.distance_miles,
          not_stated = excluded.not_stated,
          position = case when matches.alert_version = excluded.alert_version then matches.position
                          else excluded.position end
      where (matches.alert_version, matches.distance_miles, matches.not_stated)
            is distinct from (excluded.alert_version, excluded.distance_miles, excluded.not_stated)
  ), hidden as (
    update matches m set alert_version = 0
      from asked c
     where m.alert_id = c.alert_id and m.user_id = c.user_id and m.alert_version not in (0, ${DISMISSED})
       and m.listing_id not in (select listing_id from found)
  ), left_out as (
    delete from matches m using asked c
     where m.alert_id = c.alert_id and m.user_id = c.user_id and m.listing_id in (select listing_id from known)
       and m.listing_id not in (select listing_id from fitting)
  )
  select c.alert_id as id, (select position from current_position)::text as position,
         (select count(*) from found where not ${isDismissed}) > ${MATCHES_KEPT} as "isCapped", false as "needsMore"
    from asked c where exists (select from found)`;
