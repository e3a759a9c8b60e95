import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { lockCopies } from '../../test/everywhere.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { type Client, inTransaction } from '../base/database.ts';
import { factsHash, ListingStatus } from '../domain/facts/listing-facts.ts';
import type { StoreResult } from './store-listings.ts';

const db = setUpDatabase();
beforeEach(() =>
  db.pool.query('truncate listings, listings_to_match, price_changes, quarantine, sources restart identity'),
);

const cars = Array.from({ length: 30 }, () => buildFacts({ images: [] }));
const [car = buildFacts(), other = buildFacts()] = cars;
const dearer = { ...car, price: 20_000 };
const store = (...facts: (typeof car)[]) => storePage(db.pool, 'lot', facts);
const statuses = ({ results }: StoreResult) => results.map(({ status }) => status);
const seenAgo = (interval: string) =>
  db.pool.query(`update listings set last_seen_at = now() - interval '${interval}'`);

/** Shows whether a row was written or locked: its xmin and xmax. */
const versions = () => db.rows('select id, xmin::text, xmax::text, ctid::text from listings order by id');
const prices = async () =>
  (await db.rows('select price from price_changes order by seen_at, price')).map(({ price }) => price);

/** Stores a price like another writer. */
const storeAs = 'update listings set price = $2, facts_hash = $3 where external_id = $1';

/** Stores records while another transaction locks their listings, which continues once the page waits for it. */
async function storeBeside(change: (client: Client) => Promise<unknown>, facts: (typeof car)[]): Promise<StoreResult> {
  let storing: Promise<StoreResult> | undefined;
  await inTransaction(db.pool, async (client) => {
    await lockCopies(client, "select from listings where source = 'lot' order by external_id for update");
    storing = store(...facts);
    await expect.poll(() => db.lockWaits()).toBe(1);
    await change(client);
  });
  if (!storing) throw new Error('Nothing was stored.');
  return storing;
}

describe.each([
  ['a few', 2],
  ['a page', 30],
])('an unchanged record among %s', (_name, count) => {
  const page = cars.slice(0, count);
  const change = { ...page[0], price: 20_000 } as typeof car;

  it('neither locks nor writes the listing', async () => {
    await store(...page);
    const before = await versions();
    expect(statuses(await store(...page))).toEqual(Array(count).fill('unchanged'));
    expect(await versions()).toEqual(before);
  });

  it('does not wait for a lock on its listing, even in a page with a changed record', async () => {
    await store(...page);
    await inTransaction(db.pool, async (client) => {
      await lockCopies(client, 'select from listings where external_id <> $1 for update', [change.externalId]);
      const stored = await store(change, ...page.slice(1));
      expect(statuses(stored)).toEqual(['updated', ...Array(count - 1).fill('unchanged')]);
    });
  });

  it('is compared again once its listing is locked, so that it is not stored twice', async () => {
    await store(...page);
    const stored = await storeBeside(
      (client) => client.query(storeAs, [change.externalId, change.price, factsHash(change)]),
      [change, ...page.slice(1)],
    );
    expect(statuses(stored)).toEqual(Array(count).fill('unchanged'));
    expect(await prices()).toEqual([]);
  });
});

it('compares with the listing of another writer, whose price is in the history', async () => {
  await store(car);
  const stored = await storeBeside((client) => client.query(storeAs, [car.externalId, 18_000, 'another']), [dearer]);
  expect(statuses(stored)).toEqual(['updated']);
  expect(await prices()).toEqual([18_000, 20_000]);
});

it('inserts a listing that was deleted while its record waited for it', async () => {
  await store(car, other);
  const stored = await storeBeside(
    (client) => client.query('delete from listings where external_id = $1', [car.externalId]),
    [dearer, other],
  );
  expect(statuses(stored)).toEqual(['accepted', 'unchanged']);
  expect(await db.rows('select price from listings where external_id = $1', [car.externalId])).toEqual([
    { price: 20_000 },
  ]);
});

it('counts a record as stored before an uncommitted change', async () => {
  await store(car);
  await inTransaction(db.pool, async (client) => {
    await client.query(storeAs, [car.externalId, 18_000, 'another']);
    expect(statuses(await store(car))).toEqual(['unchanged']);
  });
  expect(await db.rows('select price from listings')).toEqual([{ price: 18_000 }]);
  expect(statuses(await store(car))).toEqual(['updated']);
});

it('loses no change in concurrent pushes and polls of the same cars', async () => {
  const page = cars.slice(0, 25);
  const at = (price: number) => page.map((one, n) => ({ ...one, price: price + (n % 3) }));
  await store(...at(9_000));
  for (let round = 1; round <= 15; round += 1) {
    const [push, poll] = [at(10_000 + 3 * round), at(20_000 + 3 * round)];
    await Promise.all([
      ...push.map((one) => store(one)),
      store(...poll),
      store(...push.slice(0, 12)),
      store(...poll.slice(5)),
    ]);
    const rows = await db.rows(
      `select external_id, price,
              (select array_agg(price) from price_changes where listing_id = id) as history
         from listings`,
    );
    for (const { external_id, price, history } of rows) {
      const n = page.findIndex(({ externalId }) => externalId === external_id);
      const times = (asked: number | null | undefined) => history.filter((one: number) => one === asked).length;
      const [pushed, polled] = [times(push[n]?.price), times(poll[n]?.price)];
      expect([push[n]?.price, poll[n]?.price]).toContain(price);
      // Each writer compared with the one before, so that the two prices alternate.
      expect(Math.abs(pushed - polled)).toBeLessThanOrEqual(1);
      if (pushed !== polled) expect(price).toBe(pushed > polled ? push[n]?.price : poll[n]?.price);
    }
    const last = await store(...poll);
    const left = rows.filter(({ price }) => price >= 20_000).length;
    expect(last).toMatchObject({ unchanged: left, updated: page.length - left });
  }
});

describe('the last sight of a listing', () => {
  const lastSeen = async () =>
    (
      await db.rows(
        'select extract(epoch from now() - last_seen_at)::int4 < 60 as fresh from listings order by length(external_id), external_id',
      )
    ).map(({ fresh }) => fresh);
  const source = (kind: string) => db.pool.query("insert into sources (name, kind) values ('lot', $1)", [kind]);

  it.each([
    ['vehicle-feed', '11 hours', false],
    ['vehicle-feed', '25 hours', true],
    ['marketplace-items', '9 minutes', false],
    ['marketplace-items', '11 minutes', true],
    ['push', '9 minutes', false],
    ['push', '11 minutes', true],
  ])('is written for a %s after %s: %s', async (kind, interval, isNoted) => {
    await source(kind);
    await store(car, other);
    await seenAgo(interval);
    await store(car, other);
    expect(await lastSeen()).toEqual([isNoted, isNoted]);
  });

  it('is not written for all cars of a feed in one read', async () => {
    await source('vehicle-feed');
    await store(...cars);
    await db.pool.query("update listings set last_seen_at = now() - interval '12 hours 9.5 minutes'");
    await store(...cars);
    expect((await lastSeen()).filter(Boolean)).toHaveLength(9);
  });

  it('is written once after a record of it was quarantined, and then not again', async () => {
    await source('vehicle-feed');
    await store(car, other);
    await seenAgo('5 hours');
    await db.pool.query(
      `insert into quarantine (source, external_id, code, reason, record, record_hash, last_seen_at)
       values ('lot', $1, 'BAD_PRICE', '', '', '', now() - interval '4 hours')`,
      [car.externalId],
    );
    await store(car, other);
    expect(await lastSeen()).toEqual([true, false]);
    const before = await versions();
    await store(car, other);
    expect(await versions()).toEqual(before);
  });

  it('is written for a car that is no longer for sale', async () => {
    await source('vehicle-feed');
    const sold = { ...car, status: ListingStatus.sold };
    await store(sold);
    await seenAgo('25 hours');
    expect(statuses(await store(sold))).toEqual(['unchanged']);
    expect(await lastSeen()).toEqual([true]);
  });
});
