/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAdmin } from '../../src/accounts/seed-admin.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { openDatabase, type TestDatabase } from '../database.ts';
import { ADMIN_PASSWORD, makeTestApi, type TestApi } from '../make-app.ts';
import { LOCAL_WEBHOOKS } from '../webhooks/dealer.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { liveByCursor, liveSubscription, pageThenLive } from './readers.ts';
import { type Car, makeReadingWorld, type ReadingWorld } from './reading-world.ts';

let server: OwnServer;
let db: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  server = await startOwnServer();
  db = await openDatabase(server.url);
  await seedPlans(db.pool);
  await seedAdmin(db.pool, ADMIN_PASSWORD);
  api = await makeTestApi({ db, env: LOCAL_WEBHOOKS });
}, 120_000);
afterAll(async () => {
  await api.close();
  await db.close();
  await server.stop();
});

/** Uses up transaction ids, as a server that has run for long: the ids of a new cluster are lower. */
const consumeTransactionIds = () =>
  db.pool.query('do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$');

/** A way to replace the server by another one, or to restart it. */
interface Change {
  name: string;
  /** Rows written after the backup are lost. */
  isLossy: boolean;
  /** Left to all tests, as another change does the same to the rows. */
  isLong?: true;
  /** Makes a backup if one is needed, runs the last work on the old server, and replaces it. */
  make(server: OwnServer, last: () => Promise<void>): Promise<void>;
}

const changes: Change[] = [
  {
    name: 'a dump is restored into a new cluster',
    isLossy: true,
    async make({ dump, replaceBy }, last) {
      const backup = await dump();
      await last();
      await replaceBy(backup, false);
    },
  },
  {
    name: 'a standby that lacks the last commits is promoted',
    isLossy: true,
    async make({ backUp, replaceBy }, last) {
      const backup = await backUp();
      await last();
      await replaceBy(backup, true);
    },
  },
  {
    name: 'a snapshot of the disk is restored',
    isLossy: true,
    isLong: true,
    async make({ backUp, replaceBy }, last) {
      const backup = await backUp();
      await last();
      await replaceBy(backup, false);
    },
  },
  {
    name: 'the server is killed and recovers',
    isLossy: false,
    async make({ crash }, last) {
      await last();
      await crash();
    },
  },
  {
    name: 'a process of the server is killed, and it recovers',
    isLossy: false,
    isLong: true,
    async make({ crashConnection }, last) {
      await last();
      await crashConnection();
    },
  },
  {
    name: 'the server is stopped and started',
    isLossy: false,
    isLong: true,
    async make({ restart }, last) {
      await last();
      await restart();
    },
  },
];
const [dumped, promoted] = changes as [Change, Change];

const open = 'matchAdded that stays open';
const byCursor = [
  'matchAdded from the last cursor',
  'matchAdded from the liveCursor of the last page',
  'matchLog',
  'GET /api/matches/export',
  'a webhook',
];

async function withWorld(act: (world: ReadingWorld) => Promise<void>): Promise<void> {
  await consumeTransactionIds();
  const world = await makeReadingWorld(api);
  await act(world);
  await world.end();
  // Otherwise the cars would match the next dealer's alert.
  await db.pool.query("update listings set status = 'gone'");
}

async function listed(world: ReadingWorld, price: number): Promise<Car> {
  const car = await world.list(price);
  await world.matchListings();
  return car;
}

function keepsReading({ name, isLossy, isLong, make }: Change): void {
  describe(`when ${name}`, { tags: isLong ? 'long' : [] }, () => {
    let world: ReadingWorld;
    const cars: Car[] = [];
    let page: number[];
    beforeAll(
      () =>
        withWorld(async (made) => {
          world = made;
          cars.push(await listed(world, 15_000), await listed(world, 16_000));
          await world.catchUp();
          await make(server, async () => {
            cars.push(await listed(world, 17_000));
            await world.catchUp();
          });
          cars.push(await listed(world, 18_000), await listed(world, 19_000));
          await world.catchUp();
          page = await world.page();
        }),
      120_000,
    );
    const ids = () => cars.map(({ id }) => id);

    it.each([...byCursor, open])('%s receives each new match once', (name) =>
      expect(world.got.get(name)).toEqual(ids()),
    );

    it('the page shows all existing matches, newest first', () => {
      const there = isLossy ? ids().filter((_, at) => at !== 2) : ids();
      expect(page).toEqual(there.toReversed());
    });
  });
}
changes.forEach(keepsReading);

describe.each([dumped, promoted])('when $name while readers are behind', ({ make }) => {
  let world: ReadingWorld;
  let before: Car;
  let lost: Car;
  let after: Car;
  beforeAll(
    () =>
      withWorld(async (made) => {
        world = made;
        before = await listed(world, 15_000);
        await make(server, async () => {
          lost = await listed(world, 17_000);
          await world.untilSeenLive(lost);
        });
        after = await listed(world, 18_000);
        await world.catchUp();
      }),
    120_000,
  );

  it.each(byCursor)('%s receives each existing match once', (name) =>
    expect(world.got.get(name)).toEqual([before.id, after.id]),
  );

  it(`${open} received the lost match, too`, () => expect(world.got.get(open)).toEqual([before.id, lost.id, after.id]));
});

describe('when a server is lost that had begun an epoch after the backup', () => {
  const refusals = new Map<string, string>();
  const afterReload = new Map<string, number[]>();
  let seen: Car;
  let next: Car;
  let page: number[];
  beforeAll(
    () =>
      withWorld(async (world) => {
        seen = await listed(world, 15_000);
        await world.catchUp();
        const backup = await server.backUp();
        await server.restart();
        await listed(world, 17_000);
        await world.catchUp();
        await server.replaceBy(backup, true);
        next = await listed(world, 18_000);
        for (const reader of world.readers) {
          const refused = reader.read(world.place, next.id).then(
            () => 'nothing',
            (error: Error) => error.message,
          );
          refusals.set(reader.name, await refused);
        }
        page = await world.page();
        const restarted = [liveByCursor(), liveSubscription(), pageThenLive()];
        for (const reader of restarted) await reader.begin(world.place);
        const last = await listed(world, 19_000);
        for (const reader of restarted) afterReload.set(reader.name, await reader.read(world.place, last.id));
        for (const reader of restarted) await reader.end();
      }),
    120_000,
  );

  it.each([...byCursor.slice(0, -1), open])('%s is refused its cursor', (name) =>
    expect(refusals.get(name)).toMatch(/^CONFLICT/),
  );

  it('a webhook receives the new match', () => expect(refusals.get('a webhook')).toBe('nothing'));

  it('the page shows all existing matches, and readers that start from it receive the next ones', () => {
    expect(page).toEqual([next.id, seen.id]);
    for (const got of afterReload.values()) expect(got).toEqual([]);
    expect(afterReload.size).toBe(3);
  });
});
