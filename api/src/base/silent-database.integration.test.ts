/** @module-tag long */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabaseOf } from '../../test/database.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { seedPlans } from '../billing/plans.ts';
import { makeMigratingOrm } from '../entities/migrating-orm.ts';
import { makeOrm, type Orm } from '../entities/orm.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { processesIn } from '../launcher/processes/os-processes.ts';
import { inTransaction, makePool, type Pool } from './database.ts';
import { databaseFault } from './database-fault.ts';
import { freePort } from './free-port.ts';

/** Short, to keep the test short. */
const TIMEOUT_MS = 2_000;

const folder = setUpFolder();
let server: EmbeddedPostgres;
let pool: Pool;
let orm: Orm;
let api: TestApi;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port: await freePort(), durable: false });
  pool = makePool(server.url, 3, 'silent', TIMEOUT_MS);
  const preparing = await makeMigratingOrm(server.url, 1);
  await preparing.migrator.up();
  await preparing.close(true);
  orm = await makeOrm(server.url, 3, TIMEOUT_MS);
  await seedPlans(pool);
  await pool.query('create table written (n int)');
  api = await makeTestApi({ db: testDatabaseOf(server.url, pool, orm) });
});
afterAll(async () => {
  signalServer('SIGCONT');
  await api?.close();
  await orm?.close(true);
  await pool?.end();
  await server?.stop();
});

/** The operating system still accepts connections for a stopped server, which never responds. */
function signalServer(name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processesIn(realpathSync(join(folder, 'postgres')))) process.kill(pid, name);
}

async function ask(): Promise<{ status: number; retryAfter: string | null; body: unknown }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ plans { name } }' }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}

it('fails with UNAVAILABLE while the database does not respond, and rolls back', async () => {
  expect(await ask()).toMatchObject({ status: 200, body: { data: { plans: expect.any(Array) } } });
  // A connection that was idle for long is covered as well.
  await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 500));

  let stopped: () => void = () => {};
  const isStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const cut = inTransaction(pool, async (client) => {
    await client.query('insert into written values (1)');
    signalServer('SIGSTOP');
    stopped();
    await client.query('insert into written values (2)');
  }).catch(databaseFault);
  await isStopped;
  const began = performance.now();
  expect(await ask()).toMatchObject({
    status: 503,
    retryAfter: '2',
    body: { errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
  });
  expect(await cut).toMatchObject({ code: 'UNAVAILABLE' });
  // There is no open connection now, and no new one can be made.
  expect(databaseFault(await pool.query('select 1').catch((error: unknown) => error))).toMatchObject({
    code: 'UNAVAILABLE',
  });
  expect(performance.now() - began).toBeLessThan(20_000);

  signalServer('SIGCONT');
  await expect.poll(async () => (await ask()).status, { timeout: 15_000 }).toBe(200);
  const { rows } = await pool.query('select n from written');
  expect(rows).toEqual([]);
}, 60_000);

it('fails with UNAVAILABLE while the database is stopped', async () => {
  await server.stop();
  expect(await ask()).toMatchObject({ status: 503, body: { errors: [{ extensions: { code: 'UNAVAILABLE' } }] } });
  const pushed = await fetch(`${api.url}/healthz`);
  expect(pushed.status).toBe(503);
});
