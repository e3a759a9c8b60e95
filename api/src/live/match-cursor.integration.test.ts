import { afterAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { type Listener, startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { decodeCursor, encodeCursor } from './match-cursor.ts';
import { type MatchFeed, startMatchFeed } from './match-feed.ts';
import { readMatchPage } from './read-matches.ts';
import { readMatchLog } from './read-subscribers.ts';

let listener: Listener;
let feed: MatchFeed;
const owner = 1;

const db = setUpDatabase(async () => {
  listener = await startListener(db.url, silentLog);
  feed = await startMatchFeed(db.pool, listener, silentLog);
  await db.pool.query(
    "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}')",
  );
  await db.pool.query("insert into users (username, password_hash) values ('ana', '')");
  await db.pool.query(
    "insert into alerts (user_id, make, location, place, lat, lng, radius) values (1, 'kia', '', '', 0, 0, 50)",
  );
  await db.pool.query(
    'insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced) values (1, 1, 1, 1, 3, true)',
  );
});
afterAll(async () => {
  await feed.close();
  await listener.close();
});

it('refuses an invalid cursor', async () => {
  await expect(readMatchPage(db.pool, { userId: owner, first: 1, after: 'x; drop table' })).rejects.toMatchObject({
    code: 'VALIDATION',
  });
});

it('refuses a cursor that is not from this server’s history', async () => {
  const { liveCursor } = await readMatchPage(db.pool, { userId: owner, first: 1 });
  const known = decodeCursor(liveCursor);
  const ahead = String(BigInt(known.position) + 1_000_000n);
  const foreign = [
    { ...known, position: ahead },
    { ...known, nonce: ((known.nonce ?? 0) + 1) % 2_000_000_000 },
    { ...known, nonce: null },
    { ...known, position: String(BigInt(known.position) + 2n ** 42n) },
  ];
  for (const cursor of foreign) {
    const after = encodeCursor(cursor);
    const refused = { code: 'CONFLICT' };
    await expect(readMatchPage(db.pool, { userId: owner, first: 1, after })).rejects.toMatchObject(refused);
    await expect(readMatchLog(db.pool, { userId: owner, alertId: null, first: 1, after })).rejects.toMatchObject(
      refused,
    );
    const live = feed.subscribe({ userId: owner, after })[Symbol.asyncIterator]();
    await expect(live.next()).rejects.toMatchObject(refused);
  }
  // A cursor without an epoch.
  const old = encodeCursor({ position: '700', nonce: null, listingId: 1, alertId: 1 });
  expect((await readMatchPage(db.pool, { userId: owner, first: 1, after: old })).rows).toEqual([]);
});
