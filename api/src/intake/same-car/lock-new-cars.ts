import type { Client } from '../../base/database.ts';
import type { ListingFacts } from '../../domain/facts/listing-facts.ts';
import { carLocks } from '../../domain/same-car/car-probe.ts';
import { readVin } from '../../domain/same-car/vin.ts';

const NEW_CAR_LOCK = 7_403;

/**
 * Holds, until the transaction ends, what others need to store the same cars: of two sources that list one car at one
 * moment the second sees the first, and it is announced once. Taken before any row is locked, and in order.
 */
export async function lockNewCars(client: Client, source: string, facts: readonly ListingFacts[]): Promise<void> {
  const locks = facts.flatMap((one) =>
    carLocks({ ...one, vin: readVin(one.vin) }).map((lock) => [one.externalId, lock] as const),
  );
  if (locks.length === 0) return;
  await client.query({
    name: 'lock-new-cars',
    text: `select pg_advisory_xact_lock(${NEW_CAR_LOCK}, n)
             from (select distinct n from unnest($2::text[], $3::int4[]) as l (external_id, n)
                    where not exists (select from listings o where o.source = $1 and o.external_id = l.external_id)
                    order by n) locks`,
    values: [source, locks.map(([externalId]) => externalId), locks.map(([, lock]) => lock)],
  });
}
