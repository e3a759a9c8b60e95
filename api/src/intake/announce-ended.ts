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
      left join lateral (${lastSentAt('t.alert_id')} offset 0) last (sent_at) on true
     where ${isToldOn('t', name)})`,
  )
  .join(',');

/**
 * Writes the notifications that these listings are sold or gone, for those who saved or recently viewed them, each once in
 * 30 days. A car that can still be bought under another listing is not sold. Call it in the transaction that changes the
 * status, after the change.
 */
export async function announceEnded(db: Queryable, listingIds: readonly number[]): Promise<void> {
  if (listingIds.length === 0) return;
  await db.query({
    name: 'announce-ended',
    // "offset 0" and "limit" make each step a look-up by index: most listings have no followers.
    text: `with told as materialized (
         select f.user_id, f.is_saved, l.id as listing_id, l.price, c.*
           from (select * from listings where id = any($1::int8[]) and status in ('sold', 'gone') offset 0) l
          cross join lateral (${followersOf('l.id')} offset 0) f
          cross join lateral (${carrierOf('l.id', '(a.price_drops or f.is_saved)')}) c
          where not ${isOfferedElsewhere('l')}
            and not exists (
              select from (select id from alerts where user_id = f.user_id offset 0) own
                join notifications n on n.alert_id = own.id and n.listing_id = l.id
               where n.kind = 'sold' and n.status not in ('dropped', 'failed') and ${isStillAnnounced('n.created_at')})
       ), ${notified}
       select pg_notify('${channels.work}', 'send') from told limit 1`,
    values: [listingIds],
  });
}
