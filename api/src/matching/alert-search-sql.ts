import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { askedFiltersFit, isAskedLeftOpen } from './filter-rules.ts';
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
  l.id as listing_id, c.alert_id, ${version} as alert_version, ${distanceMiles} as distance_miles, ${notStated(isAskedLeftOpen)} as not_stated,
  l.price`;
const fits = `${pricesFit} and ${otherFactsFit} and ${askedFiltersFit}`;
const matchColumns = 'listing_id, alert_id, alert_version, distance_miles, not_stated, price';
const shownColumns = `${matchColumns}, announced, position`;
const shown = `select ${matchColumns}, false, (select position from current_position) from fitting`;
/** The position is read once a statement, not once a row. */
const currentPosition = 'current_position as materialized (select match_position() as position)';
const outcome =
  'select distinct alert_id as id, (select position from current_position)::text as position from fitting';

const asked = `asked as materialized (${askedAlerts('$1')})`;

/**
 * Uses the columns of one index only. A listing that waits to be matched is left to its own search, which sees these
 * alerts and announces.
 */
const backfill = (version: string): string => `
  select ${columnsWith(version)}
    from json_to_recordset($2::json) as k (id int8, "makeKey" int8, "modelKeys" int8[])
    join asked c on c.alert_id = k.id
   cross join lateral (
     select l.* from listings l
      where l.make_key = k."makeKey" and l.seen_at > now() - interval '${BACKFILL_DAYS} days'
        and l.status = '${ListingStatus.forSale}' and not l.pending_match
        and (k."modelKeys" is null or l.model_key = any (k."modelKeys")) and ${fits}
     offset 0) l`;

/*
 * Parameters of both statements: $1 is a JSON array of the alerts with their `AlertSearch`; $2 is a JSON array of
 * {id, makeKey, modelKeys}, the cells to search; the models' keys are null where no model is asked.
 */

/** For alerts without any match row yet, and so without a dismissed car. Rows are written in the order of the listings, as in the largest index. */
export const matchFreshAlertsSql = `
  with ${asked}, fitting as materialized (${backfill('c.alert_version')} order by c.alert_id, l.id), ${currentPosition}, shown as (
    insert into matches (${shownColumns}) ${shown}
  )
  ${outcome}`;

/**
 * For alerts with match rows: a pair that fits is shown, one that no longer fits is hidden (version 0), whatever version
 * it had, except that a dismissed one stays hidden. A pair whose version changes gets a new position, since readers by
 * cursor may have passed it.
 */
export const rematchAlertsSql = `
  with ${asked}, fitting as materialized (
    ${backfill(pairVersion)}
    union
    select ${columnsWith(pairVersion)}
      from asked c
     cross join lateral (
       select l.* from matches m join listings l on l.id = m.listing_id
        where m.alert_id = c.alert_id and ${pairFits}
       offset 0) l
  ), ${currentPosition}, shown as (
    insert into matches (${shownColumns}) ${shown}
    on conflict (listing_id, alert_id) do update
      set alert_version = case when matches.alert_version = ${DISMISSED} then matches.alert_version
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
     where m.alert_id = c.alert_id and m.alert_version not in (0, ${DISMISSED})
       and (m.listing_id, m.alert_id) not in (select listing_id, alert_id from fitting)
  )
  ${outcome}`;
