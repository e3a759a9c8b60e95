import type { Queryable } from '../base/database.ts';
import { type MarketListing, type MarketTime, marketTime } from '../domain/same-car/market-time.ts';
import { lastSeen } from '../intake/last-seen.ts';
import { withCar } from './car-offers.ts';

/** Reads by the listing's id as text for how long its car is on the market, over all of the car's listings. */
export async function readMarketTimes(db: Queryable, ids: readonly number[]): Promise<Map<string, MarketTime>> {
  const { rows } = await db.query<MarketListing & { listingId: number; now: Date }>({
    name: 'load-market-times',
    text: `select l.id as "listingId", o.source, o.status, coalesce(o.listed_at, o.seen_at) as "listedAt",
            o.seen_at as "seenAt", ${lastSeen('o')} as "lastSeenAt", now() as now
       ${withCar}
      where l.id = any($1::int8[])`,
    values: [ids],
  });
  const cars = Map.groupBy(rows, ({ listingId }) => String(listingId));
  return new Map([...cars].map(([id, listings]) => [id, marketTime(listings, listings[0]?.now ?? new Date())]));
}
