import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { carrierOf, followersOf, isAnnouncedOn, isToldOn } from '../entities/car-followers.ts';
import { matchChannels } from '../entities/delivery-channels.ts';
import { listingsBefore } from '../entities/facts-before.ts';
import { announcesCar, DISMISSED, earliestSend, isStillAnnounced } from '../entities/notification-rules.ts';
import { filtersFit, isLeftOpen, listingBits } from './filter-rules.ts';
import { announcesAny, isShownAsOld, leftOutPair } from './left-out-pairs.ts';
import { distanceToPoint, foundFits, isDrop, listingOnce, notStatedOnce, pairVersion } from './match-rules.ts';

/** A car that this alert announced under another id is not announced for 30 days, unless it is 5 % cheaper now. */
const carIsNew = `
  (l.car_id is null or not exists (
    select from listings o join notifications n on n.listing_id = o.id and n.alert_id = c.alert_id and n.user_id = c.user_id
     where o.car_id = l.car_id and o.id <> l.id
       and ${announcesCar('n')} and not ${isDrop('l.price', 'n.price')}))`;

/** Whether the pair ever had an announcement, of any channel and status. "limit 1" keeps the look-up by index. */
const wasDecided = `
  (select true from notifications n
    where n.alert_id = c.alert_id and n.user_id = c.user_id and n.listing_id = l.id and n.kind <> 'sold' limit 1) is not null`;

/** Whether the car of a known pair `m` was to be announced under another id when the pair was found, and that was dropped. */
const wasDropped = `
  (l.car_id is not null and exists (
    select from listings o
      join matches d on d.listing_id = o.id and d.alert_id = c.alert_id and d.user_id = c.user_id and not d.announced
      join notifications n on n.listing_id = o.id and n.alert_id = c.alert_id and n.user_id = c.user_id
     where o.car_id = l.car_id and o.id <> l.id and n.kind = 'match' and n.status = 'dropped'
       and ${isStillAnnounced('n.created_at')} and n.created_at <= m.matched_at))`;

/** One that is compared only because facts of it were read for the first time is no news ($2: whether the batch is). */
const isNews = 'l.announce and $2::bool';
const mayAnnounce = `(${announcesAny}) and ${isNews}`;

/** "offset 0" keeps each step a look-up by index, whatever the planner believes about the tables' sizes. */
const found = `
  from listings l ${listingBits} ${listingOnce}
 cross join lateral (
   select c.* from alert_cells c
    where c.key = any (array[l.make_key, l.model_key]) and ${foundFits(`c.expires_at > now() and ${filtersFit}`)}
   offset 0) c`;

const claimed = `l.id = any ($1::int8[]) and l.status = '${ListingStatus.forSale}'`;

const matchColumns =
  'listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price, announced, position';
/** The position is read once a statement, not once a row. */
const currentPosition = 'current_position as materialized (select match_position() as position)';
const searched = `
  l.id as listing_id, c.alert_id, ${pairVersion} as alert_version, ${distanceToPoint} as distance_miles, ${notStatedOnce(isLeftOpen)} as not_stated,
  c.user_id, l.price as asked_price, ${matchChannels.map((channel) => `${isAnnouncedOn(channel)} as by_${channel.name}`).join(', ')}`;

/** Whether the pair's buyer has a webhook for price drops, whether or not the alert sends mails. */
const wantsPriceDrops = `
  exists (select from webhooks w where w.user_id = s.user_id and 'listing.price_dropped' = any(w.events))`;

/** One insert of notifications for each channel. @param rows those to announce, with the channels */
const announcedOf = (rows: string): string =>
  matchChannels
    .map(
      ({ name, lastSentAt }) => `
  notified_by_${name} as (
    insert into notifications (user_id, alert_id, listing_id, channel, kind, price, due_at)
    select p.user_id, p.alert_id, p.listing_id, '${name}', p.kind, p.asked_price, ${earliestSend('last.sent_at')}
      from ${rows} p
      left join lateral (${lastSentAt('p.alert_id', 'p.user_id')} offset 0) last (sent_at) on true
     where p.to_announce and p.by_${name})`,
    )
    .join(',');

const outcomeOf = (rows: string): string => `
  select listing_id as id, bool_or(to_announce) as announced, (select position from current_position)::text as position
    from ${rows} o group by listing_id`;

/** A match in so many is noted, so that an alert with too many matches is found without counting those of others. */
export const NOTED_OF = 128;

/** SQL: notes alerts that may have too many matches now. It waits for nobody, as an alert may be noted several times. @param added a condition on new pairs */
const notedOf = (added = ''): string => `
  noted as (
    insert into alerts_to_trim (alert_id, user_id)
    select alert_id, user_id from pairs where (listing_id + alert_id) % ${NOTED_OF} = 0${added})`;

/** Finds every alert that each claimed listing ($1: ids; $2: whether they are news) fits, with the columns of its match row and notification. */
export const freshPairsSql = `
  select ${searched}, l.price, ${mayAnnounce} and ${carIsNew} and ${pairVersion} <> ${DISMISSED} as to_announce, 'match' as kind
  ${found}
   where ${claimed}`;

/**
 * For claimed listings ($1: ids; $2: whether they are news) without any match row yet. Rows are written in the order of the alerts, as in the
 * largest indexes, so that their pages are written one after another.
 */
export const matchFreshSql = `
  with pairs as materialized (${freshPairsSql} order by c.alert_id, l.id), ${currentPosition}, inserted as (
    insert into matches (${matchColumns})
    select listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price, to_announce, (select position from current_position)
      from pairs
  ), ${notedOf()}, ${announcedOf('pairs')}
  ${outcomeOf('pairs')}`;

/** The distance from the alert's place in the version that is kept. */
const distanceThen = `
  case when matches.alert_version > excluded.alert_version then matches.distance_miles else excluded.distance_miles end`;

/**
 * Who saved or viewed a claimed listing that is 5 % cheaper than any of their matches knew, where none of their alerts
 * announces: the car no longer fits them. Most cars have no followers.
 */
const followers = `
  select f.user_id, l.id as listing_id, 'price_drop' as kind, l.price as asked_price, told.alert_id,
         ${matchChannels.map(({ name }) => `${isToldOn('told', name)} as by_${name}`).join(', ')}
    from listings l
   cross join lateral (${followersOf('l.id')} offset 0) f
   cross join lateral (
     select min(m.price) as price
       from (select id from alerts where user_id = f.user_id offset 0) a
      cross join lateral (
         select m.price from matches m where m.listing_id = l.id and m.alert_id = a.id and m.user_id = f.user_id offset 0) m) known
   cross join lateral (select c.*, f.is_saved from (${carrierOf('l.id', 'a.price_drops')}) c) told
   where ${claimed} and ${isNews} and ${isDrop('l.price', 'known.price')}
     and (l.id, f.user_id) not in (select listing_id, user_id from pairs where may and not dismissed)`;

const announcedColumns = `user_id, alert_id, listing_id, kind, asked_price, ${matchChannels.map(({ name }) => `by_${name}`).join(', ')}`;
const pairsAndFollowers = `(
  select ${announcedColumns}, to_announce from pairs union all select ${announcedColumns}, true from followers)`;

/**
 * For claimed listings ($1: ids; $2: whether they are news; $3: JSON of the facts at their last search, where they were others;
 * $4: since when each waits), some with match rows. A known pair is shown again, announces a price drop, or is hidden
 * (version 0) where the changed listing no longer fits an active alert. A pair whose notification was dropped because the
 * car was gone or out of range is announced, and one that was silent because of that notification. A pair without a row is
 * shown and not announced where it is no news to the alert (`isShownAsOld`). A pair that is shown again, or announced only
 * now, gets a new position, since readers by cursor and the events of webhooks may have passed it. The alert may have been
 * edited since its cells were read: its pairs then have a higher version, which stays. A dismissed pair stays hidden and
 * announces nothing. Price drops for webhooks are written, and for who saved or viewed a car that no longer fits. "not in" is
 * hashed; "not exists" on a CTE, whose size the planner can't know, would compare every row with every other.
 */
export const rematchListingsSql = `
  with before as materialized (${listingsBefore('$3')}), pairs as materialized (
    select t.*, case when t.known and not t.unsent then 'price_drop' else 'match' end as kind,
           case when t.known and not t.to_announce and not t.wants_price_drop then coalesce(t.known_price, t.asked_price) else t.asked_price end as price
      from (
        select s.*,
               s.known and s.price_dropped and s.listing_announces and not s.dismissed and ${wantsPriceDrops} as wants_price_drop,
               s.was_unsent or s.was_dropped and s.car_is_new as unsent,
               s.may and not s.dismissed and s.alert_version <> ${DISMISSED} and case when s.known then s.price_dropped or (s.was_unsent or s.was_dropped) and s.car_is_new else s.car_is_new and not s.shown_as_old end as to_announce
          from (
            select ${searched}, m.known is not null as known, coalesce(m.is_stored, false) as is_stored, m.price as known_price,
                   m.matched_at, m.position as known_position, coalesce(m.announced, false) as known_announced,
                   coalesce(m.dismissed, false) as dismissed,
                   m.known is not null and not m.announced and ${wasDecided} as was_unsent,
                   m.known is not null and not m.announced and ${wasDropped} as was_dropped,
                   ${isDrop('l.price', 'm.price')} as price_dropped, ${isNews} as listing_announces,
                   ${mayAnnounce} as may, ${carIsNew} as car_is_new, ${isShownAsOld} as shown_as_old
            ${found}
              left join lateral (
                select true as known, true as is_stored, m.price, m.announced, m.alert_version = ${DISMISSED} as dismissed,
                       m.matched_at, m.position
                  from matches m where m.listing_id = l.id and m.alert_id = c.alert_id and m.user_id = c.user_id
                union all ${leftOutPair}
                limit 1) m on true
             where ${claimed}) s) t
  ), ${currentPosition}, inserted as (
    insert into matches (${matchColumns}, matched_at)
    select listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price, to_announce or known_announced,
           coalesce(case when not (unsent and to_announce) then known_position end, (select position from current_position)),
           coalesce(matched_at, now())
      from pairs where is_stored or not known or to_announce or wants_price_drop
    on conflict on constraint matches_pkey do update
      set alert_version = greatest(matches.alert_version, excluded.alert_version),
          position = case when matches.alert_version < excluded.alert_version
                            or (matches.listing_id, matches.alert_id) in (
                              select listing_id, alert_id from pairs where unsent and to_announce)
                          then (select position from current_position)
                          else matches.position end,
          distance_miles = ${distanceThen}, not_stated = excluded.not_stated, price = excluded.price,
          announced = matches.announced or excluded.announced
      where matches.alert_version < excluded.alert_version
         or (matches.distance_miles, matches.not_stated, matches.price, matches.announced)
            is distinct from (${distanceThen}, excluded.not_stated, excluded.price,
                              matches.announced or excluded.announced)
  ), followers as materialized (${followers}
  ), hidden as (
    update matches m
       set alert_version = case when m.alert_version = a.version then 0 else m.alert_version end,
           price = case when (l.id, a.user_id) in (select listing_id, user_id from followers) then l.price else m.price end,
           announced = m.announced or (l.id, a.id) in (select listing_id, alert_id from followers)
      from listings l cross join alerts a
     where ${claimed} and m.listing_id = l.id and a.id = m.alert_id and a.user_id = m.user_id
       and (m.alert_version = a.version or (l.id, a.user_id) in (select listing_id, user_id from followers))
       and a.is_active and a.expires_at > now()
       and (m.listing_id, m.alert_id) not in (select listing_id, alert_id from pairs)
  ), ${notedOf(' and not is_stored')}, price_drops_wanted as (
    insert into price_drops (user_id, alert_id, listing_id, price, price_before)
    select user_id, alert_id, listing_id, asked_price, known_price from pairs where wants_price_drop
  ), ${announcedOf(pairsAndFollowers)}
  ${outcomeOf(pairsAndFollowers)}`;
