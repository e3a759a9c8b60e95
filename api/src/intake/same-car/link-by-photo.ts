import type { Client } from '../../base/database.ts';
import { compareCars } from '../../domain/same-car/compare-cars.ts';
import { groupCars } from '../../domain/same-car/group-cars.ts';
import { lastSeen } from '../../entities/shared/last-seen.ts';
import { setCars } from './set-cars.ts';
import { type KnownSighting, sightingColumns } from './sighting-columns.ts';

/**
 * Links two listings whose photos agree, if their facts still allow it and no other listing of either car speaks
 * against it. @returns the car's number, null when they stay two
 */
export async function linkByPhoto(client: Client, one: number, other: number): Promise<number | null> {
  const { rows } = await client.query<KnownSighting>(
    `select ${sightingColumns}, ${lastSeen('o')} as "lastSeenAt" from listings o
      where o.id in (select id from listings where id in ($1, $2) union
                     select id from listings where car_id in (select car_id from listings where id in ($1, $2)))
      order by o.id for update`,
    [one, other],
  );
  const pair = [one, other].flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const [first, second] = pair.sort((a, b) => a.seenAt.getTime() - b.seenAt.getTime() || a.id - b.id);
  if (!first || !second || first.car === second.car || compareCars(first, second) === 'different') return null;
  const numbers = groupCars([[first, second]], rows);
  await setCars(client, numbers);
  return numbers.get(first.car) ?? null;
}
