import type { Client } from '../../base/database.ts';

/**
 * Gives cars their numbers, as `groupCars` found them. A listing that is being matched or stored is waited for first:
 * an update that joins and waits by itself may leave out a row that changed meanwhile.
 */
export async function setCars(client: Client, numbers: ReadonlyMap<number, number>): Promise<void> {
  if (numbers.size === 0) return;
  const cars = [...numbers.keys()];
  const { rows } = await client.query<{ id: number }>(
    'select id from listings where id = any($1::int8[]) or car_id = any($1::int8[]) order by id for update',
    [cars],
  );
  await client.query(
    `update listings l set car_id = n.car
       from unnest($1::int8[], $2::int8[]) as n (old, car)
      where l.id = any($3::int8[]) and coalesce(l.car_id, l.id) = n.old and l.car_id is distinct from n.car`,
    [cars, [...numbers.values()], rows.map(({ id }) => id)],
  );
}
