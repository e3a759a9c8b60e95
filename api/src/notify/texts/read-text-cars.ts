import type { Client } from '../../base/database.ts';
import type { TextCar } from '../../messages/texts.ts';

export interface TextedCar extends TextCar {
  listingId: number;
}

type Row = Omit<TextedCar, 'place'> & { city: string | null; state: string | null };

/** The cars of these notifications, the newest listing first; one that is notified twice stands once. */
export async function readTextCars(client: Client, notificationIds: readonly number[]): Promise<TextedCar[]> {
  const { rows } = await client.query<Row>({
    name: 'texts-cars',
    text: `select l.id as "listingId", l.title, l.price, l.city, l.state, before.price as "priceBefore"
       from (select listing_id, bool_or(kind = 'price_drop') as dropped
               from notifications where id = any($1::int8[]) group by 1) n
       join listings l on l.id = n.listing_id
       left join lateral (
         select p.price from price_changes p where p.listing_id = l.id and p.price > l.price
          order by p.seen_at desc limit 1
       ) before on n.dropped
      order by coalesce(l.listed_at, l.seen_at) desc, l.id desc`,
    values: [notificationIds],
  });
  return rows.map(({ city, state, ...car }) => ({
    ...car,
    place: city === null ? null : [city, state].filter((part) => part !== null).join(', '),
  }));
}
