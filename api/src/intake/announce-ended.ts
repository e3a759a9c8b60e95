import { locks } from '../base/advisory-lock.ts';
import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { carrierOf, followersOf, isOfferedElsewhere, isToldOn } from '../entities/car-followers.ts';
import { matchChannels } from '../entities/delivery-channels.ts';
import { earliestSend, isStillAnnounced } from '../entities/notification-rules.ts';

const notified = matchChannels
  .map(
    ({ name, lastSentAt }) => `
  notified_by_${name} as (
    insert into notifications (user_id, alert_id, listing_id, channel, kind, price, due_at)
    select t.user_id, t.alert_id, t.listing_id, '${name}', 'sold', t.price, ${earliestSend('last.sent_at')}
      from told t
      left join lateral (${lastSentAt('t.alert_id', 't.user_id')} offset 0) last (sent_at) on true
     where ${isToldOn('t', name)})`,
  )
  .join(',');

/** SQL: the listings of the car of `l`, itself included. "offset 0" makes each step a look-up by index. */
const ofCar = `
  select id, price from listings where id = l.id
  union all
  select id, price from listings where car_id = l.car_id and id <> l.id offset 0`;

/** SQL: whether the follower `f` was told lately that the car of `l` is sold, or ever before that its listing `o` is. */
const wasTold = `
  exists (
    select from (select id from alerts where user_id = f.user_id offset 0) own
     cross join lateral (${ofCar}) k
      join notifications n on n.alert_id = own.id and n.user_id = f.user_id and n.listing_id = k.id
     where n.kind = 'sold' and n.status not in ('dropped', 'failed')
       and (${isStillAnnounced('n.created_at')} or n.listing_id = o.id and o.id <> l.id))`;

/**
 * Locks the cars of these listings in order, until the transaction ends: of two listings of a car that end concurrently,
 * the second sees that the first has ended.
 */
async function lockEndedCars(db: Queryable, listingIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'lock-ended-cars',
    text: `select pg_advisory_xact_lock(${locks.endedCar}, key)
             from (select distinct hashint8(car_id) as key from listings
                    where id = any($1::int8[]) and car_id is not null order by key) cars`,
    values: [listingIds],
  });
}

/**
 * Writes the notifications that these listings are sold or gone, for those who saved or recently viewed any listing of their
 * cars, each car once in 30 days. A car that can still be bought under another listing is not sold. Call it in the
 * transaction that changes the status, after the change.
 */
export async function announceEnded(db: Queryable, listingIds: readonly number[]): Promise<void> {
  if (listingIds.length === 0) return;
  await lockEndedCars(db, listingIds);
  await db.query({
    name: 'announce-ended',
    // "offset 0" and "limit" make each step a look-up by index: most listings have no followers.
    text: `with told as materialized (
         select distinct on (l.car, f.user_id) f.user_id, f.is_saved, o.id as listing_id, o.price, c.*
           from (select *, coalesce(car_id, id) as car from listings
                  where id = any($1::int8[]) and status in ('sold', 'gone') offset 0) l
          cross join lateral (${ofCar}) o
          cross join lateral (${followersOf('o.id')} offset 0) f
          cross join lateral (${carrierOf('o.id', '(a.price_drops or f.is_saved)')}) c
          where not ${isOfferedElsewhere('l')} and not ${wasTold}
          order by l.car, f.user_id, f.is_saved desc, o.id = l.id desc, o.id desc
       ), ${notified}
       select pg_notify('${channels.work}', 'send') from told limit 1`,
    values: [listingIds],
  });
}
