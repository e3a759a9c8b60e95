import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { insertMatchesOf, untilMatchesVisible } from '../../test/factories.ts';
import { insertUsers } from '../../test/matching/match-rows.ts';
import { type Listener, startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { type MatchFeed, startMatchFeed } from './match-feed.ts';
import { readMatchPage } from './read-matches.ts';

/** More than are read ahead, also by what reads ahead far too much. */
const MATCHES = 1_000;
/** How many of them may be on their way to a page that is slow. */
const READ_AHEAD = 50;

let listener: Listener;
let feed: MatchFeed;
let userId: number;
let alertId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
  const { rows } = await db.pool.query(
    `insert into alerts (user_id, make, location, place, lat, lng, radius) values ($1, 'kia', '', '', 0, 0, 50) returning id`,
    [userId],
  );
  alertId = rows[0].id;
});
beforeAll(async () => {
  listener = await startListener(db.url, silentLog);
  feed = await startMatchFeed(db.pool, listener, silentLog);
});
afterAll(async () => {
  await feed.close();
  await listener.close();
});

async function insertMatches(first: number, last: number): Promise<void> {
  const listings = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  await insertMatchesOf(db.pool, listings, [alertId]);
  await untilMatchesVisible(db.pool);
}

it('sends a slow page few matches that were hidden after they had been read', async () => {
  const { liveCursor } = await readMatchPage(db.pool, { userId, first: 1 });
  await insertMatches(1, MATCHES);
  const events = feed.subscribe({ userId, after: liveCursor })[Symbol.asyncIterator]();
  const next = async (): Promise<number> => Number((await events.next()).value.row.listingId);
  for (let n = 1; n <= 10; n += 1) expect(await next()).toBe(n);
  // Whatever is read ahead while the page is slow has been read by then.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await db.pool.query('update matches set alert_version = 0');
  await insertMatches(MATCHES + 1, MATCHES + 1);
  let hidden = 0;
  while ((await next()) <= MATCHES) hidden += 1;
  expect(hidden).toBeGreaterThan(0);
  expect(hidden).toBeLessThanOrEqual(READ_AHEAD);
  await events.return?.();
});
