import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction, makePool } from '../../src/base/database.ts';
import { listingSearchColumns } from '../../src/domain/criteria/search-columns.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeOldDatabase, type TestDatabase } from '../database.ts';
import { buildFacts, storePage } from '../factories.ts';
import { camry, camryAlert, insertAlerts, insertUsers } from '../matching/match-rows.ts';

/** So many that they are copied in several transactions. */
const OLD = 1_200;
const { makeKey, modelKey, x, y, z } = listingSearchColumns(camry);

/* The statements of the version before. */
const storeOld = `
  insert into listings (source, external_id, title, make, model, year, price, image_url, images, lat, lng, facts_hash, make_key, model_key, x, y, z,
                        announce, pending_match, facts_before)
  select 'old', coalesce((select max(id) from listings), 0) + n, '', 'toyota', 'camry', 2018, 10000, 'photo', '{photo}', 34.1, -118.1, '',
         ${makeKey}, ${modelKey}, ${x}, ${y}, ${z}, true, true, null from generate_series(1, $1::int4) n returning id`;
const oldFacts = `case when facts_before is not null then facts_before when pending_match then '{}'::jsonb
  else jsonb_build_object('id', id, 'price', price) end`;
const changeOld = `
  update listings set price = $2, changed_at = now(), pending_match = true, pending_filters = false, facts_before = ${oldFacts}
   where id = any ($1::int8[])`;
const learnOld = `update listings set fuel = 'diesel', pending_filters = true, facts_before = ${oldFacts} where id = any ($1::int8[])`;
const endOld = `
  update listings set status = 'gone', pending_match = false, changed_at = now(),
         facts_before = case when pending_match then coalesce(facts_before, '{}') else facts_before end where id = any ($1::int8[])`;
const claimOld = `
  select l.id, facts_before ->> 'price' as price, l.announce and l.pending_match as "isNews"
    from listings l where l.pending_match or l.pending_filters order by l.id limit 64 for update of l skip locked`;
const clearOld =
  'update listings set pending_match = false, pending_filters = false, facts_before = null where id = any ($1::int8[])';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeOldDatabase('111-users-in-keys-of-webhooks');
  await db.pool.query(storeOld, [OLD]);
  await db.pool.query(
    `update listings set pending_match = false, pending_filters = id % 2 = 0, facts_before = '{"price": 1}'`,
  );
  await db.pool.query('update listings set pending_match = true where id % 3 = 0');
  await db.pool.query('update listings set facts_before = null where id % 6 in (1, 5)');
  await db.orm.migrator.up();
});
afterAll(() => db.close());

const marks = () =>
  db.rows(
    `select listing_id as id, is_news as "isNews", facts_before ->> 'price' as price from listings_to_match order by 1`,
  );
const columns = (id: number) =>
  db.row(
    `select pending_match or pending_filters as waits, facts_before ->> 'price' as price from listings where id = $1`,
    [id],
  );

it('marks that are there are copied in several transactions, each with the facts at the last search', async () => {
  const ids = Array.from({ length: OLD }, (_, at) => at + 1).filter((id) => id % 2 === 0 || id % 3 === 0);
  expect(await marks()).toEqual(ids.map((id) => ({ id, isNews: id % 3 === 0, price: '1' })));
  const { count } = await db.row('select count(distinct xmin::text)::int4 as count from listings_to_match');
  expect(count).toBeGreaterThan(2);
});

describe('with one alert', () => {
  let id = 0;
  const asked = { ...camryAlert, onlyWithImages: false };
  beforeAll(async () => {
    const [userId = 0] = await insertUsers(db.pool);
    await insertAlerts(db.pool, userId, [asked]);
  });
  beforeEach(async () => {
    await db.pool.query('truncate listings, listings_to_match, matches, notifications restart identity');
    [{ id }] = await db.rows(storeOld, [1]);
  });

  const run = (text: string, ...values: unknown[]) => db.pool.query(text, [[id], ...values]);
  /** As a worker of the version before. @returns what it found */
  const searchOld = () =>
    inTransaction(db.pool, async (client) => {
      const { rows } = await client.query(claimOld);
      await client.query(clearOld, [rows.map((row) => row.id)]);
      return rows;
    });
  /** As this version stores and changes it. */
  const store = async (price: number) => {
    const { results } = await storePage(db.pool, 'new', [
      buildFacts({ externalId: 'car', make: 'toyota', model: 'camry', price }),
    ]);
    id = results[0]?.listingId ?? 0;
  };
  /** A session gives back once in a few seconds. */
  const inNewSession = async (sql: string, values: unknown[]) => {
    const pool = makePool(db.url, 1);
    await pool.query(sql, values);
    await pool.end();
  };
  const minuteAgo = () => db.pool.query("update listings_to_match set marked_at = marked_at - interval '2 minutes'");

  it('a new worker finds and announces what the version before stores, and clears its mark', async () => {
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await db.rows('select listing_id as id from notifications')).toEqual([{ id }]);
    expect(await columns(id)).toEqual({ waits: false, price: null });
    expect(await marks()).toEqual([]);
    await run(changeOld, 5_000);
    expect(await marks()).toEqual([{ id, isNews: true, price: '10000' }]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await db.rows('select kind from notifications order by id')).toEqual([
      { kind: 'match' },
      { kind: 'price_drop' },
    ]);
    expect(await columns(id)).toEqual({ waits: false, price: null });
  });

  it('what an old worker has searched does not wait any more', async () => {
    expect(await searchOld()).toEqual([{ id, price: null, isNews: true }]);
    expect(await marks()).toEqual([]);
    expect(await columns(id)).toEqual({ waits: false, price: null });
  });

  it('facts that were read for the first time are no news', async () => {
    await searchOld();
    await run(learnOld);
    expect(await marks()).toEqual([{ id, isNews: false, price: '10000' }]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await db.rows('select from notifications')).toEqual([]);
    expect(await columns(id)).toEqual({ waits: false, price: null });
  });

  it.each([
    ['is new', null, 20_000],
    ['has changed', 9_000, 9_000],
  ])('an old change of a listing that %s keeps the facts at its last search', async (_what, searchedAt, price) => {
    await searchOld();
    await store(searchedAt ?? price);
    if (searchedAt !== null) {
      expect(await matchPendingListings(db.pool)).toBe(1);
      await store(8_000);
    }
    await run(changeOld, 7_000);
    const facts = searchedAt === null ? null : String(searchedAt);
    expect(await marks()).toEqual([{ id, isNews: true, price: facts }]);
    expect(await columns(id)).toEqual({ waits: true, price: facts });
    await run(learnOld);
    expect(await marks()).toEqual([{ id, isNews: true, price: facts }]);
    expect(await searchOld()).toEqual([{ id, price: facts, isNews: true }]);
    expect(await marks()).toEqual([]);
  });

  it('facts that the version before reads of a listing that waits leave it news', async () => {
    await searchOld();
    await store(9_000);
    await run(learnOld);
    expect(await marks()).toEqual([{ id, isNews: true, price: null }]);
    expect(await searchOld()).toEqual([{ id, price: null, isNews: true }]);
  });

  it('a listing that waits and that the version before ends keeps the facts at its last search', async () => {
    await searchOld();
    await store(9_000);
    await matchPendingListings(db.pool);
    await store(8_000);
    await run(endOld);
    expect(await marks()).toEqual([]);
    expect(await columns(id)).toEqual({ waits: false, price: '9000' });
    await store(7_000);
    expect(await marks()).toEqual([{ id, isNews: true, price: '9000' }]);
  });

  it('a change by this version of what the version before has marked keeps them too, and is found by new workers alone', async () => {
    await searchOld();
    await store(9_000);
    await matchPendingListings(db.pool);
    await run(changeOld, 8_000);
    await store(7_000);
    expect(await marks()).toEqual([{ id, isNews: true, price: '9000' }]);
    expect(await searchOld()).toEqual([]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await marks()).toEqual([]);
  });

  it('a sight and an old search leave the number of the last change of all else', async () => {
    await searchOld();
    const version = () => db.row('select version from listings where id = $1', [id]);
    const before = await version();
    await run('update listings set last_seen_at = now() where id = any ($1::int8[])');
    expect(await version()).toEqual(before);
    expect(await marks()).toEqual([]);
  });

  it('marks of this version are given back where an operator goes back, once the version before stores a listing', async () => {
    await searchOld();
    await store(9_000);
    const made = [id];
    await storePage(
      db.pool,
      'new',
      Array.from({ length: 30 }, (_, at) => buildFacts({ externalId: `more-${at}`, price: 9_000 })),
    );
    await db.pool.query(storeOld, [1]);
    expect((await searchOld()).map((row) => row.id)).not.toContain(id);
    await minuteAgo();
    await inNewSession(storeOld, [1]);
    made.push(...(await searchOld()).map((row) => row.id));
    expect(new Set(made)).toHaveLength(1 + 30 + 1);
    expect(await marks()).toEqual([]);
  });

  it('giving back locks nothing before the end of its transaction', async () => {
    await searchOld();
    await store(9_000);
    await minuteAgo();
    await inTransaction(db.pool, async (client) => {
      await client.query("select set_config('lotwatch.marks_given_back', '', false)");
      await client.query(storeOld, [1]);
      await db.pool.query('select from listings where id = $1 for update nowait', [id]);
      expect(await columns(id)).toMatchObject({ waits: false });
    });
    expect(await columns(id)).toMatchObject({ waits: true });
  });

  it('what the version before has ended does not wait for facts that it had read', async () => {
    await searchOld();
    await run(learnOld);
    await run(endOld);
    expect(await marks()).toEqual([]);
    expect(await columns(id)).toEqual({ waits: false, price: '10000' });
  });

  it('a mark that becomes news waits from then on', async () => {
    await searchOld();
    await run(learnOld);
    await minuteAgo();
    await run(changeOld, 9_000);
    expect(await db.rows("select from listings_to_match where marked_at > now() - interval '1 minute'")).toHaveLength(
      1,
    );
  });

  it('so are those of listings that the same statement of the version before changes', async () => {
    await storePage(
      db.pool,
      'new',
      Array.from({ length: 5 }, (_, at) => buildFacts({ externalId: `more-${at}`, price: 9_000 })),
    );
    await minuteAgo();
    const ids = (await db.rows('select id from listings order by id')).map((row) => row.id);
    await inNewSession(changeOld, [ids, 5_000]);
    expect((await searchOld()).map((row) => row.id)).toEqual(ids);
  });
});

it('going back by the migration itself gives all marks back', async () => {
  const own = await makeOldDatabase('112-listings-to-match');
  try {
    await storePage(own.pool, 'new', [buildFacts({ price: 9_000 })]);
    await matchPendingListings(own.pool);
    await storePage(own.pool, 'new', [buildFacts({ price: 9_000 }), buildFacts({ externalId: 'other' })]);
    const waiting = await own.rows('select listing_id as id from listings_to_match order by 1');
    await own.orm.migrator.down();
    expect(await own.rows('select id from listings where pending_match order by 1')).toEqual(waiting);
  } finally {
    await own.close();
  }
});
