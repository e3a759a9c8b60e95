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
  const { rows } = await client.query<{ external_id: string }>(
    'select external_id from listings where source = $1 and external_id = any($2)',
    [source, facts.map(({ externalId }) => externalId)],
  );
  if (rows.length === facts.length) return;
  const known = new Set(rows.map(({ external_id }) => external_id));
  const locks = facts
    .filter(({ externalId }) => !known.has(externalId))
    .flatMap((one) => carLocks({ ...one, vin: readVin(one.vin) }));
  if (locks.length === 0) return;
  await client.query(
    `select pg_advisory_xact_lock(${NEW_CAR_LOCK}, n)
       from (select distinct n from unnest($1::int4[]) n order by n) locks`,
    [locks],
  );
}
