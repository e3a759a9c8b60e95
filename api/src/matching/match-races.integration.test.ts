import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { makeRandom } from '../../lab/random.ts';
import { makeTestDatabase, onCluster, type TestDatabase } from '../../test/database.ts';
import { makeWriters, type RaceParts, watchLimits } from '../../test/matching/match-race.ts';
import { insertUsers, type TestAlert, type TestListing } from '../../test/matching/match-rows.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import { untilDone } from '../../test/until-done.ts';
import { makePool, type Pool } from '../base/database.ts';
import { silentLog } from '../base/log.ts';
import { encodeCursor } from '../live/match-cursor.ts';
import { cursorOf, readMatchPage } from '../live/read-matches.ts';
import { readMatchLog } from '../live/read-subscribers.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { watchCluster } from '../placement/watch-servers.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';
import { purgeOrphans } from './purge-orphans.ts';

const ALERT_LIMIT = 12;

let db: TestDatabase;
let workers: Pool;
let stopWatching: () => Promise<void>;

beforeEach(async () => {
  db = await makeTestDatabase();
  // As in each process of LotWatch: what a killed worker had prepared keeps its locks until somebody decides it.
  stopWatching = watchCluster(db.pool, { log: silentLog, onAway: () => {} });
  workers = makePool(db.url, 8, 'race-worker');
  followChosenLayout(workers);
  // A delay between the statements of a search lets other transactions in; the order of the statements is kept.
  const before = new WeakMap<object, Promise<unknown>>();
  interceptPool(workers, (client, statement, send) => {
    const sent = Promise.resolve(before.get(client))
      .then(() => sleep(Math.random() * 2))
      .then(() => send(statement));
    before.set(
      client,
      sent.catch(() => {}),
    );
    return sent;
  });
});
afterEach(async () => {
  await stopWatching();
  await workers.end();
  await db.close();
});

/** Searches without pause; a closed connection stands for a dead worker. @returns the number of failures */
async function work(search: (pool: Pool) => Promise<number>, isOver: () => boolean): Promise<string[]> {
  const broken: string[] = [];
  while (!isOver()) {
    const handled = await search(workers).catch((error: Error) => {
      broken.push(error.message);
      return 0;
    });
    if (handled === 0) await sleep(2);
  }
  return broken;
}

/** Slows the writers, since changes that are only searched for at the end don't race. */
async function untilFewWait(): Promise<void> {
  for (;;) {
    const row = await db.row(
      'select (select count(*) from listings_to_match) + (select count(*) from alerts where pending_match) < 8 as few',
    );
    if (row?.few) return;
    await sleep(3);
  }
}

/** Reads the matches of a user by cursor. @returns their cursors */
async function readOn(userId: number, isOver: () => boolean): Promise<string[]> {
  const got: string[] = [];
  for (let after: string | null = null, last = false; ; ) {
    const part = await readMatchLog(db.pool, { userId, alertId: null, first: 50, after });
    got.push(...part.nodes.map(({ cursor }) => cursor));
    after = part.endCursor;
    if (last && !part.hasMore) return got;
    last = isOver();
    if (!part.hasMore) await sleep(25);
  }
}

/** The cursors of the matches that are shown now. */
async function shownTo(userId: number): Promise<string[]> {
  const cursors: string[] = [];
  for (let after: string | undefined, hasMore = true; hasMore; ) {
    const page = await readMatchPage(db.pool, { userId, first: 100, ...(after && { after }) });
    cursors.push(...page.rows.map((row) => encodeCursor(cursorOf(row))));
    after = page.endCursor ?? undefined;
    hasMore = page.hasMore;
  }
  return cursors;
}

async function killWorkers(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(250);
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'race-worker' and datname = current_database() and state <> 'idle'
        order by random() limit 1`,
    );
  }
}

/** Writes of each writer of alerts; two of them and two of listings write concurrently. */
for (const [rounds, tags] of [
  [150, []],
  [300, 'long'],
] as const) {
  it(
    `misses no pair and doubles none while everything changes ${rounds} times at once and workers die`,
    {
      tags: [tags].flat(),
      timeout: onCluster ? 300_000 : 120_000,
    },
    () => race(rounds),
  );
}

async function race(alertRounds: number): Promise<void> {
  const userIds = await insertUsers(db.pool, 2);
  await db.pool.query('update plans set alert_limit = $1 where id = 4', [ALERT_LIMIT]);
  const parts: RaceParts = { db, userIds, random: makeRandom(7) };
  const writers = makeWriters(parts);
  let over = false;
  const isOver = () => over;
  let isJudged = false;
  const readers = userIds.map((userId) => readOn(userId, () => isJudged));
  const background = [
    work((pool) => matchPendingListings(pool, 5), isOver),
    work((pool) => matchPendingListings(pool, 5), isOver),
    work((pool) => matchPendingAlerts(pool, 3), isOver),
    work((pool) => matchPendingAlerts(pool, 3), isOver),
  ];
  const killer = killWorkers(isOver);
  const highest = watchLimits(db.pool, isOver);
  await Promise.all(
    [writers.changeAlert, writers.changeAlert, writers.changeListing, writers.changeListing].map(async (write) => {
      // Listings are written longer, so that no edit of an alert hides the effects of the last ones.
      const rounds = write === writers.changeListing ? alertRounds * 1.5 : alertRounds;
      for (let round = 0; round < rounds; round += 1) {
        await write();
        await untilFewWait();
      }
    }),
  );
  over = true;
  const broken = (await Promise.all(background)).flat();
  await killer;

  while ((await matchPendingListings(db.pool)) > 0);
  while ((await matchPendingAlerts(db.pool)) > 0);
  await untilDone(db.pool, [purgeOrphans('alert_cells'), purgeOrphans('matches'), purgeOrphans('notifications')]);
  isJudged = true;
  for (const [at, reader] of readers.entries()) {
    const got = await reader;
    expect(new Set(got).size).toBe(got.length);
    // By its current cursor: a pair that was hidden and shown again came again.
    const shown = await shownTo(userIds[at] ?? 0);
    expect(shown.length).toBeGreaterThan(alertRounds / 4);
    expect(shown.filter((cursor) => !got.includes(cursor))).toEqual([]);
  }

  expect(broken.length).toBeGreaterThan(2);
  expect(broken.filter((message) => !/terminat|connection error/i.test(message))).toEqual([]);
  expect(writers.unexpected).toEqual([]);
  expect(writers.refused()).toBeGreaterThan(0);
  expect(await highest).toBeLessThanOrEqual(ALERT_LIMIT);
  await expectTruth(alertRounds);
}

async function expectTruth(alertRounds: number): Promise<void> {
  const alerts = await readAlerts();
  const listings = await readListings();
  const expected: string[] = [];
  for (const { id: listingId, ...listing } of listings) {
    for (const { id: alertId, ...alert } of alerts) {
      if (oracleFits(alert, listing)) expected.push(`${listingId}:${alertId}`);
    }
  }
  const rows = await db.rows(
    `select m.listing_id || ':' || m.alert_id as pair
       from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id join listings l on l.id = m.listing_id
      where m.alert_version = a.version and a.is_active and a.expires_at > now() and l.status = 'for_sale'`,
  );
  const found = rows.map(({ pair }) => pair);
  expect(expected.length).toBeGreaterThan(alertRounds / 2);
  expect(found.sort()).toEqual(expected.sort());
  const doubled = await db.pool.query(
    `select alert_id, listing_id from notifications where kind = 'match' group by 1, 2 having count(*) > 1`,
  );
  expect(doubled.rows).toEqual([]);
  const hidden = await db.pool.query('select from matches where alert_version = 0');
  expect(hidden.rowCount).toBeGreaterThan(alertRounds / 15);
  const strayCells = await db.pool.query(
    `select from alert_cells c left join alerts a on a.id = c.alert_id and a.user_id = c.user_id
      where a.id is null or not a.is_active or a.version <> c.alert_version`,
  );
  expect(strayCells.rowCount).toBe(0);
}

async function readAlerts(): Promise<(TestAlert & { id: number })[]> {
  return db.rows(
    `select id, make, model, year_min as "yearMin", year_max as "yearMax", price_min as "priceMin",
            price_max as "priceMax", color, only_with_images as "onlyWithImages", lat, lng, radius
       from alerts where is_active and expires_at > now()`,
  );
}

async function readListings(): Promise<(TestListing & { id: number })[]> {
  return db.rows(
    `select id, make, model, year, price, color, image_url as "imageUrl", lat, lng
       from listings where status = 'for_sale'`,
  );
}
