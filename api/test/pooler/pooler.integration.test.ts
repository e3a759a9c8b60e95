/** @module-tag plain */
// On a cluster all processes connect past a pooler.
import { join } from 'node:path';
import type { Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gazetteer } from '../../lab/gazetteer.ts';
import { findPgBouncers, startTestPooler, type TestPooler } from '../../lab/pgbouncer.ts';
import { buildWorker, type Worker } from '../../src/app/build-worker.ts';
import { withAdvisoryLock } from '../../src/base/advisory-lock.ts';
import { inTransaction, makePool, type Pool, waitForDatabase } from '../../src/base/database.ts';
import type { PoolerAddress } from '../../src/base/database-address.ts';
import { silentLog } from '../../src/base/log.ts';
import { requirePooler } from '../../src/base/require-pooler.ts';
import { readSettings } from '../../src/base/settings/settings.ts';
import { makeOrm } from '../../src/entities/orm.ts';
import { makeHealth } from '../../src/http/health/health.ts';
import { partitionSteps } from '../../src/jobs/clean-up/partitions.ts';
import type { OutgoingMail } from '../../src/vendors/mail.ts';
import { makeTestDatabase, type TestDatabase, testDatabaseOf } from '../database.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { setUpFolder } from '../set-up.ts';

const TOKEN = 'a-token-of-this-test';
const found = findPgBouncers();
const current = found.find(({ isNewEnough }) => isNewEnough);
const old = found.find(({ isNewEnough }) => !isNewEnough);
if (!current)
  process.stderr.write(
    '!!! NOT TESTED: LotWatch behind a pooler. There is no PgBouncer from 1.21 on in PATH: name one by PGBOUNCER. !!!\n',
  );

const folder = setUpFolder();
let direct: TestDatabase;
let pooler: TestPooler;
let address: PoolerAddress;

const settingsOf = (role: 'api' | 'worker') => ({
  ROLE: role,
  DATABASE_URL: pooler.url,
  DATABASE_DIRECT_URL: direct.url,
  DATA_DIR: join(folder, role),
  SESSION_SECRET: 'a secret of at least 32 characters, for tests',
  INGEST_TOKEN: TOKEN,
  DEMO_MARKETPLACE: 'off',
});

describe.skipIf(!current)('behind PgBouncer', () => {
  beforeAll(async () => {
    if (!current) return;
    direct = await makeTestDatabase();
    pooler = await startTestPooler(current, join(folder, 'pooler'), direct.url);
    address = { pooler: pooler.url };
  }, 60_000);
  afterAll(async () => {
    await pooler?.stop();
    await direct?.close();
  });

  describe('an api and two workers', () => {
    let api: TestApi;
    let db: TestDatabase;
    const workers: Worker[] = [];
    const mails: OutgoingMail[] = [];
    /** Everything that a worker logged as a warning or an error. */
    const problems: unknown[] = [];
    const log = {
      ...silentLog,
      warn: (...line: unknown[]) => problems.push(line),
      error: (...line: unknown[]) => problems.push(line),
    };
    let socket: Client | undefined;

    beforeAll(async () => {
      await requirePooler(address, direct.url);
      db = testDatabaseOf(pooler.url, makePool(address, 6, 'lotwatch-api'), await makeOrm(address, 4));
      await direct.pool.query(
        `insert into plans (id, name, description, price, alert_limit, is_popular, features)
         values (1, 'Free', '', 0, 1, false, '{}') on conflict do nothing`,
      );
      api = await makeTestApi({ db, env: settingsOf('api') });
      for (let made = 0; made < 2; made += 1) {
        const mailer = {
          send: async (mail: OutgoingMail) => {
            mails.push(mail);
          },
        };
        const settings = readSettings(settingsOf('worker'));
        const worker = await buildWorker(settings, { log, gazetteer, mailer: mailer as never });
        workers.push(worker);
        await worker.start();
      }
    }, 120_000);
    afterAll(async () => {
      await socket?.dispose();
      for (const worker of workers) await worker.close();
      await api?.close();
      await db?.close();
    }, 60_000);

    const push = async (id: string, price: number) => {
      const response = await fetch(`${api.url}/api/ingest/lot`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
        // Each car has other miles, so that no two count as one.
        body: JSON.stringify([
          {
            id,
            title: '2015 Toyota Camry LE',
            price,
            location: { latitude: 34.05, longitude: -118.24 },
            listing_photos: [{ image: { uri: `https://lot.example/${price}.jpg` } }],
            vehicle_odometer_data: { unit: 'MILES', value: 200_000 - (price - 9_000) * 900 },
            url: `https://lot.example/${id}`,
          },
        ]),
      });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"accepted":1')]);
    };

    it('serve a buyer from the sign-up to the live match and the mail, each once', async () => {
      const { browser } = await api.user('ana');
      await browser.createAlert();
      socket = browser.socket();
      const { data: page } = await browser.gql('{ matches(first: 1) { liveCursor } }');
      const cursor = page.matches.liveCursor;
      const failures: unknown[] = [];
      const events: { data?: { matchAdded?: { match: { listing: { price: number } } } } | null }[] = [];
      socket.subscribe(
        {
          query: 'subscription ($after: String) { matchAdded(after: $after) { match { listing { price } } } }',
          variables: { after: cursor },
        },
        {
          next: (event) => void events.push(event as never),
          error: (error) => failures.push(error),
          complete: () => {},
        },
      );
      const prices = Array.from({ length: 12 }, (_, at) => 9_000 + at);
      for (const price of prices) await push(`car-${price}`, price);
      const live = () => events.map(({ data }) => data?.matchAdded?.match.listing.price).toSorted();
      await expect
        .poll(async () => [(await direct.row('select count(*)::int4 as n from matches')).n, problems], {
          timeout: 20_000,
        })
        .toEqual([prices.length, []]);
      await expect.poll(() => [live(), failures], { timeout: 20_000 }).toEqual([prices, []]);
      await expect.poll(() => mails.some(({ subject }) => /Camry/.test(subject)), { timeout: 20_000 }).toBe(true);
      const { data } = await browser.gql('{ matches(first: 20) { nodes { listing { price } } } }');
      expect(data.matches.nodes.map((node: { listing: { price: number } }) => node.listing.price).toSorted()).toEqual(
        prices,
      );
      const sent = await direct.rows("select id from mails where kind = 'match' and status = 'sent'");
      expect(mails.filter(({ subject }) => /Camry/.test(subject))).toHaveLength(sent.length);
    }, 90_000);

    it('share few sessions of the server, and have one past the pooler for each listener', async () => {
      const names = await direct.rows(
        `select application_name as name, count(*)::int4 as n from pg_stat_activity
          where datname = current_database() and application_name = 'lotwatch-listener' group by 1`,
      );
      expect(names).toEqual([{ name: 'lotwatch-listener', n: 3 }]);
    });
  });

  describe('a pool', () => {
    let pool: Pool;
    beforeAll(() => {
      pool = makePool(address, 4);
    });
    afterAll(() => pool?.end());

    it('prepares a statement again whose columns a migration has changed', async () => {
      await direct.pool.query('create table if not exists notes (n int4); insert into notes values (1)');
      const read = () =>
        inTransaction(pool, async (client) => {
          const { rows } = await client.query({ name: 'pooled-notes', text: 'select * from notes' });
          return rows;
        });
      await Promise.all(Array.from({ length: 8 }, read));
      await direct.pool.query('alter table notes add text text');
      await expect(read()).rejects.toThrow('cached plan must not change result type');
      expect(await Promise.all(Array.from({ length: 8 }, read))).toEqual(
        Array.from({ length: 8 }, () => [{ n: 1, text: null }]),
      );
    });

    it('holds an advisory lock for a transaction, whose statements go elsewhere', async () => {
      const order: string[] = [];
      const locked = (name: string) =>
        withAdvisoryLock(pool, 99, async () => {
          order.push(`${name} begins`);
          await pool.query('select pg_sleep(0.05)');
          order.push(`${name} ends`);
        });
      await Promise.all([locked('one'), locked('one')]);
      expect(order).toEqual(['one begins', 'one ends', 'one begins', 'one ends']);
    });

    it('runs statements about partitions that take minutes', async () => {
      const warned: unknown[] = [];
      const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
      const step = partitionSteps.find(({ name }) => name === 'notifications-statistics');
      const parts = { keptDays: { matches: 400, messages: 400 }, pool, database: address, log };
      const analyzed = async () =>
        (await direct.row("select analyze_count::int4 as n from pg_stat_user_tables where relname = 'notifications'"))
          .n;
      const before = await analyzed();
      await inTransaction(pool, async (client) => step?.run(client, { after: null, rows: 1 }, parts));
      await expect.poll(async () => [(await analyzed()) > before, warned]).toEqual([true, []]);
    });

    it('has the limits that a process of its own would ask for', async () => {
      const { rows } = await pool.query(
        `select current_setting('idle_in_transaction_session_timeout') as idle, current_setting('statement_timeout') as statement`,
      );
      expect(rows).toEqual([{ idle: '15s', statement: '119s' }]);
    });
  });

  it('is refused at the start where something is missing, and says what', async () => {
    await expect(waitForDatabase(pooler.url, silentLog)).rejects.toThrow(/set DATABASE_DIRECT_URL/);
    await expect(requirePooler(address, pooler.url)).rejects.toThrow(/DATABASE_DIRECT_URL leads to a pooler/);
    const other = direct.url.replace(/[^/]+$/, 'postgres');
    await expect(requirePooler(address, other)).rejects.toThrow(/different/);
    if (!current) return;
    const bare = await startTestPooler(current, join(folder, 'bare'), direct.url, { connectQuery: false });
    await expect(requirePooler({ pooler: bare.url }, direct.url)).rejects.toThrow(
      /idle_in_transaction_session_timeout/,
    );
    await bare.stop();
  }, 60_000);

  it('the health says that the pooler is away, and not the database', async () => {
    if (!current) return;
    const own = await startTestPooler(current, join(folder, 'own'), direct.url);
    const health = makeHealth({ pooler: own.url }, direct.url);
    health.start();
    expect(await health.read()).toBe('ok');
    await own.stop();
    await expect.poll(() => health.read(), { timeout: 15_000 }).toBe('pooler unreachable');
    const { port } = new URL(own.url);
    const again = await startTestPooler(current, join(folder, 'own'), direct.url, { port: Number(port) });
    await expect.poll(() => health.read(), { timeout: 15_000 }).toBe('ok');
    await health.close();
    await again.stop();
  }, 60_000);
});

it.each([...(old ? [old] : []), ...(current ? [current] : [])])(
  'PgBouncer $version is refused at the start where it keeps no named statements',
  async (bouncer) => {
    const db = await makeTestDatabase();
    const own = await startTestPooler(bouncer, join(folder, bouncer.version), db.url, { keepsNames: false });
    await expect(requirePooler({ pooler: own.url }, db.url)).rejects.toThrow(/from 1\.21 on/);
    await own.stop();
    await db.close();
  },
  60_000,
);
