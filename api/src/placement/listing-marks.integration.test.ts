import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { changeListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { inTransaction, makePool } from '../base/database.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { retireAbsent } from '../intake/retire-listings.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { followChosenLayout } from './follow-layout.ts';
import { claimNews, deleteMarks } from './listing-marks.ts';

const db = setUpDatabase(async () => {
  const [userId = 0] = await insertUsers(db.pool);
  await insertAlerts(db.pool, userId, [{ ...camryAlert, onlyWithImages: false }]);
});
beforeAll(() => disableOldTriggers(db.pool));
afterEach(() => db.pool.query('truncate listings, listings_to_match, matches, notifications restart identity'));

const store = (price: number, status: ListingStatus = ListingStatus.forSale) =>
  storePage(db.pool, 'lot', [buildFacts({ externalId: 'car', make: 'toyota', model: 'camry', price, status })]);
const match = () => matchPendingListings(db.pool);
const marks = () =>
  db.rows(
    `select version, is_news as "isNews", facts_before ->> 'price' as price, facts_before = '{}' as "isFirst" from listings_to_match`,
  );
const kept = () =>
  db.row(
    `select version, facts_before ->> 'price' as price, facts_before = '{}' as "isFirst", pending_match as "isThere" from listings`,
  );

describe('the mark of a listing', () => {
  it('comes with it, counts its changes and goes with its search, which does not write the listing', async () => {
    await store(9_000);
    expect(await marks()).toEqual([{ version: 0, isNews: true, price: null, isFirst: null }]);
    const row = 'select ctid::text, version from listings';
    const before = await db.row(row);
    expect(await match()).toBe(1);
    expect(await db.row(row)).toEqual(before);
    expect(await marks()).toEqual([]);
    await store(8_000);
    await store(7_000);
    expect(await marks()).toEqual([{ version: 2, isNews: true, price: '9000', isFirst: false }]);
    expect(await kept()).toEqual({ version: 2, price: null, isFirst: null, isThere: false });
  });

  it('has no facts of a search where there was none', async () => {
    await store(9_000);
    await store(8_000);
    expect(await marks()).toEqual([{ version: 1, isNews: true, price: null, isFirst: true }]);
  });

  it('goes when the listing ends, which keeps the facts at its last search until it is for sale again', async () => {
    await store(9_000);
    await match();
    await store(8_000);
    await store(8_000, ListingStatus.sold);
    expect(await marks()).toEqual([]);
    expect(await kept()).toMatchObject({ price: '9000' });
    await store(8_500);
    expect(await marks()).toEqual([{ version: 3, isNews: true, price: '9000', isFirst: false }]);
    await retireAbsent(db.pool, 'lot', new Set(), { gone: new Set(['car']) });
    expect(await marks()).toEqual([]);
    expect(await kept()).toMatchObject({ version: 4, price: '9000' });
  });

  it('of one that ends before its search has no facts of it', async () => {
    await store(9_000);
    await retireAbsent(db.pool, 'lot', new Set(), { gone: new Set(['car']) });
    expect(await kept()).toMatchObject({ price: null, isFirst: true });
  });
});

describe('a change during the search', () => {
  it('waits for the batch, and is searched for after it', async () => {
    await store(9_000);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const worker = makePool(db.url, 1);
    followChosenLayout(worker);
    interceptPool(worker, async (_client, statement, send) => {
      const result = await send(statement);
      if (statement.name === 'match-listings-fresh') {
        stop();
        await released;
      }
      return result;
    });
    const searching = matchPendingListings(worker);
    await stopped;
    const changing = store(8_000);
    await expect.poll(() => db.lockWaits()).toBe(1);
    release();
    expect(await searching).toBe(1);
    await changing;
    await worker.end();
    expect(await marks()).toEqual([{ version: 1, isNews: true, price: '9000', isFirst: false }]);
    expect(await match()).toBe(1);
    expect(await db.rows('select price from matches')).toEqual([{ price: 8_000 }]);
    expect(await db.rows('select kind from notifications order by id')).toHaveLength(2);
  });

  it('keeps its mark, which has a higher number, even where no lock made it wait', async () => {
    await insertListings(db.pool, [camry, camry]);
    const claimed = await inTransaction(db.pool, (client) => claimNews(client, 64, 0));
    await changeListings(db.pool, 'price = 5', { where: 'id = 2' });
    await inTransaction(db.pool, (client) => deleteMarks(client, claimed));
    expect(await db.rows('select listing_id as id, version from listings_to_match')).toEqual([{ id: 2, version: 1 }]);
  });

  it('two searches never claim the same listing', async () => {
    await insertListings(db.pool, [camry, camry, camry]);
    await inTransaction(db.pool, async (client) => {
      expect(await claimNews(client, 2, 0)).toHaveLength(2);
      const others = await inTransaction(db.pool, (other) => claimNews(other, 64, 0));
      expect(others.map(({ id }) => id)).toEqual([3]);
    });
  });

  it('a claim that began before another search committed leaves what that one has searched', async () => {
    await insertListings(db.pool, [camry]);
    await db.pool.query(`create function wait_for_commit() returns bool language plpgsql as
      $$ begin perform pg_advisory_xact_lock(2); return true; end $$`);
    const late = makePool(db.url, 1);
    followChosenLayout(late);
    const waiting = <T>(text: T): T =>
      (typeof text === 'string' ? text.replace('where l.id = ', 'where wait_for_commit() and l.id = ') : text) as T;
    interceptPool(late, (_client, { text, values, ...statement }, send) =>
      send({ ...statement, text: waiting(text), values: values.map(waiting) }),
    );
    const { claimed } = await inTransaction(db.pool, async (first) => {
      await first.query('select pg_advisory_xact_lock(2)');
      await deleteMarks(first, await claimNews(first, 1, 0));
      const claiming = inTransaction(late, (second) => claimNews(second, 1, 0));
      await expect.poll(() => db.lockWaits()).toBe(1);
      return { claimed: { rows: claiming } };
    });
    expect(await claimed.rows).toEqual([]);
    await late.end();
  });
});
