import { matchChannels } from './delivery-channels.ts';
import { DISMISSED, isSuppressed } from './notification-rules.ts';

/*
 * Who is told what becomes of a car, as SQL: matching asks it for cheaper cars, intake for cars that are sold, and the
 * claim asks it again before a message leaves.
 */

/** For how many days somebody who viewed a car is told what becomes of it. */
const VIEWED_DAYS = 30;

const isRecent = `viewed_at > now() - interval '${VIEWED_DAYS} days'`;

/** SQL: who saved or recently viewed a listing, each once. @param listing SQL of its id */
export const followersOf = (listing: string): string => `
  select f.user_id, bool_or(f.is_saved) as is_saved
    from (select user_id, true as is_saved from saved_listings where listing_id = ${listing} and removed_at is null
          union all
          select user_id, false from listing_views where listing_id = ${listing} and ${isRecent}) f
   group by f.user_id`;

/** SQL: 'saved' or 'viewed' if the user follows the listing, else null. @param user SQL of its id @param listing SQL of its id */
export const followedBy = (user: string, listing: string): string => `
  case when exists (select from saved_listings where user_id = ${user} and listing_id = ${listing} and removed_at is null) then 'saved'
       when exists (select from listing_views where user_id = ${user} and listing_id = ${listing} and ${isRecent})
       then 'viewed' end`;

/** SQL: whether another listing of the car of `listing` can still be bought. @param listing an alias of a row of `listings` */
export const isOfferedElsewhere = (listing: string): string => `
  (${listing}.car_id is not null and exists (
    select from listings o
     where o.car_id = ${listing}.car_id and o.id <> ${listing}.id and o.status in ('for_sale', 'pending')))`;

/** SQL: whether an alert announces on a channel now. The user is read only where the alert asks for it. @param cell an alias of a row of `alert_cells` */
export const isAnnouncedOn = ({ cell, owner }: (typeof matchChannels)[number]): string =>
  owner === undefined
    ? `c.${cell}`
    : `(c.${cell} and (select true from users u where u.id = c.user_id and ${owner} limit 1) is not null)`;

const byChannels = matchChannels.map((channel) => `${isAnnouncedOn(channel)} as by_${channel.name}`).join(', ');

/** A text costs money, and only a saved car is worth it. */
const isWorth = (channel: string, row: string): string => (channel === 'sms' ? ` and ${row}.is_saved` : '');

/** SQL: whether a message of the cell `c` arrives at the follower `f`, whose user is `u`. @param mailed a condition on mails */
const arrives = (mailed: string): string =>
  matchChannels
    .map(({ name, cell, owner = 'true', receiver = 'true' }) => {
      const ofChannel = name === 'email' ? mailed : 'true';
      return `(c.${cell}${isWorth(name, 'f')} and ${owner} and ${receiver} and ${ofChannel})`;
    })
    .join(' or ');

/**
 * SQL: the alert through which a follower `f` is told of a listing, at most one, with the channels on which it announces:
 * an active one that has matched the car, from which it was not dismissed, and whose messages arrive, rather one
 * that need not wait until mails to its owner are resumed, and rather one that still shows the car. Only its owner's alerts are read.
 * @param listing SQL of the listing's id @param wanted a further condition on the alert `a`
 */
export const carrierOf = (listing: string, wanted: string): string => `
  select a.id as alert_id, ${byChannels}
    from alerts a
   cross join lateral (
     select m.alert_version from matches m where m.listing_id = ${listing} and m.alert_id = a.id and m.user_id = a.user_id and m.alert_version <> ${DISMISSED} offset 0) m
   cross join lateral (
     select * from alert_cells c where c.alert_id = a.id and c.user_id = a.user_id and c.expires_at > now() limit 1) c
   cross join lateral (select ${arrives('true')} as arrives, ${arrives(`not ${isSuppressed('u.email')}`)} as at_once from users u where u.id = a.user_id offset 0) r
   where a.user_id = f.user_id and r.arrives and ${wanted}
   order by r.at_once desc, m.alert_version = a.version desc, a.id limit 1`;

/** SQL: whether a follower is told of a listing on a channel. */
export const isToldOn = (row: string, channel: string): string => `${row}.by_${channel}${isWorth(channel, row)}`;
