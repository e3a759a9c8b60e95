import type { Client } from '../../base/database.ts';
import { handOn } from './hand-on.ts';
import type { Pair, Pairs } from './look-at-pairs.ts';
import { REMATCHED_MS } from './put-aside.ts';

/**
 * Of these notifications those whose pairs can't come to fit before the transaction ends: their listings are held, and
 * no listing of their cars waits to be matched. It waits for nobody, and so can't be part of a deadlock.
 */
async function holdAtRest(client: Client, ids: readonly number[]): Promise<Set<number>> {
  const held = await client.query<{ id: number }>({
    name: 'notify-hold-listings',
    text: `select id from listings
            where id in (select listing_id from notifications where id = any($1::int8[])) and not pending_match
            order by id for share skip locked`,
    values: [ids],
  });
  // A statement of its own: it sees what was linked to the car before its listing was held.
  const { rows } = await client.query<{ id: number }>({
    name: 'notify-at-rest',
    text: `select n.id from notifications n left join listings l on l.id = n.listing_id
            where n.id = any($1::int8[]) and (l.id is null or l.id = any($2::int8[]))
              and not exists (
                select from (select pending_match from listings where car_id = l.car_id offset 0) o
                 where o.pending_match)`,
    values: [ids, held.rows.map(({ id }) => id)],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Settles what won't be mailed. A pair that nothing told of counts as not announced: it may be, should it fit again. What
 * lay in a mail that was tried before may have been told.
 */
async function dropNotifications(client: Client, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'notify-drop',
    text: `with dropped as (
         update notifications set status = 'dropped', settled_at = now() where id = any($1::int8[])
         returning alert_id, listing_id, mail_id
       )
       update matches m set announced = false from dropped d
        where m.listing_id = d.listing_id and m.alert_id = d.alert_id
          and not exists (select from mails where id = d.mail_id and attempts > 1)
          and not exists (
          select from notifications o
           where o.alert_id = d.alert_id and o.listing_id = d.listing_id and o.status <> 'dropped'
             and o.id <> all($1::int8[]))`,
    values: [ids],
  });
}

async function putOff(client: Client, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'notify-put-off-pairs',
    text: `update notifications set due_at = now() + interval '${REMATCHED_MS} ms'
            where id = any($1::int8[]) and status = 'waiting'`,
    values: [ids],
  });
}

const idsOf = (pairs: readonly Pair[]): number[] => pairs.map(({ id }) => id);

/**
 * Of what `look` finds what may be told now. What no longer fits is dropped, or handed on to another listing of its car.
 * What matching is about to judge anew waits for that: else a car that comes to fit in this moment is never told of.
 * Call it while the alerts are held.
 */
export async function keepFitting(
  client: Client,
  look: () => Promise<Pairs>,
): Promise<{ fitting: Pair[]; waiting: Pair[] }> {
  const first = await look();
  if (first.failing.length === 0) return { fitting: first.fitting, waiting: [] };
  const atRest = await holdAtRest(client, idsOf(first.failing));
  const { fitting, failing } = await look();
  const over = idsOf(failing).filter((id) => atRest.has(id));
  const waiting = failing.filter(({ id }) => !atRest.has(id));
  const handedOn = await handOn(client, over);
  await dropNotifications(
    client,
    over.filter((id) => !handedOn.has(id)),
  );
  await putOff(client, idsOf(waiting));
  if (handedOn.size === 0) return { fitting, waiting };
  const last = await look();
  return { fitting: last.fitting, waiting: last.failing };
}
