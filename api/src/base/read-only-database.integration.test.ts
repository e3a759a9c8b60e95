/** @module-tag long */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { testDatabaseOf } from '../../test/database.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { seedPlans } from '../billing/plans.ts';
import { ELITE_PLAN_ID } from '../domain/plan-list.ts';
import { makeMigratingOrm } from '../entities/migrating-orm.ts';
import { makeOrm, type Orm } from '../entities/orm.ts';
import type { Job } from '../jobs/job.ts';
import { startJobs } from '../jobs/schedule/agenda.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { inTransaction, makePool, type Pool, waitForDatabase } from './database.ts';
import { databaseFault } from './database-fault.ts';
import { freePort } from './free-port.ts';
import { type Listener, startListener } from './listener.ts';
import { silentLog } from './log.ts';

const folder = setUpFolder();
let dir: string;
let server: EmbeddedPostgres;
let pool: Pool;
let orm: Orm;
let api: TestApi;
let browser: Browser;
let listener: Listener;
let jobs: { close(): Promise<void> };

/** Its schedule is too long for this test: it must recover after its failure, or after the listener's reconnect. */
const job: Job = {
  name: 'write',
  everyMs: 600_000,
  wakeUp: { channel: 'lotwatch_work', payload: 'match' },
  async run() {
    await pool.query('insert into written default values');
    return undefined;
  },
};
const start = (port: number) =>
  startEmbeddedPostgres({ dir, port, durable: false, extraOptions: ['wal_level=replica', 'hot_standby=on'] });

beforeAll(async () => {
  dir = join(folder, 'postgres');
  server = await start(await freePort());
  pool = makePool(server.url, 4);
  const preparing = await makeMigratingOrm(server.url, 1);
  await preparing.migrator.up();
  await preparing.close(true);
  orm = await makeOrm(server.url, 4);
  await seedPlans(pool);
  await pool.query('create table written (at timestamptz default now())');
  api = await makeTestApi({ db: testDatabaseOf(server.url, pool, orm) });
  browser = makeBrowser(api.url);
  const reader = await browser.register('reader');
  await pool.query('update users set plan_id = $1 where id = $2', [ELITE_PLAN_ID, reader]);
  listener = await startListener(server.url, silentLog, 50);
  jobs = await startJobs({
    database: server.url,
    mongoUrl: undefined,
    listener,
    log: silentLog,
    jobs: [job],
  });
});
afterAll(async () => {
  await jobs?.close();
  await listener?.close();
  await api?.close();
  await orm?.close(true);
  await pool?.end();
  await server?.stop();
});

const wish = { make: 'toyota', location: '90001', radius: 50 };
const asRest = () =>
  browser.fetch('/api/alerts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
const asGraphql = () => browser.gql('mutation ($wish: AlertInput!) { createAlert(input: $wish) { id } }', { wish });
const written = async (): Promise<number> => (await pool.query('select from written')).rowCount ?? 0;

/** Shows that jobs run and that NOTIFY reaches them. */
async function expectJobsToRun(): Promise<void> {
  const before = await written();
  await pool.query("select pg_notify('lotwatch_work', 'match')");
  await expect.poll(written).toBeGreaterThan(before);
}

function countReconnects(): () => number {
  let count = 0;
  listener.onReconnect(() => {
    count += 1;
  });
  return () => count;
}

async function expectUnavailable(): Promise<void> {
  const rest = await asRest();
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await rest.json()).toMatchObject({ code: 'UNAVAILABLE' });
  const graphql = await asGraphql();
  expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([503, '2']);
  expect(graphql.errors[0]?.extensions.code).toBe('UNAVAILABLE');
}

async function expectBack(): Promise<void> {
  await expect.poll(async () => [(await asRest()).status, (await asGraphql()).status]).toEqual([201, 200]);
}

/** Sets the server read-only, as a provider does when its disk is full; open sessions are affected as well. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const admin = makePool(server.url, 1);
  await admin.query(`alter system set default_transaction_read_only = ${value}`);
  await admin.query('select pg_reload_conf()');
  await expect
    .poll(async () => {
      const asking = makePool(server.url, 1);
      const { rows } = await asking.query('show default_transaction_read_only');
      await asking.end();
      return rows[0].default_transaction_read_only;
    })
    .toBe(value);
  await admin.end();
}

it('answers writes with UNAVAILABLE while the server is read-only', async () => {
  expect([(await asRest()).status, (await asGraphql()).status]).toEqual([201, 200]);
  await expectJobsToRun();
  const reconnected = countReconnects();
  await setReadOnly('on');
  await expectUnavailable();
  // Reads still work.
  expect((await browser.gql('{ me { id } plans { name } }')).status).toBe(200);
  expect(reconnected()).toBe(0);
  await setReadOnly('off');
  await expectBack();
  await expect.poll(reconnected).toBe(1);
  await expectJobsToRun();
});

/** Makes all open connections read-only, as a fenced server does; new ones lead to a writable server. */
async function fenceOff(connections: Pool): Promise<void> {
  const held = await Promise.all(Array.from({ length: connections.options.max }, () => connections.connect()));
  for (const client of held) await client.query('set session characteristics as transaction read only');
  for (const client of held) client.release();
}

it('drops all connections of a pool once a write on one of them was refused', async () => {
  const fenced = makePool(server.url, 4);
  await fenceOff(fenced);
  const write = 'insert into written default values';
  expect(databaseFault(await fenced.query(write).catch((error: unknown) => error))).toMatchObject({
    code: 'UNAVAILABLE',
  });
  for (let tried = 0; tried < 4; tried += 1) await fenced.query(write);
  await fenced.end();
});

it('also drops connections that are released after a transaction, including the ORM’s', async () => {
  const fenced = makePool(server.url, 1);
  await fenceOff(fenced);
  const write = () => inTransaction(fenced, (client) => client.query('insert into written default values'));
  await expect(write()).rejects.toThrow('read-only');
  await write();
  await fenced.end();

  const ofOrm = await makeOrm(server.url, 1);
  await ofOrm.em.fork().execute('set session characteristics as transaction read only');
  const writeToo = () => ofOrm.em.fork().transactional((tx) => tx.execute('insert into written default values'));
  expect(databaseFault(await writeToo().catch((error: unknown) => error))).toMatchObject({ code: 'UNAVAILABLE' });
  await writeToo();
  await ofOrm.close(true);
});

it('is unavailable while its server is a standby, and recovers once that is promoted', async () => {
  const { port } = server;
  const reconnected = countReconnects();
  await server.stop();
  writeFileSync(join(dir, 'standby.signal'), '');
  const promoted = start(port);
  // It does not count as started yet; as a standby it accepts readers.
  const reader = async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    return client;
  };
  await expect
    .poll(() => reader().then((client) => client.end().then(() => 'in'), String), { timeout: 20_000 })
    .toBe('in');

  expect(databaseFault(await pool.query('select 1').catch((error: unknown) => error))).toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expectUnavailable();
  expect((await fetch(`${api.url}/healthz`)).status).toBe(503);
  await expect(waitForDatabase(server.url, silentLog, 300)).rejects.toThrow('is read-only');
  const waiting = waitForDatabase(server.url, silentLog);
  expect(reconnected()).toBe(0);

  const admin = await reader();
  await admin.query('select pg_promote()');
  await admin.end();
  server = await promoted;
  await waiting;
  await expect.poll(reconnected).toBe(1);
  await expectBack();
  await expectJobsToRun();
}, 60_000);
