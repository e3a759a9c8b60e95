import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createOnServers } from '../../lab/server-triggers.ts';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { otherServer, shardOf } from '../../test/shards-of-users.ts';
import { makePool, type Pool } from '../base/database.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import { addServer } from './add-server.ts';
import { countInDoubt } from './decide-doubts.ts';
import { moveShard, type Transfer } from './move-shard.ts';
import { nameOf, readServers } from './servers.ts';
import { prepareChanges, queryShards } from './shards.ts';
import { watchServers } from './watch-servers.ts';

const USERS = 12;

// These need CITUS_URL, the address of a coordinator. The run says so where there is none.
describe.skipIf(!onCluster)('where servers have prepared transactions', () => {
  let users: number[];
  const db = setUpDatabase(async () => {
    users = await insertUsers(db.pool, USERS);
    for (const user of users) await insertAlerts(db.pool, user, [camryAlert]);
  });

  const radiusOf = async (user: number) =>
    (await db.row('select radius from alerts where user_id = $1', [user])).radius as number;

  /** Works on the server that has the user's rows. */
  async function where<T>(user: number, work: (there: Pool, alerts: string) => Promise<T>): Promise<T> {
    const { id, host, port } = await shardOf(db, user);
    const there = makePool(Object.assign(new URL(db.url), { hostname: host, port: String(port) }).href, 1);
    try {
      return await work(there, `alerts_${id}`);
    } finally {
      await there.end();
    }
  }
  const prepare = (user: number, name: string) =>
    where(user, async (there, alerts) => {
      const client = await there.connect();
      await client.query('begin');
      await client.query(`update ${alerts} set radius = 77 where user_id = ${user}`);
      await client.query(`prepare transaction '${name}'`);
      client.release();
    });

  it.each<[Transfer, number]>([
    ['block_writes', 0],
    ['force_logical', 1],
  ])('a move with %s takes along what the source has only prepared', { timeout: 60_000 }, async (transfer, at) => {
    const user = users[at] ?? 0;
    const target = nameOf(await otherServer(db, user));
    // A server has one list of them for all databases.
    const gid = `late ${randomUUID()}`;
    await prepare(user, gid);
    let isOver = false;
    const moving = moveShard(db.pool, { user }, target, { transfer }).finally(() => {
      isOver = true;
    });
    const waits =
      "select count(*)::int4 as count from pg_locks where locktype = 'advisory' and not granted and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())";
    const slots = 'select count(*)::int4 as count from pg_replication_slots where confirmed_flush_lsn is null';
    await where(user, async (there) => {
      try {
        await expect
          .poll(async () => (await there.query(transfer === 'block_writes' ? waits : slots)).rows[0].count, {
            timeout: 20_000,
          })
          .toBeGreaterThan(0);
        expect(isOver).toBe(false);
      } finally {
        await there.query(`commit prepared '${gid}'`);
      }
    });
    await moving;
    expect(nameOf(await shardOf(db, user))).toBe(target);
    expect(await radiusOf(user)).toBe(77);
  });

  it('a statement on shards writes to the new server where its shard is moved meanwhile', {
    timeout: 60_000,
  }, async () => {
    const user = users[2] ?? 0;
    const target = nameOf(await otherServer(db, user));
    let moving: Promise<void> | undefined;
    let isWaited = false;
    await inRetriedTransaction(db.pool, async (client) => {
      await queryShards(
        client,
        { name: 'double-radius', text: 'update alerts set radius = 2 * radius where user_id = $1', values: [user] },
        { users: ([id]) => [Number(id)] },
      );
      moving ??= moveShard(db.pool, { user }, target, { transfer: 'block_writes' });
      if (!isWaited) {
        const waits =
          "select count(*)::int4 as count from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
        await where(user, (there) =>
          expect.poll(async () => (await there.query(waits)).rows[0].count, { timeout: 20_000 }).toBeGreaterThan(0),
        );
        isWaited = true;
      }
      await prepareChanges(client, [user]);
    });
    await moving;
    expect(nameOf(await shardOf(db, user))).toBe(target);
    expect(await radiusOf(user)).toBe(2 * camryAlert.radius);
  });

  it('what is in doubt is decided within a look at the servers', async () => {
    const user = users[3] ?? 0;
    await prepare(user, 'citus_0_1_999999999_1');
    expect(await countInDoubt(db.pool)).toBe(1);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const stop = watchServers(db.pool, { log, onAway: () => {}, checkMs: 20 });
    try {
      await expect.poll(() => countInDoubt(db.pool), { timeout: 10_000 }).toBe(0);
    } finally {
      await stop();
    }
    // The coordinator knows of no commit.
    expect(await radiusOf(user)).toBe(camryAlert.radius);
  });

  it('a commit on one server alone says that it may have been done where its connection to that server is lost', async () => {
    const user = users[4] ?? 0;
    await db.pool.query(
      'create function wait_at_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$',
    );
    await createOnServers(db.pool, {
      table: 'alerts',
      text: `create constraint trigger waits after update on %s deferrable initially deferred
               for each row when (new.radius = 78) execute function wait_at_commit()`,
    });
    const written = inRetriedTransaction(db.pool, (client) =>
      client.query('update alerts set radius = 78 where user_id = $1', [user]),
    );
    await Promise.all([
      expect(written).rejects.toMatchObject({ code: '08007' }),
      where(user, (there) =>
        expect
          .poll(async () => {
            const ended = await there.query(
              "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
            );
            return ended.rowCount;
          })
          .toBe(1),
      ),
    ]);
    expect(await radiusOf(user)).toBe(camryAlert.radius);
  });

  it('nothing is moved to a server that lacks copied tables', async () => {
    const user = users[5] ?? 0;
    const target = await otherServer(db, user);
    const ofPlans =
      "from pg_dist_placement where groupid = $1 and shardid = (select shardid from pg_dist_shard where logicalrelid = 'plans'::regclass)";
    const placement = await db.row(`select * ${ofPlans}`, [target.number]);
    await db.pool.query(`delete ${ofPlans}`, [target.number]);
    try {
      await expect(moveShard(db.pool, { user }, nameOf(target))).rejects.toThrow('lacks tables that each server has');
    } finally {
      await db.pool.query(
        'insert into pg_dist_placement select (jsonb_populate_record(null::pg_dist_placement, $1)).*',
        [placement],
      );
    }
    expect((await readServers(db.pool)).every(({ isWhole }) => isWhole)).toBe(true);
  });

  it('a server that is part of the cluster can be added again when there are no numbers left', async () => {
    const [server] = await readServers(db.pool);
    if (!server) throw new Error('no server');
    await db.pool.query("select setval('pg_dist_groupid_seq', 31)");
    await db.pool.query(
      "insert into plans (id, name, description, price, alert_limit, is_popular, features) select 9, '', string_agg(gen_random_uuid()::text, ''), 0, 0, false, '{}' from generate_series(1, 60000)",
    );
    const said: string[] = [];
    await addServer(db.pool, db.url, server.host, server.port, (line) => void said.push(line));
    expect(said.at(-1)).toMatch(/^It is part of the cluster. Copied tables are copied \([2-9]\d{3} kB\)/);
    await expect(addServer(db.pool, db.url, server.host, 1, () => {})).rejects.toMatchObject({ code: 'CITUS_SERVERS' });
  });
});
