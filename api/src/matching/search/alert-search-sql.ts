import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import {
  askedAlerts,
  distanceMiles,
  notStated,
  otherFactsFit,
  pairFits,
  pricesFit,
} from '../../entities/shared/match-rules.ts';

const LOOK_BACK_DAYS = 14;

const columns = `
  l.id as listing_id, c.alert_id, c.alert_version, ${distanceMiles} as distance_miles, ${notStated} as not_stated,
  l.price`;
const fits = `${pricesFit} and ${otherFactsFit}`;
const matchColumns = 'listing_id, alert_id, alert_version, distance_miles, not_stated, price';
const shownColumns = `${matchColumns}, announced, position`;
const shown = `select ${matchColumns}, false, (select position from place) from fitting`;
/** It is asked for once a statement, not once a row. */
const place = 'place as materialized (select match_position() as position)';
const outcome = 'select distinct alert_id as id, (select position from place)::text as position from fitting';

const asked = `asked as materialized (${askedAlerts('$1')})`;

/**
 * Of the columns of one index alone. A listing that still waits is left to its own search, which sees these alerts and
 * announces.
 */
const lookBack = `
  select ${columns}
    from json_to_recordset($2::json) as k (id int8, "makeKey" int8, "modelKey" int8)
    join asked c on c.alert_id = k.id
   cross join lateral (
     select l.* from listings l
      where l.make_key = k."makeKey" and l.seen_at > now() - interval '${LOOK_BACK_DAYS} days'
        and l.status = '${ListingStatus.forSale}' and not l.pending_match
        and (k."modelKey" is null or l.model_key = k."modelKey") and ${fits}
     offset 0) l`;

/*
 * Both: $1: JSON array of the alerts with their `AlertSearch`; $2: JSON array of {id, makeKey, modelKey}, the cells to
 * look back in; the model's key is null where none is asked.
 */

/** Of alerts without any match row yet. In the order of the listings, by which the largest index is laid out. */
export const matchFreshAlertsSql = `
  with ${asked}, fitting as materialized (${lookBack} order by c.alert_id, l.id), ${place}, shown as (
    insert into matches (${shownColumns}) ${shown}
  )
  ${outcome}`;

/**
 * Of alerts with match rows: what fits is shown, what no longer does is hidden (version 0), whatever version it had. Who
 * reads on by cursor may have passed a pair while its version was another: it is shown again at a new position.
 */
export const matchAlertsAgainSql = `
  with ${asked}, fitting as materialized (
    ${lookBack}
    union
    select ${columns}
      from asked c
     cross join lateral (
       select l.* from matches m join listings l on l.id = m.listing_id
        where m.alert_id = c.alert_id and ${pairFits}
       offset 0) l
  ), ${place}, shown as (
    insert into matches (${shownColumns}) ${shown}
    on conflict (listing_id, alert_id) do update
      set alert_version = excluded.alert_version, distance_miles = excluded.distance_miles,
          not_stated = excluded.not_stated,
          position = case when matches.alert_version = excluded.alert_version then matches.position
                          else excluded.position end
      where (matches.alert_version, matches.distance_miles, matches.not_stated)
            is distinct from (excluded.alert_version, excluded.distance_miles, excluded.not_stated)
  ), hidden as (
    update matches m set alert_version = 0
      from asked c
     where m.alert_id = c.alert_id and m.alert_version <> 0
       and (m.listing_id, m.alert_id) not in (select listing_id, alert_id from fitting)
  )
  ${outcome}`;
