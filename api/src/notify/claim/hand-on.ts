import type { Client } from '../../base/database.ts';
import { announcesCar } from '../../entities/shared/announced-car.ts';

/**
 * A car that was listed anew is silent under its new id, as it was to be announced under the old one. Where that one
 * is sold or no longer fits, its notification goes over to the later listing that the alert shows; one for each car.
 * Call it while the alerts are held. Returns the ids of those that went over.
 * @param failing ids of waiting notifications that are about to be dropped
 */
export async function handOn(client: Client, failing: readonly number[]): Promise<Set<number>> {
  if (failing.length === 0) return new Set();
  const { rows } = await client.query<{ id: number }>({
    name: 'notify-hand-on',
    text: `with heirs as materialized (
         select distinct on (n.alert_id, l.car_id) n.id, n.alert_id, o.id as listing_id, o.price
           from notifications n
           join listings l on l.id = n.listing_id
           join listings o on o.car_id = l.car_id and o.id <> l.id and o.status = 'for_sale'
           join alerts a on a.id = n.alert_id
           join matches m on m.listing_id = o.id and m.alert_id = n.alert_id and m.alert_version = a.version
          where n.id = any($1::int8[]) and n.kind = 'match'
            and (not m.announced or exists (
              select from notifications s
               where s.alert_id = n.alert_id and s.listing_id = o.id and s.channel <> n.channel))
            and not exists (
              select from listings c join notifications e on e.listing_id = c.id and e.alert_id = n.alert_id
               where c.car_id = l.car_id and e.channel = n.channel and e.id <> all($1::int8[])
                 and ${announcesCar('e')})
          order by n.alert_id, l.car_id, o.price nulls last, o.id
       ), shown as (
         update matches m set announced = true from heirs h
          where m.listing_id = h.listing_id and m.alert_id = h.alert_id
       )
       update notifications n set listing_id = h.listing_id, price = h.price from heirs h where n.id = h.id
       returning n.id`,
    values: [failing],
  });
  return new Set(rows.map(({ id }) => id));
}
