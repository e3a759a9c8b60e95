import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';

let ids = 0;
const nextId = () => {
  ids += 1;
  return `again-${ids}`;
};
const db = setUpDatabase();
beforeEach(async () => {
  await db.pool.query(
    'truncate listings, listings_to_match, sources, car_candidates, matches, notifications restart identity',
  );
});

const car = buildFacts({ mileageMiles: 61_234 });
const again = (change: Partial<ListingFacts> = {}) => ({ ...car, externalId: nextId(), ...change });
const store = (source: string, ...facts: ListingFacts[]) => storePage(db.pool, source, facts);
const cars = async () => (await db.rows('select car_id from listings order by id')).map((row) => row.car_id);
const candidates = async () =>
  (await db.rows('select listing_id, other_id from car_candidates order by 1, 2')).map(Object.values);

describe('a new listing of a known car', () => {
  it.each<[string, string, Partial<ListingFacts>]>([
    [
      'with other words, price and a few miles',
      'lot',
      { title: 'camry SE toyota 2018', price: 17_500, mileageMiles: 61_400 },
    ],
    ['at another source, from a neighbouring town', 'dealer', { lat: 34.0, lng: -118.3 }],
    ['across the border of a cell', 'dealer', { lat: 33.99, lng: -118.1445 }],
  ])('is recognised %s', async (_name, source, change) => {
    await store('lot', car);
    await db.pool.query("update listings set last_seen_at = now() - interval '89 days'");
    await store(source, again(change));
    expect(await cars()).toEqual([1, 1]);
  });

  it.each<[string, Partial<ListingFacts>]>([
    ['another color', { color: 'red' }],
    ['an odometer that ran back', { mileageMiles: 60_901 }],
    ['no place', { lat: null, lng: null }],
  ])('is another car with %s', async (_name, change) => {
    await store('lot', car);
    await store('dealer', again(change));
    expect([await cars(), await candidates()]).toEqual([[null, null], []]);
  });

  it('is not recognised 90 days after it was last seen', async () => {
    await store('lot', car);
    await db.pool.query("update listings set last_seen_at = now() - interval '91 days'");
    await store('lot', again());
    expect(await cars()).toEqual([null, null]);
  });

  it('is recognised by its VIN at any source, also within one page', async () => {
    const vin = '1HGCM82633A004352';
    await store('lot', { ...car, vin });
    await store(
      'dealer',
      again({ vin: ` ${vin.toLowerCase()}`, lat: 40, title: 'Toyota', mileageMiles: null }),
      again({ vin }),
    );
    expect(await cars()).toEqual([1, 1, 1]);
  });
});

it('is left to the photos when two ids are listed side by side, or a mileage is missing', async () => {
  await store('lot', car);
  await store('lot', car, again());
  await store('dealer', again({ mileageMiles: null }), again({ mileageMiles: null, images: [] }));
  expect(await cars()).toEqual([null, null, null, null]);
  expect(await candidates()).toEqual([
    [2, 1],
    [3, 1],
    [3, 2],
  ]);
});

it('links no cars of a dealer with identical new cars', async () => {
  const fresh = { mileageMiles: 9, condition: 'new' };
  await store('dealer', again(fresh), again(fresh));
  await store('dealer', again(fresh));
  await store('lot', again(fresh));
  expect([await cars(), await candidates()]).toEqual([[null, null, null, null], []]);
});

it('joins two known cars unless they contradict each other', async () => {
  await store('lot', again({ color: null, mileageMiles: 61_200, title: '2018 Toyota Camry' }));
  await store('dealer', again({ color: null, mileageMiles: 61_234, title: '2018 Toyota Camry XLE' }));
  await store('third', again({ color: 'silver', mileageMiles: 61_234 }));
  expect(await cars()).toEqual([null, 2, 2]);
  await db.pool.query('update listings set mileage = 61234 where id = 1');
  await store('fourth', again({ color: null }));
  expect(await cars()).toEqual([1, 1, 1, 1]);
});

it('is announced once when two sources list it concurrently', async () => {
  const [userId = 0] = await insertUsers(db.pool);
  await insertAlerts(db.pool, userId, [camryAlert]);
  for (let round = 0; round < 25; round += 1) {
    const mileageMiles = 30_001 + round * 1_717;
    const sources = ['one', 'two', 'three'].map((source, n) =>
      store(source, again({ mileageMiles: mileageMiles + n * 90 })),
    );
    await Promise.all([...sources, matchPendingListings(db.pool), matchPendingListings(db.pool)]);
    while ((await matchPendingListings(db.pool)) > 0);
    const row = await db.row(
      `select count(distinct coalesce(car_id, id))::int as cars, (select count(*)::int from notifications) as announced,
              (select count(*)::int from matches) as matches from listings`,
    );
    expect(row).toEqual({ cars: round + 1, announced: round + 1, matches: (round + 1) * 3 });
  }
});

it('is recognised in the page that marks the earlier one as sold', async () => {
  await store('lot', car);
  await store('lot', { ...car, status: ListingStatus.sold }, again());
  expect(await cars()).toEqual([1, 1]);
});

describe('two similar cars of a feed without mileage', () => {
  const unsure = { mileageMiles: null };
  /** The first one was written hours ago; the last complete read showed it, or did not. */
  const shown = async (missedReads: number, lastRead: string) => {
    await db.pool.query(
      `insert into sources (name, kind, last_success_at) values ('lot', 'vehicle-feed', now() - interval '${lastRead}')
       on conflict (name) do update set last_success_at = excluded.last_success_at`,
    );
    await store('lot', again(unsure));
    await db.pool.query(
      `update listings set seen_at = now() - interval '2 days', last_seen_at = now() - interval '20 hours',
              missed_reads = $1`,
      [missedReads],
    );
    await store('lot', again(unsure));
    return candidates();
  };

  it('are two cars while the last read showed the first one, even if its row was not written for hours', async () => {
    expect(await shown(0, '5 minutes')).toEqual([]);
  });

  it.each([
    ['the last read missed the first one', 1, '5 minutes'],
    ['the feed was not read for long', 0, '1 hour'],
  ])('may be one car when %s', async (_name, missedReads, lastRead) => {
    expect(await shown(missedReads, lastRead)).toEqual([[2, 1]]);
  });
});

it('recognises a car that a feed showed until now, even if its row was not written for 90 days', async () => {
  await db.pool.query(
    "insert into sources (name, kind, last_success_at) values ('lot', 'vehicle-feed', now()) on conflict do nothing",
  );
  await store('lot', car);
  await db.pool.query("update listings set last_seen_at = now() - interval '91 days'");
  await store('dealer', again());
  expect(await cars()).toEqual([1, 1]);
});
