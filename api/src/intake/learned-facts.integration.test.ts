import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { camryAlert, insertAlerts, insertUsers, type TestAlert } from '../../test/matching/match-rows.ts';
import { withTextFacts } from '../domain/descriptions/stated-facts.ts';
import type { ListingFacts } from '../domain/facts/listing-facts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';

let userId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(() =>
  db.pool.query(
    'truncate alerts, alert_cells, listings, listings_to_match, listing_texts, matches, notifications, sources',
  ),
);

const watch = (asked: Partial<TestAlert> = {}) => insertAlerts(db.pool, userId, [{ ...camryAlert, ...asked }]);
const store = (cars: readonly ListingFacts[]) => storePage(db.pool, 'lot', cars);
async function match() {
  while ((await matchPendingListings(db.pool)) > 0);
}
const announced = async () =>
  (
    await db.rows('select l.external_id as id from notifications n join listings l on l.id = n.listing_id order by 1')
  ).map(({ id }) => id);
const shown = async () =>
  (
    await db.rows(
      'select l.external_id as id from matches m join listings l on l.id = m.listing_id where m.alert_version > 0 order by 1',
    )
  ).map(({ id }) => id);
const written = () => db.rows('select xmin::text, ctid::text from listings order by id');

/** Stores cars as the version before did, which did not read fuel and the like, and matches them. */
async function storeBefore(cars: readonly ListingFacts[]): Promise<void> {
  await store(cars);
  await match();
  await db.pool.query(
    `update listings set seen_at = now() - interval '40 days', changed_at = now() - interval '40 days'`,
  );
}

describe.each([
  ['a few', 2],
  ['a page', 100],
])('facts that are read for the first time, of %s', (_name, count) => {
  const cars = Array.from({ length: count }, () => buildFacts());
  const ids = cars.map(({ externalId }) => externalId).sort();
  const read = cars.map((car, n) => ({ ...car, fuel: n === 0 ? 'diesel' : 'gas', drive: 'fwd', seller: 'dealer' }));

  it('are stored and announce nothing', async () => {
    await storeBefore(cars);
    await watch();
    expect(await store(read)).toMatchObject({ updated: count });
    await match();
    expect(await announced()).toEqual([]);
    expect(await db.rows('select distinct drive, seller from listings')).toEqual([{ drive: 'fwd', seller: 'dealer' }]);
    const before = await written();
    expect(await store(read)).toMatchObject({ unchanged: count });
    await match();
    expect(await written()).toEqual(before);
  });

  it('are compared with an alert that asks for them, which shows the cars without news', async () => {
    await storeBefore(cars);
    const [alertId] = await watch({ fuel: 'diesel' });
    await store(read);
    await match();
    expect(await shown()).toEqual([cars[0]?.externalId]);
    expect(await announced()).toEqual([]);
    expect(await db.rows('select alert_id as "alertId", not_stated & 32 as open from matches')).toEqual([
      { alertId, open: 0 },
    ]);
  });

  it('hide the cars of an alert that asks for other ones', async () => {
    await watch({ fuel: 'diesel' });
    await storeBefore(cars);
    expect(await shown()).toEqual(ids);
    await store(read);
    await match();
    expect(await shown()).toEqual([cars[0]?.externalId]);
    expect(await announced()).toEqual(ids);
  });

  it('do not let a new car wait', async () => {
    await storeBefore(cars);
    await watch({ fuel: 'diesel' });
    const fresh = buildFacts();
    await store([...read, fresh]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await announced()).toEqual([fresh.externalId]);
    await match();
    expect(await announced()).toEqual([fresh.externalId]);
  });

  it('do not take the news from cars that wait to be matched', async () => {
    await store(cars);
    await watch();
    await store(read);
    await match();
    expect(await announced()).toEqual(ids);
  });

  it('are news when they change afterwards', async () => {
    await storeBefore(read);
    await watch({ fuel: 'hybrid' });
    await store(read.map((car, n) => (n === 1 ? { ...car, fuel: 'hybrid' } : car)));
    await match();
    expect(await announced()).toEqual([cars[1]?.externalId]);
  });

  it('are no longer to be compared once the car changes, which is news', async () => {
    await storeBefore(cars);
    await watch();
    await store(read);
    await store(read.map((car, n) => (n === 0 ? { ...car, price: 9_000 } : car)));
    await match();
    expect(await announced()).toEqual([cars[0]?.externalId]);
    expect(await db.rows('select from listings_to_match')).toEqual([]);
  });
});

it('words about payment are stored without any comparison', async () => {
  const car = buildFacts();
  await storeBefore([car]);
  await store([{ ...car, prepayment: 'deposit first' }]);
  expect(await db.rows('select prepayment from listings')).toEqual([{ prepayment: 'deposit first' }]);
  expect(await db.rows('select from listings_to_match')).toEqual([]);
});

describe('what a seller wrote', () => {
  const texts = () => db.rows('select description, facts_read as facts from listing_texts');
  const read = (description: string, car = buildFacts()) => withTextFacts(car, description);
  const bare = buildFacts({ mileageMiles: null, transmission: null, color: null });
  const odometer = { fact: 'mileage', from: 'description', value: '40,000 miles', words: '40k miles' } as const;
  const learned = { ...bare, mileageMiles: 40_000, description: 'Only 40k miles', factsRead: [odometer] };

  it('is stored beside the listing, and written again only where it has changed', async () => {
    const car = read('Runs great');
    await store([car]);
    expect(await texts()).toMatchObject([{ description: 'Runs great' }]);
    const before = await db.rows('select xmin::text from listing_texts');
    await store([car]);
    await store([{ ...car, price: 9_000 }]);
    expect(await db.rows('select xmin::text from listing_texts')).toEqual(before);
    await store([{ ...read('Runs great, new tires', car), price: 9_000 }]);
    expect(await texts()).toMatchObject([{ description: 'Runs great, new tires' }]);
  });

  it('is no news when it changes alone', async () => {
    const car = read('Runs great');
    await storeBefore([car]);
    await watch();
    expect(await store([read('Runs great, new tires', car)])).toMatchObject({ updated: 1 });
    await match();
    expect(await announced()).toEqual([]);
    expect(await shown()).toEqual([]);
  });

  it('states a mileage with which the car fits an alert, which shows it without news', async () => {
    await storeBefore([bare]);
    await watch({ mileageMax: 50_000 });
    await store([learned]);
    await match();
    expect(await shown()).toEqual([bare.externalId]);
    expect(await announced()).toEqual([]);
  });

  it('states another mileage afterwards, which is news', async () => {
    await storeBefore([{ ...learned, mileageMiles: 90_000 }]);
    await watch({ mileageMax: 50_000 });
    await store([learned]);
    await match();
    expect(await announced()).toEqual([bare.externalId]);
  });

  it('names a trim, which hides the car of an alert that excludes the word', async () => {
    await watch({ excludeWords: ['touring'] });
    await storeBefore([bare]);
    expect(await shown()).toEqual([bare.externalId]);
    await store([{ ...bare, trim: 'Grand Touring' }]);
    await match();
    expect(await shown()).toEqual([]);
  });

  it('says for parts only or a lien, which was another status before and is no news', async () => {
    await watch({ titleStatus: 'clean' });
    const [parts, lien] = [buildFacts(), buildFacts()];
    await storeBefore([parts, lien].map((car) => ({ ...car, titleStatus: 'other' })));
    expect(await shown()).toEqual([]);
    await store([
      { ...parts, titleStatus: 'parts_only' },
      { ...lien, titleStatus: 'lien' },
    ]);
    await match();
    expect(await shown()).toEqual([lien.externalId]);
    expect(await announced()).toEqual([]);
  });

  it('may hold characters that the database cannot store', async () => {
    await store([{ ...bare, description: 'a\u0000b\ud800 "c"\n\\d 🚗' }]);
    expect(await texts()).toEqual([{ description: 'a\ufffdb\ufffd "c"\n\\d 🚗', facts: null }]);
  });
});
