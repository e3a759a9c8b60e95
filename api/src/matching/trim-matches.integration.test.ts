import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { changeEverywhere, onServerOf } from '../../test/everywhere.ts';
import { untilMatchesVisible } from '../../test/factories.ts';
import { changeListings } from '../../test/matching/listing-marks.ts';
import { insertNewerMatches, insertSeenCars, noteAlert, shownListings } from '../../test/matching/many-matches.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { untilDone } from '../../test/until-done.ts';
import { inTransaction, makePool } from '../base/database.ts';
import { COUNTED_MATCHES, MATCHES_KEPT } from '../domain/match-cap.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { readMatchLog } from '../live/read-subscribers.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { HELD_BY_MESSAGES } from './held-pairs.ts';
import { NOTED_OF } from './listing-search-sql.ts';
import { matchPendingListings } from './match-listings.ts';
import { trimMatches } from './trim-matches.ts';

const db = setUpDatabase(() => disableOldTriggers(db.pool));
let userId: number;
let alertId: number;
/** The matches of the alert that has the cars, before newer ones came. */
let cars: number[];

beforeEach(async () => {
  [userId = 0] = await insertUsers(db.pool);
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  cars = await insertListings(
    db.pool,
    Array.from({ length: 8 }, () => camry),
  );
  while ((await matchPendingListings(db.pool)) > 0);
  await db.pool.query(`update notifications set status = 'sent'; truncate alerts_to_trim`);
});
afterEach(() =>
  db.pool.query(`truncate users, alerts, alert_cells, alerts_to_trim, listings, listings_to_match, matches, notifications, saved_listings,
    listing_views, webhooks, webhook_positions restart identity cascade`),
);

/** Lets so many newer matches come that all the cars are beyond the newest. */
const crowd = (count = MATCHES_KEPT) => insertNewerMatches(db, alertId, count);
const trim = async (rows?: number) => {
  await noteAlert(db, alertId);
  return untilDone(db.pool, trimMatches, rows);
};
const carsLeft = async () =>
  (await db.rows('select listing_id as id from matches where listing_id = any ($1) order by 1', [cars])).map(
    ({ id }) => id,
  );

it('deletes what is beyond the newest matches of a noted alert, and of no other one', async () => {
  const [other = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  await insertNewerMatches(db, other, COUNTED_MATCHES);
  const newer = await crowd(MATCHES_KEPT - 3);
  expect(await trim()).toMatchObject({ removed: 5 });
  expect(await shownListings(db, alertId)).toEqual([...cars.slice(-3), ...newer]);
  expect(await shownListings(db, other)).toHaveLength(COUNTED_MATCHES);
  expect(await db.rows('select id, is_capped as "isCapped" from alerts order by id')).toEqual([
    { id: alertId, isCapped: true },
    { id: other, isCapped: false },
  ]);
  expect(await db.rows('select from alerts_to_trim')).toEqual([]);
});

it('deletes many in batches', async () => {
  const newer = await crowd(MATCHES_KEPT + 92);
  expect(await trim(30)).toMatchObject({ removed: 100 });
  expect(await shownListings(db, alertId)).toEqual(newer.slice(92));
});

it('leaves an alert with no more matches than it keeps as it is', async () => {
  await crowd(MATCHES_KEPT - cars.length);
  expect(await trim()).toMatchObject({ removed: 0 });
  expect(await db.rows('select from alerts where is_capped')).toEqual([]);
});

it('keeps dismissed and hidden matches, and does not count them', async () => {
  const [dismissed, hidden, ...rest] = cars;
  await db.pool.query(
    `update matches set alert_version = case listing_id when $1 then ${DISMISSED} else 0 end where listing_id in ($1, $2)`,
    [dismissed, hidden],
  );
  const newer = await crowd(MATCHES_KEPT + 4);
  await db.pool.query('update matches set alert_version = 0 where listing_id = any ($1)', [newer.slice(0, 4)]);
  await trim();
  expect(await carsLeft()).toEqual([dismissed, hidden]);
  expect(await shownListings(db, alertId)).toEqual(newer.slice(4));
  expect(rest).toHaveLength(6);
});

describe('a match beyond the newest stays', () => {
  const send = (status: string) =>
    db.pool.query('update notifications set status = $2 where listing_id = $1', [cars[2], status]);
  const webhook = () =>
    db.pool.query(
      `insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, 'https://dealer.example', '{match.created}', '')`,
      [userId],
    );

  it.each([
    ['while its message waits', () => send('waiting'), () => send('sent')],
    ['while its message is being sent', () => send('sending'), () => send('sent')],
    [
      'while its car is saved',
      () => db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, cars[2]]),
      () => db.pool.query('update saved_listings set removed_at = now()'),
    ],
    [
      'for 30 days after its car was viewed',
      () => db.pool.query('insert into listing_views (user_id, listing_id) values ($1, $2)', [userId, cars[2]]),
      () => db.pool.query(`update listing_views set viewed_at = now() - interval '31 days'`),
    ],
  ])('%s', async (_when, hold, release) => {
    await hold();
    await crowd();
    await trim();
    expect(await carsLeft()).toEqual([cars[2]]);
    await release();
    await trim();
    expect(await carsLeft()).toEqual([]);
  });

  it('until the events of webhooks are made of it', async () => {
    await webhook();
    await db.pool.query(
      `insert into webhook_positions (user_id, position) select $1, position from matches where listing_id = $2 and user_id = $1`,
      [userId, cars[2]],
    );
    // All the cars are of one search, and so have one position.
    await crowd();
    await trim();
    expect(await carsLeft()).toEqual(cars);
    await changeEverywhere(db, 'update webhook_positions set position = match_horizon()');
    await untilMatchesVisible(db.pool);
    await changeEverywhere(db, 'update webhook_positions set position = match_horizon()');
    await trim();
    expect(await carsLeft()).toEqual([]);
  });

  it('while somebody has locked its alert, which is tried again', async () => {
    await crowd();
    const other = makePool(db.url);
    try {
      await inTransaction(other, async (client) => {
        await client.query('select from alerts where id = $1 and user_id = $2 for update', [alertId, userId]);
        expect(await trim()).toMatchObject({ removed: 0 });
      });
    } finally {
      await other.end();
    }
    expect(await carsLeft()).toEqual(cars);
    expect(await untilDone(db.pool, trimMatches)).toMatchObject({ removed: cars.length });
  });

  it('while its account is being erased, of which no note stays behind', async () => {
    await crowd();
    const other = makePool(db.url);
    try {
      await inTransaction(other, async (client) => {
        await onServerOf(client, userId, 'select id from users where id = $1 for update', [userId]);
        await client.query('select from alerts where id = $1 and user_id = $2 for update', [alertId, userId]);
        await trim();
        expect(await db.rows('select from alerts_to_trim')).toEqual([]);
      });
    } finally {
      await other.end();
    }
    expect(await carsLeft()).toEqual(cars);
  });
});

it('messages that wait for weeks hold only so many matches', async () => {
  const newer = await crowd(HELD_BY_MESSAGES + 300);
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at, held_by)
     select $1, $2, id, now(), 'unconfirmed' from unnest($3::int8[]) id`,
    [userId, alertId, newer],
  );
  expect(await trim()).toMatchObject({ removed: cars.length + 300 });
  expect(await shownListings(db, alertId)).toEqual(newer.slice(300));
});

it('a reader by cursor that comes after the deletion goes on with what is left', async () => {
  const page = async (after: string | null, first: number) => readMatchLog(db.pool, { userId, alertId, first, after });
  await untilMatchesVisible(db.pool);
  const { nodes, endCursor } = await page(null, 3);
  expect(nodes.map(({ match }) => match.listingId)).toEqual(cars.slice(0, 3));
  const newer = await crowd();
  await untilMatchesVisible(db.pool);
  await trim();
  const read: number[] = [];
  let after = endCursor;
  for (;;) {
    const next = await page(after, 100);
    read.push(...next.nodes.map(({ match }) => match.listingId));
    after = next.endCursor;
    if (!next.hasMore) break;
  }
  expect(read).toEqual(newer);
});

it('the search for listings notes an alert with a match in so many', async () => {
  const found = await insertListings(
    db.pool,
    Array.from({ length: NOTED_OF * 2 }, () => camry),
  );
  while ((await matchPendingListings(db.pool)) > 0);
  expect(found).toHaveLength(NOTED_OF * 2);
  expect(await db.rows('select alert_id as id, user_id as owner from alerts_to_trim')).toEqual([
    { id: alertId, owner: userId },
    { id: alertId, owner: userId },
  ]);
});

it('deletes notes of an alert that is gone', async () => {
  await noteAlert(db, 999_999);
  await trim();
  expect(await db.rows('select from alerts_to_trim')).toEqual([]);
});

it('a match of which a search announces a price drop while it is deleted is as it was, and announced', async () => {
  const [id = 0] = cars;
  const before = await db.row('select position, matched_at, announced from matches where listing_id = $1', [id]);
  await crowd();
  await noteAlert(db, alertId);
  await changeListings(db.pool, 'price = 5000', { where: 'id = $1', values: [id] });
  const other = makePool(db.url);
  followChosenLayout(other);
  let searching: Promise<number> | undefined;
  try {
    await inTransaction(other, async (client) => {
      expect(await trimMatches(client)).toMatchObject({ removed: cars.length });
      searching = matchPendingListings(db.pool);
      await expect.poll(() => db.lockWaits()).toBe(1);
    });
    await searching;
  } finally {
    await other.end();
  }
  expect(await db.row('select position, matched_at, announced from matches where listing_id = $1', [id])).toEqual(
    before,
  );
  expect(await carsLeft()).toEqual([id]);
  expect(await db.rows(`select kind from notifications where status = 'waiting'`)).toEqual([{ kind: 'price_drop' }]);
});

it('new matches come meanwhile, and the newest are left', async () => {
  await insertSeenCars(db, 1);
  await crowd(MATCHES_KEPT + 300);
  let over = false;
  const trimming = (async () => {
    while (!over) await trim(40);
  })();
  const added: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    added.push(...(await insertListings(db.pool, [camry, camry])));
    await matchPendingListings(db.pool);
  }
  over = true;
  await trimming;
  await db.pool.query(`update notifications set status = 'sent'`);
  await trim();
  const shown = await shownListings(db, alertId);
  expect(shown).toHaveLength(MATCHES_KEPT);
  expect(added.filter((id) => !shown.includes(id))).toEqual([]);
});
