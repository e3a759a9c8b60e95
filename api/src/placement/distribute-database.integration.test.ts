import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { databaseOf, dropOnCluster, makeOnCluster, onServer } from '../../lab/cluster-database.ts';
import { onCluster, openDatabase, type TestDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { emailParts, recordingMailer, sendDueMails } from '../../test/mail/mail-fixtures.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { differingShards } from '../../test/schema/schemas-of-shards.ts';
import { testNamesOf } from '../../test/servers/test-names.ts';
import {
  deliverAll,
  LOCAL_WEBHOOKS,
  type MadeWebhook,
  makeDealer,
  makeTestEngine,
  makeWebhook,
  matchAndMakeEvents,
} from '../../test/webhooks/dealer.ts';
import { inTransaction, makePool } from '../base/database.ts';
import { prepareDatabase } from '../launcher/postgres/prepare-database.ts';
import { acceptServer } from '../notify/restored/running-server.ts';
import { distributeDatabase } from './distribute-database.ts';
import { byUser, copied } from './table-places.ts';

const DEALERS = 7;

// These need CITUS_URL, the address of a coordinator. The run says so where there is none.
describe.skipIf(!onCluster)('a database with users on one server', () => {
  const name = `${testNamesOf(inject('template'))}_${randomBytes(6).toString('hex')}`;
  let db: TestDatabase;
  let api: TestApi;
  let receiver: MadeWebhook['receiver'];
  afterAll(async () => {
    receiver.close();
    await api.close();
    await db.close();
    await dropOnCluster({ serverUrls: inject('serverUrls') }, [name]);
  });

  /** All rows as texts, in one order. */
  async function read(): Promise<Record<string, string[]>> {
    const rows: Record<string, string[]> = {};
    for (const table of [...byUser, ...copied])
      rows[table] = (await db.rows(`select to_jsonb(t)::text as row from ${table} t`)).map(({ row }) => row).sort();
    return rows;
  }

  const list = async (...names: string[]) => {
    await storePage(
      db.pool,
      'lot',
      names.map((externalId) => buildFacts({ externalId, title: `2018 Toyota Camry ${externalId}`, price: 15_000 })),
    );
    await matchAndMakeEvents({ ...api, db });
  };

  async function send(): Promise<string[]> {
    const mailer = recordingMailer();
    await db.rows('update alerts set last_mailed_at = null');
    await db.rows(
      "update notifications set due_at = now(), created_at = now() - interval '3 seconds' where status = 'waiting'",
    );
    await sendDueMails(emailParts(db, mailer, { confirmEmail: false }));
    return mailer.mails
      .flatMap(({ text }) => [...text.matchAll(/Toyota Camry (car-\w+)/g)].map(([, car = '']) => car))
      .sort();
  }

  it('is distributed with all rows, and goes on', { timeout: 180_000 }, async () => {
    const cluster = process.env.CITUS_URL ?? '';
    const url = databaseOf(cluster, name);
    // As whoever has one server: the extension comes after the tables.
    await onServer(databaseOf(cluster, 'postgres'), (query) => query(`create database ${name}`));
    await prepareDatabase(url, 'password-of-the-tests');
    db = await openDatabase(url);
    await inTransaction(db.pool, acceptServer);
    api = await makeTestApi({ db, env: LOCAL_WEBHOOKS });
    for (let at = 0; at < DEALERS; at += 1) {
      const dealer = await makeDealer(api);
      if (at === 0) ({ receiver } = await makeWebhook(dealer, ['match.created']));
      await db.rows('update users set email_confirmed_at = now() where id = $1', [dealer.id]);
    }
    await list('car-sent');
    await send();
    const bound = await db.row('select max(id) + 1 as id from listings');
    for (const table of ['matches', 'notifications']) {
      await db.rows('select prepare_bound($1, $2)', [table, bound.id]);
      await db.rows('select bound_last_partition($1, $2)', [table, bound.id]);
    }
    await list('car-waits', 'car-too');
    const before = await read();
    const positions = await db.row('select max(position) as last from matches');
    const events = await db.row('select max(id) as last from webhook_events');
    expect([before.matches?.length, before.notifications?.length]).toEqual([3 * DEALERS, 3 * DEALERS]);
    await api.close();
    await db.close();

    await makeOnCluster(cluster, name);
    const pool = makePool(url, 2, 'lotwatch-shards');
    const user = makePool(url, 1, 'lotwatch-api');
    await user.query('select 1');
    await expect(distributeDatabase(pool, () => {})).rejects.toMatchObject({ code: 'CITUS_REFUSED' });
    await user.end();
    const told: string[] = [];
    const sayUntil = (last: string) => (line: string) => {
      if (line === last) throw new Error('killed');
      told.push(line);
    };
    await expect(distributeDatabase(pool, sayUntil('mails is distributed.'))).rejects.toThrow('killed');
    expect(told).toContain('alerts is distributed.');
    expect((await pool.query('select from pg_dist_partition')).rowCount).toBe(0);
    await expect(distributeDatabase(pool, sayUntil('mails is analyzed.'))).rejects.toThrow('killed');
    await distributeDatabase(pool, sayUntil(''));
    for (const table of [...byUser, ...copied]) {
      const left = await pool.query('select pg_relation_size($1::regclass)::int4 as bytes', [table]);
      expect([table, left.rows[0].bytes]).toEqual([table, 0]);
    }
    await pool.end();
    await prepareDatabase(url, undefined);

    db = await openDatabase(url);
    api = await makeTestApi({ db, env: LOCAL_WEBHOOKS });
    expect(await read()).toEqual(before);
    expect(await differingShards(db.pool)).toEqual([]);
    await list('car-new');
    expect(await db.row('select count(*)::int4 as new from matches where position > $1', [positions.last])).toEqual({
      new: DEALERS,
    });
    expect(await db.row('select count(*)::int4 as new from webhook_events where id > $1', [events.last])).toEqual({
      new: 1,
    });
    expect(await send()).toEqual(
      ['car-new', 'car-too', 'car-waits'].flatMap((car) => Array.from({ length: DEALERS }, () => car)),
    );
    await deliverAll(makeTestEngine({ ...api, db }));
    expect(receiver.seen).toHaveLength(4);
  });
});
