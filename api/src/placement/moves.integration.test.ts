import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { otherServer, shardOf } from '../../test/shards-of-users.ts';
import { inTransaction, makePool } from '../base/database.ts';
import { cursorOf } from '../live/read-matches.ts';
import { readNewMatches } from '../live/read-subscribers.ts';
import { moveShard, raiseEpoch } from './move-shard.ts';
import { nameOf, readServers } from './servers.ts';
import { prepareChanges } from './shards.ts';

const USERS = 24;
const BEGINNING = { position: '0', nonce: null, listingId: 0, alertId: 0 };

// These need CITUS_URL, the address of a coordinator. The run says so where there is none.
describe.skipIf(!onCluster)('where shards are moved', () => {
  const db = setUpDatabase(async () => {
    await db.pool.query(
      "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}')",
    );
    await db.pool.query(
      "insert into users (username, password_hash) select 'u' || n, '' from generate_series(1, $1::int) n",
      [USERS],
    );
    await db.pool.query(
      "insert into alerts (user_id, make, location, place, lat, lng, radius) select id, 'kia', '', '', 0, 0, 50 from users",
    );
  });

  let listing = 0;
  /** Writes a match of each of these users' alerts, in one transaction over all of their servers. @param rest before it commits */
  async function writeMatches(
    users: readonly number[],
    rest: () => Promise<unknown> = async () => {},
  ): Promise<number> {
    listing += 1;
    const written = listing;
    await inTransaction(db.pool, async (client) => {
      await client.query(
        `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
         select $1, id, user_id, version, 3, true from alerts where user_id = any ($2)`,
        [written, users],
      );
      await prepareChanges(client);
      await rest();
    });
    return written;
  }

  const everybody = Array.from({ length: USERS }, (_, at) => at + 1);

  /** As an operator does who knows Citus and not LotWatch. */
  async function movePastLotWatch(user: number) {
    const [from, to] = [await shardOf(db, user), await otherServer(db, user)];
    const values = [from.id, from.host, from.port, to.host, to.port];
    await db.pool.query("select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')", values);
    return to;
  }

  it('readers by cursor get each match once, also of transactions that commit late', { timeout: 120_000 }, async () => {
    let isOver = false;
    const written = new Map<number, Set<number>>(everybody.map((user) => [user, new Set()]));
    const write = async (part: number) => {
      while (!isOver) {
        const users = everybody.filter((user) => user % 3 === part);
        try {
          const made = await writeMatches(users, () => sleep(Math.random() * 60));
          for (const user of users) written.get(user)?.add(made);
        } catch (error) {
          // A move ends what writes to the shard in its last moment.
          if (!(error instanceof Error)) throw error;
        }
      }
    };
    const got = new Map<number, number[]>(everybody.map((user) => [user, []]));
    const cursors = new Map(
      everybody.map((user) => [user, BEGINNING as Parameters<typeof readNewMatches>[1][number]['cursor']]),
    );
    const readAll = async (): Promise<number> => {
      const readers = everybody.map((userId) => ({ userId, alertId: null, cursor: cursors.get(userId) ?? BEGINNING }));
      const { lists } = await readNewMatches(db.pool, readers, 40);
      for (const [at, rows] of lists.entries()) {
        const user = everybody[at] ?? 0;
        if (!rows) throw new Error(`the cursor of user ${user} is unknown`);
        got.get(user)?.push(...rows.map(({ listingId }) => listingId));
        const last = rows.at(-1);
        if (last) cursors.set(user, cursorOf(last));
      }
      return lists.flat().length;
    };
    const read = async () => {
      while (!isOver) await readAll();
    };
    const work = [write(0), write(1), write(2), read()];
    try {
      for (const user of [1, 1, 2])
        await moveShard(db.pool, { user }, nameOf(await otherServer(db, user)), { transfer: 'block_writes' });
    } finally {
      isOver = true;
      await Promise.all(work);
    }
    // The last ones are held back while an older transaction is open on their server.
    const { count } = await db.row('select count(*)::int4 as count from matches');
    const readOn = async () => {
      await readAll();
      return [...got.values()].flat().length;
    };
    await expect.poll(readOn, { timeout: 20_000 }).toBe(count);
    expect(await readAll()).toBe(0);
    for (const user of everybody) {
      const stored = await db.rows('select listing_id as id from matches where user_id = $1 order by 1', [user]);
      expect(got.get(user)?.toSorted((one, other) => one - other)).toEqual(stored.map(({ id }) => id));
      expect(stored.length).toBeGreaterThanOrEqual(written.get(user)?.size ?? 0);
    }
    expect(written.get(1)?.size).toBeGreaterThan(5);
  });

  it('a move past LotWatch lets nothing be written until the epoch is raised', { timeout: 60_000 }, async () => {
    // In an epoch that the other servers do not know.
    await raiseEpoch(db.pool, await shardOf(db, 5));
    await writeMatches([5]);
    const server = await movePastLotWatch(5);
    await expect(writeMatches([5])).rejects.toThrow('was moved to this server past LotWatch');
    expect(await shardOf(db, 5)).toMatchObject({ isCounted: false });
    await moveShard(db.pool, { user: 5 }, nameOf(server));
    expect(await shardOf(db, 5)).toMatchObject({ isCounted: true });
    const later = await writeMatches([5]);
    const { rows } = await db.pool.query(
      'select listing_id as id, position >> 42 as epoch, position >> 42 & 31 as server from matches where user_id = 5 order by position desc limit 2',
    );
    expect(rows[0]).toMatchObject({ id: later, server: server.number });
    expect(rows[0].epoch).toBeGreaterThan(rows[1].epoch);
  });

  it('numbers of events grow for a webhook that moves', { timeout: 60_000 }, async () => {
    const add = async () =>
      (
        await db.row(
          "insert into webhook_events (user_id, type, subject, data) values (7, 'test', gen_random_uuid()::text, '{}') returning id",
        )
      ).id as number;
    const numbers = [await add(), await add()];
    for (let move = 0; move < 2; move += 1) {
      await moveShard(db.pool, { user: 7 }, nameOf(await otherServer(db, 7)), { transfer: 'block_writes' });
      numbers.push(await add(), await add());
    }
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(new Set(numbers.map((id) => id % 32)).size).toBe(2);
    expect(Number.isSafeInteger(numbers.at(-1))).toBe(true);
  });

  it('an epoch is raised when those have ended that write in the one before', { timeout: 60_000 }, async () => {
    const server = (await readServers(db.pool)).find((one) => one.epoch !== null);
    if (!server) throw new Error('no server');
    let raised = 0;
    const events: string[] = [];
    await writeMatches(everybody, async () => {
      void raiseEpoch(db.pool, server).then((epoch) => {
        raised = epoch;
        events.push('raised');
      });
      await sleep(300);
      events.push('committed');
    });
    await expect.poll(() => raised, { timeout: 20_000 }).toBeGreaterThan(server.epoch ?? 0);
    expect(events).toEqual(['committed', 'raised']);
  });

  it('what was prepared before a restart of its server is not passed by readers', { timeout: 60_000 }, async () => {
    await writeMatches([9]);
    const { host, port } = await shardOf(db, 9);
    const url = Object.assign(new URL(db.url), { hostname: host, port: String(port) }).href;
    const there = makePool(url, 2);
    const name = `late_${Date.now()}`;
    const shard = (await db.row("select 'matches_' || get_shard_id_for_distribution_column('matches', 9) as name"))
      .name;
    const client = await there.connect();
    await client.query('begin');
    await client.query(
      `insert into ${shard} (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
       select 1000, alert_id, user_id, alert_version, 3, true, null from ${shard} where user_id = 9 limit 1`,
    );
    await client.query(`prepare transaction '${name}'`);
    client.release();
    try {
      // As after a restart: the table is empty where a server recovers.
      await there.query('delete from match_server');
      const { rows } = await there.query(
        'select horizon > (select max(epoch) << 42 from match_epochs) + 4398046000000 as settled from match_bounds()',
      );
      expect(rows).toEqual([{ settled: false }]);
      await expect(writeMatches([9])).rejects.toThrow('are not decided yet');
    } finally {
      await there.query(`commit prepared '${name}'`);
    }
    expect(await writeMatches([9])).toBeGreaterThan(0);
    const { rows } = await there.query(
      `select m.position < b.horizon as final from ${shard} m, match_bounds() b where listing_id = 1000`,
    );
    expect(rows).toEqual([{ final: true }]);
    await there.end();
  });
});
