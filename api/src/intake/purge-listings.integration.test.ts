import { afterEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { lockCopies, onServerOf } from '../../test/everywhere.ts';
import { buildFacts, insertMatches, storeCars, storePage } from '../../test/factories.ts';
import { insertUser } from '../../test/mail/mail-fixtures.ts';
import { unmarkListings } from '../../test/matching/listing-marks.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { untilDone } from '../../test/until-done.ts';
import type { Batch } from '../base/batches.ts';
import { inTransaction } from '../base/database.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { purgeListings } from './purge-listings.ts';
import { retireUnseen } from './retire-listings.ts';

let userId: number;
let otherId: number;
let alertId: number;

const db = setUpDatabase(async () => {
  [userId = 0, otherId = 0] = await insertUsers(db.pool, 2);
  await disableOldTriggers(db.pool);
});
afterEach(async () => {
  await db.pool.query(
    'truncate alerts, alert_cells, listings, listings_to_match, listing_texts, matches, notifications, price_changes, listing_views, listing_notes, quarantine, sources',
  );
});

const query = (sql: string, values: unknown[] = []) => db.rows(sql, values);
const ids = async () => (await query('select id from listings order by id')).map(({ id }) => id);
const age = (days: number, which: number[]) =>
  query(
    `with earlier as materialized (
       select id as of, seen_at - $1 * interval '1 day' as seen, last_seen_at - $1 * interval '1 day' as last_seen,
              kept_at - $1 * interval '1 day' as kept from listings where id = any($2)
     )
     update listings set seen_at = e.seen, last_seen_at = e.last_seen, kept_at = e.kept from earlier e where id = e.of`,
    [days, which],
  );
const markMatched = () => unmarkListings(db.pool);

const purgeBatch = (batch?: Batch) => inTransaction(db.pool, (client) => purgeListings(client, batch));

/** Retires and then purges, like the clean-up. */
async function purge() {
  await untilDone(db.pool, retireUnseen);
  return purgeBatch();
}

async function cars(count: number): Promise<number[]> {
  const stored = await storeCars(
    db.pool,
    Array.from({ length: count }, () => ({ images: ['https://photos.example/1.jpg', 'https://photos.example/2.jpg'] })),
  );
  await markMatched();
  return stored.toSorted((a, b) => a - b);
}

async function match(listings: number[]): Promise<void> {
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  await insertMatches(db.pool, alertId, listings);
}

describe('purgeListings', () => {
  it('deletes listings that were last seen 90 days ago with their rows, and no newer ones', async () => {
    const [old = 0, young = 0] = await cars(2);
    await query('insert into price_changes (listing_id, price) values ($1, 1), ($2, 2)', [old, young]);
    await query('insert into listing_views (user_id, listing_id) values (1, $1), (1, $2)', [old, young]);
    await query("insert into listing_notes (user_id, listing_id, note) values (1, $1, 'x'), (1, $2, 'x')", [
      old,
      young,
    ]);
    await query(
      `insert into quarantine (source, code, reason, record, record_hash, last_seen_at)
       values ('test', 'NO_ID', '', '', '', now() - interval '29 days')`,
    );
    await query("insert into listing_texts (listing_id, description) values ($1, 'x'), ($2, 'x')", [old, young]);
    await age(91, [old]);
    await age(89, [young]);
    expect(await purge()).toEqual({ removed: 1, kept: 0, after: null });
    expect(await ids()).toEqual([young]);
    for (const table of ['price_changes', 'listing_views', 'listing_notes', 'listing_texts']) {
      expect(await query(`select listing_id from ${table}`)).toEqual([{ listing_id: young }]);
    }
    expect(await query('select from quarantine')).toHaveLength(1);
  });

  it('keeps a note about a car that has another listing, and of two the later one', async () => {
    const [old = 0, older = 0, stays = 0, alone = 0] = await cars(4);
    await query('update listings set car_id = $1 where id = any($2)', [old, [old, older, stays]]);
    await query(
      `insert into listing_notes (user_id, listing_id, note, updated_at)
       values ($1, $3, 'early', now() - interval '3 days'), ($1, $4, 'late', now() - interval '2 days'),
              ($1, $6, 'alone', now()), ($2, $3, 'before', now() - interval '3 days'), ($2, $5, 'after', now())`,
      [userId, otherId, old, older, stays, alone],
    );
    await age(91, [old, older, alone]);
    expect(await purge()).toMatchObject({ removed: 3 });
    expect(await query('select user_id, listing_id, note from listing_notes order by note')).toEqual([
      { user_id: otherId, listing_id: stays, note: 'after' },
      { user_id: userId, listing_id: stays, note: 'late' },
    ]);
  });

  it('lets whoever erases the account of a note wait, who then finds the note', async () => {
    const [old = 0, stays = 0] = await cars(2);
    const leaverId = await insertUser(db.pool);
    await query('update listings set car_id = $1', [old]);
    await query("insert into listing_notes (user_id, listing_id, note) values ($1, $2, 'x')", [leaverId, old]);
    await age(91, [old]);
    await untilDone(db.pool, retireUnseen);
    let erasing: Promise<unknown> | undefined;
    await inTransaction(db.pool, async (client) => {
      await purgeListings(client);
      erasing = inTransaction(db.pool, async (other) => {
        await onServerOf(other, leaverId, 'select id from users where id = $1 for update', [leaverId]);
        await other.query('delete from listing_notes where user_id = $1', [leaverId]);
        await other.query('delete from users where id = $1', [leaverId]);
      });
      await expect.poll(() => db.lockWaits()).toBe(1);
    });
    await erasing;
    expect(await ids()).toEqual([stays]);
    expect(await query('select from listing_notes')).toEqual([]);
  });

  it('keeps listings that are still seen, however old they are', async () => {
    const [listed = 0] = await cars(1);
    await query("update listings set seen_at = now() - interval '200 days'");
    await purge();
    expect(await ids()).toEqual([listed]);
  });

  it('keeps listings that an unchanged feed still shows', async () => {
    const kept = await cars(3);
    await query(
      "insert into sources (name, kind, last_success_at) values ('test', 'vehicle-feed', now() - interval '1 hour')",
    );
    await query("update listings set status = 'pending' where id = $1", [kept[1]]);
    await query("update listings set status = 'sold' where id = $1", [kept[2]]);
    await age(100, kept);
    expect(await purge()).toMatchObject({ removed: 0, kept: 0 });
    expect(await ids()).toEqual(kept);
    expect(await query("select from listings where facts_hash = ''")).toEqual([]);
    await query("update sources set last_success_at = now() - interval '31 days'");
    await age(100, kept);
    expect(await purge()).toMatchObject({ removed: 3 });
  });

  it('reduces a matched listing to what its card shows', async () => {
    const [matched = 0] = await cars(1);
    await match([matched]);
    await query('insert into price_changes (listing_id, price) values ($1, 17000)', [matched]);
    await query("insert into listing_texts (listing_id, description) values ($1, 'x')", [matched]);
    const [before] = await query('select * from listings');
    await age(91, [matched]);
    expect(await purge()).toEqual({ removed: 0, kept: 1, after: null });
    const [after] = await query('select * from listings');
    const same = (row: Record<string, unknown>) =>
      Object.fromEntries(
        'id source external_id title make model year price mileage transmission color condition city state lat lng image_url url listed_at color_code x y z car_id'
          .split(' ')
          .map((name) => [name, row[name]]),
      );
    expect(same(after)).toEqual(same(before));
    expect(after).toMatchObject({ status: 'gone', images: ['https://photos.example/1.jpg'], model_key: null });
    expect(await query('select from price_changes')).toHaveLength(1);
    expect(await purge()).toEqual({ removed: 0, kept: 0, after: null });
  });

  it('shows a kept match after an edit that it fits, and hides it after another', async () => {
    const [matched = 0] = await cars(1);
    await match([matched]);
    await age(91, [matched]);
    await purge();
    for (const [priceMax, shown] of [
      [16_000, 1],
      [15_000, 0],
    ]) {
      await query('update alerts set price_max = $1, version = version + 1, pending_match = true', [priceMax]);
      await matchPendingAlerts(db.pool);
      const rows = await query(
        'select from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id and a.version = m.alert_version',
      );
      expect(rows).toHaveLength(shown ?? 0);
    }
  });

  it('keeps the earlier listing of a car whose later one matches, for the prices on its card', async () => {
    const [earlier = 0, later = 0] = await cars(2);
    await query('update listings set car_id = $1', [earlier]);
    await match([later]);
    await age(91, [earlier]);
    expect(await purge()).toMatchObject({ removed: 0, kept: 1 });
  });

  it('checks kept listings again after 90 days', async () => {
    const [matched = 0] = await cars(1);
    await match([matched]);
    await age(91, [matched]);
    await purge();
    await query('truncate matches');
    await age(89, [matched]);
    expect(await purge()).toMatchObject({ removed: 0 });
    await age(2, [matched]);
    expect(await purge()).toMatchObject({ removed: 1 });
  });

  it('stores a car that comes back as a new listing, or as the old one if that was kept for a match', async () => {
    const facts = [buildFacts({ title: 'Unmatched' }), buildFacts({ title: 'Matched', images: ['a', 'b'] })];
    await storePage(db.pool, 'test', facts);
    await markMatched();
    const [left = 0, kept = 0] = await ids();
    await match([kept]);
    await age(91, [left, kept]);
    expect(await purge()).toMatchObject({ removed: 1, kept: 1 });
    const { results } = await storePage(db.pool, 'test', facts);
    expect(results.map(({ status }) => status)).toEqual(['accepted', 'updated']);
    expect(results[0]?.listingId).toBeGreaterThan(kept);
    expect(results[1]?.listingId).toBe(kept);
    const [back] = await query('select * from listings where id = $1', [kept]);
    expect(back).toMatchObject({ status: 'for_sale', images: ['a', 'b'] });
    expect(await query('select is_news from listings_to_match where listing_id = $1', [kept])).toEqual([
      { is_news: true },
    ]);
    expect(back.model_key).not.toBeNull();
    await matchPendingListings(db.pool);
    expect(await query('select from notifications where listing_id = $1', [kept])).toEqual([]);
    expect(await purge()).toMatchObject({ removed: 0, kept: 0 });
  });

  it('skips locked listings', async () => {
    const old = await cars(2);
    await age(91, old);
    await untilDone(db.pool, retireUnseen);
    await inTransaction(db.pool, async (client) => {
      await lockCopies(client, 'select from listings where id = $1 for update', [old[0]]);
      expect(await purgeBatch()).toMatchObject({ removed: 1 });
    });
    expect(await purgeBatch()).toMatchObject({ removed: 1 });
  });

  it('works in batches, and continues after the last one', async () => {
    await query(
      `insert into listings (source, external_id, title, make, facts_hash, status, pending_match, last_seen_at)
       select 'test', n, '', 'toyota', '', 'gone', false, now() - interval '100 days' from generate_series(1, 900) n`,
    );
    const first = await purgeBatch({ after: null, rows: 200 });
    expect(first).toEqual({ removed: 200, kept: 0, after: expect.stringMatching(/^\d{4}-\d\d-\d\d \d+$/) });
    expect(await purgeBatch({ after: first.after, rows: 1_000 })).toEqual({ removed: 700, kept: 0, after: null });
    expect(await ids()).toEqual([]);
  });
});
