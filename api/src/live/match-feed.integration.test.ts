import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { insertMatchesOf, untilMatchesVisible } from '../../test/factories.ts';
import { makePool, type Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type Listener, startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { type FeedEvent, type MatchFeed, startMatchFeed } from './match-feed.ts';
import { readMatchPage } from './read-matches.ts';

let listener: Listener;
let feed: MatchFeed;
let nextListing = 1;
const owner = 1;
/** So long that a test fails when only the poll finds a match. */
const POLL_MS = 90_000;
const BEFORE_THE_POLL_MS = POLL_MS / 2;

const db = setUpDatabase(async () => {
  await db.pool.query(
    "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}')",
  );
  await db.pool.query("insert into users (username, password_hash) values ('ana', ''), ('bo', '')");
  for (const user of [1, 1, 2]) {
    await db.pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius) values ($1, 'kia', '', '', 0, 0, 50)`,
      [user],
    );
  }
});
beforeEach(async () => {
  // Transactions of other tests on the server would delay the matches of the test before.
  await untilMatchesVisible(db.pool);
  listener = await startListener(db.url, silentLog);
  feed = await startMatchFeed(db.pool, listener, silentLog, { pollMs: POLL_MS });
});
afterEach(async () => {
  await feed.close();
  await listener.close();
});

async function insertMatch(on: Queryable, alertId: number, notify = true): Promise<number> {
  const listingId = nextListing++;
  await insertMatchesOf(on, [listingId], [alertId], { notify });
  return listingId;
}

/** Inserts a match in a transaction, and leaves it open. */
async function beginInsert(alertId: number) {
  const client = await db.pool.connect();
  await client.query('begin');
  const listingId = await insertMatch(client, alertId);
  const commit = async () => {
    await client.query('commit');
    client.release();
  };
  return { listingId, commit };
}

async function take(events: AsyncIterator<FeedEvent>, count: number): Promise<FeedEvent[]> {
  const taken: FeedEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const start = (options: { after?: string; alertId?: number } = {}) =>
  feed.subscribe({ userId: owner, ...options })[Symbol.asyncIterator]();

/** Subscribes with a cursor of now, since without one the feed starts at its first read, whose time is not known. */
const startHere = async () => start({ after: (await readMatchPage(db.pool, { userId: owner, first: 1 })).liveCursor });

/** Cursors of now: those of a user are of the server that has the user's rows. */
async function cursorsOf(followers: readonly { user: number }[]): Promise<Map<number, string>> {
  const read = async ({ user }: { user: number }): Promise<[number, string]> => [
    user,
    (await readMatchPage(db.pool, { userId: user, first: 1 })).liveCursor,
  ];
  return new Map(await Promise.all(followers.map(read)));
}

it('starts with later matches when there is no cursor', async () => {
  const before = await insertMatch(db.pool, 1);
  await untilMatchesVisible(db.pool);
  const events = start();
  const first = events.next();
  let hasEvent = false;
  void first.then(() => {
    hasEvent = true;
  });
  const later: number[] = [];
  await expect
    .poll(async () => {
      later.push(await insertMatch(db.pool, 1));
      return hasEvent;
    })
    .toBe(true);
  const { listingId } = (await first).value.row;
  expect(later).toContain(listingId);
  expect(listingId).not.toBe(before);
  await events.return?.();
});

it('delivers only the subscriber’s own matches, each once and in order', async () => {
  const events = await startHere();
  const first = events.next();
  await insertMatch(db.pool, 3);
  const expected = [await insertMatch(db.pool, 1), await insertMatch(db.pool, 2), await insertMatch(db.pool, 1)];
  const { value } = await first;
  const rest = await take(events, 2);
  expect([value.row.listingId, ...rest.map((event) => event.row.listingId)]).toEqual(expected);
  await events.return?.();
});

it('never skips a row that commits two seconds late, before or after a cursor was returned', async () => {
  const { liveCursor } = await readMatchPage(db.pool, { userId: owner, first: 10 });
  const late = await beginInsert(1);
  const early = await insertMatch(db.pool, 1);
  const page = await readMatchPage(db.pool, { userId: owner, first: 100 });
  const events = start({ after: page.liveCursor });
  const taking = take(events, 2);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await late.commit();
  const seen = (await taking).map((event) => event.row.listingId);
  expect(seen).toEqual([late.listingId, early]);
  expect(page.rows.map((row) => row.listingId)).not.toContain(early);
  await events.return?.();

  const fromBefore = start({ after: liveCursor });
  expect((await take(fromBefore, 2)).map((event) => event.row.listingId)).toEqual([late.listingId, early]);
  await fromBefore.return?.();
});

it(
  'soon delivers what an older transaction held back while the subscription began',
  async () => {
    const { liveCursor } = await readMatchPage(db.pool, { userId: owner, first: 1 });
    const holder = await db.pool.connect();
    await holder.query('begin; select pg_current_xact_id()');
    const listingId = await insertMatch(db.pool, 1, false);
    const events = start({ after: liveCursor });
    const first = events.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await holder.query('commit');
    holder.release();
    expect((await first).value.row.listingId).toBe(listingId);
    await events.return?.();
  },
  BEFORE_THE_POLL_MS,
);

it('continues from the last cursor after a break, without gaps or duplicates', async () => {
  const events = await startHere();
  const waiting = events.next();
  await insertMatch(db.pool, 1);
  const { cursor } = (await waiting).value;
  await events.return?.();
  const missed: number[] = [];
  for (let n = 0; n < 450; n++) missed.push(await insertMatch(db.pool, n % 2 === 0 ? 1 : 2, false));
  await untilMatchesVisible(db.pool);
  const back = start({ after: cursor });
  expect((await take(back, 450)).map((event) => event.row.listingId)).toEqual(missed);
  await back.return?.();
});

it(
  'catches up when the listening connection was cut',
  async () => {
    const events = await startHere();
    const waiting = events.next();
    await db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lotwatch-listener' and datname = current_database()",
    );
    const listingId = await insertMatch(db.pool, 1);
    expect((await waiting).value.row.listingId).toBe(listingId);
    await events.return?.();
  },
  BEFORE_THE_POLL_MS,
);

it(
  'loses and doubles nothing for a crowd whose database connections are cut again and again',
  async () => {
    const writer = makePool(db.url, 2, 'test-writer');
    const { rows } = await writer.query<{ user: number; alert: number }>(
      `with made as (insert into users (username, password_hash) select 'cut' || n, '' from generate_series(1, 60) n returning id)
     insert into alerts (user_id, make, location, place, lat, lng, radius)
     select id, 'kia', '', '', 0, 0, 50 from made returning user_id as user, id as alert`,
    );
    const cursors = await cursorsOf(rows);
    const followers = rows.map(({ user }) =>
      feed.subscribe({ userId: user, after: cursors.get(user) })[Symbol.asyncIterator](),
    );
    const expected: number[] = [];
    const taking = followers.map((events) => take(events, 30));
    for (let round = 0; round < 30; round += 1) {
      const listingId = nextListing++;
      expected.push(listingId);
      await insertMatchesOf(
        writer,
        [listingId],
        rows.map(({ alert }) => alert),
      );
      if (round % 5 === 2) {
        await writer.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'test-writer'",
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    for (const taken of await Promise.all(taking)) expect(taken.map(({ row }) => row.listingId)).toEqual(expected);
    for (const events of followers) {
      const more = events.next();
      await events.return?.();
      expect((await more).done).toBe(true);
    }
    await writer.end();
  },
  BEFORE_THE_POLL_MS,
);

it('ends at once when the consumer unsubscribes during idle time', async () => {
  const events = start();
  const waiting = events.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await events.return?.();
  expect((await waiting).done).toBe(true);
});

it('limits the subscribers, and accepts another when one has unsubscribed', async () => {
  const narrow = await startMatchFeed(db.pool, listener, silentLog, { maxSubscribers: 2 });
  const follow = () => narrow.subscribe({ userId: owner })[Symbol.asyncIterator]();
  const [first, second] = [follow(), follow()];
  const waiting = [first.next(), second.next()];
  await expect.poll(() => refusal(follow)).toBe('RATE_LIMITED');
  await first.return?.();
  await expect.poll(() => refusal(follow)).toBeUndefined();
  await second.return?.();
  await Promise.all(waiting);
  await narrow.close();
});

function refusal(follow: () => unknown): unknown {
  try {
    follow();
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

it('delivers one listing to hundreds of subscribers, each once', async () => {
  const rows = await db.rows(
    `with made as (insert into users (username, password_hash) select 'crowd' || n, '' from generate_series(1, 600) n returning id)
     insert into alerts (user_id, make, location, place, lat, lng, radius)
     select id, 'kia', '', '', 0, 0, 50 from made returning user_id as user, id as alert`,
  );
  const cursors = await cursorsOf(rows);
  const seen: number[] = [];
  const listingId = nextListing++;
  const all = rows.map(async ({ user, alert }) => {
    const events = feed.subscribe({ userId: user, after: cursors.get(user) })[Symbol.asyncIterator]();
    const { value } = await events.next();
    if (value.row.alertId === alert && value.row.listingId === listingId) seen.push(alert);
    const more = events.next().then(({ done }) => !done && seen.push(-1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await events.return?.();
    await more;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const alerts = rows.map(({ alert }) => alert);
  await insertMatchesOf(db.pool, [listingId], alerts);
  await Promise.all(all);
  const ascending = (one: number, other: number) => one - other;
  expect(seen.toSorted(ascending)).toEqual(alerts.toSorted(ascending));
});

it('pages backwards through everything exactly once', async () => {
  const all: number[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await readMatchPage(db.pool, { userId: owner, first: 37, after });
    all.push(...page.rows.map((row) => row.listingId));
    if (!page.hasMore || page.endCursor === null) break;
    after = page.endCursor;
  }
  const rows = await db.rows(
    'select listing_id as id from matches where alert_id in (1, 2) order by position desc, listing_id desc',
  );
  expect(all).toEqual(rows.map((row) => row.id));
});
