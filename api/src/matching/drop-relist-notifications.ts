import type { Client } from '../base/database.ts';
import { announcesCar } from '../entities/notification-rules.ts';
import { waitForSearchesOnServers } from '../placement/server-locks.ts';
import { isDrop } from './match-rules.ts';

/**
 * Drops waiting notifications of a car that turned out to have been announced under another id. It applies the rule of
 * the search to a link that was found after it. Price drops of 5 % stay, and a match
 * counts as announced where another channel has announced it.
 * @returns how many were dropped
 * @throws an error for which `isLockNotAvailable`, where a server can't say yet what a search has written there
 */
export async function dropRelistNotifications(client: Client, carId: number): Promise<number> {
  const ofCar = `
    matches m join notifications n on n.alert_id = m.alert_id and n.user_id = m.user_id and n.listing_id = m.listing_id
     where m.listing_id in (select id from listings where car_id = $1) and n.status = 'waiting' and n.kind = 'match'`;
  // What a search has announced for one of its listings may not be seen on each server yet.
  await waitForSearchesOnServers(client);
  // Claims of the alert's mail lock the alert too.
  await client.query(
    `/* relist-lock */ select id from alerts where (id, user_id) in (select n.alert_id, n.user_id from ${ofCar}) order by id for no key update`,
    [carId],
  );
  const { rowCount } = await client.query(
    `/* relist-drop */ with doubled as (
       select n.id, n.listing_id, n.alert_id, n.user_id from ${ofCar}
          and exists (
            select from listings o join notifications e on e.listing_id = o.id and e.alert_id = n.alert_id and e.user_id = n.user_id
             where o.car_id = $1 and o.id <> n.listing_id and e.id < n.id
               and ${announcesCar('e')} and not ${isDrop('n.price', 'e.price')})
     ), shown as (
       update matches m set announced = false from doubled d
        where m.listing_id = d.listing_id and m.alert_id = d.alert_id and m.user_id = d.user_id
          and not exists (
          select from notifications o
           where o.alert_id = d.alert_id and o.user_id = d.user_id and o.listing_id = d.listing_id and o.status <> 'dropped'
             and o.id not in (select id from doubled))
     )
     update notifications n set status = 'dropped', settled_at = now() from doubled d
      where n.id = d.id and n.user_id = d.user_id`,
    [carId],
  );
  return rowCount ?? 0;
}
