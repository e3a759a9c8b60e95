import type { Client } from '../../base/database.ts';

/** Gives cars their numbers, as `groupCars` found them. A listing that is being matched is waited for. */
export async function setCars(client: Client, numbers: ReadonlyMap<number, number>): Promise<void> {
  if (numbers.size === 0) return;
  await client.query(
    `update listings l set car_id = n.car
       from unnest($1::int8[], $2::int8[]) as n (old, car)
      where coalesce(l.car_id, l.id) = n.old and l.car_id is distinct from n.car
        and l.id in (select id from listings where id = any($1::int8[])
                     union all select id from listings where car_id = any($1::int8[]))`,
    [[...numbers.keys()], [...numbers.values()]],
  );
}
