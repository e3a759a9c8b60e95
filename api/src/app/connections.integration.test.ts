import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { allocateForApi, allocateForWorker } from '../base/connections.ts';
import { freePort } from '../base/free-port.ts';
import { readSettings } from '../base/settings/settings.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { prepareDatabase } from '../launcher/postgres/prepare-database.ts';
import { buildApi } from './build-api.ts';
import { buildWorker } from './build-worker.ts';

/** PostgreSQL's defaults: the connections, and those reserved for superusers. */
const MAX_SERVER_CONNECTIONS = 100;
const RESERVED = 3;

const folder = setUpFolder();
let server: EmbeddedPostgres;
const urls: string[] = [];
const parts: { close(): Promise<void> }[] = [];
/** The lines that the processes have logged. */
const said: string[] = [];

beforeAll(async () => {
  const write = process.stderr.write.bind(process.stderr);
  vi.spyOn(process.stderr, 'write').mockImplementation((line) =>
    String(line).startsWith('{"level"') ? said.push(String(line)) > 0 : write(line),
  );
  const extraOptions = [`max_connections=${MAX_SERVER_CONNECTIONS}`, `superuser_reserved_connections=${RESERVED}`];
  const dir = join(folder, 'postgres');
  server = await startEmbeddedPostgres({ dir, port: await freePort(), durable: false, extraOptions });
  await prepareDatabase(server.url, 'admin-password');
  for (const role of ['api', 'api', 'worker', 'worker'] as const) {
    const port = await freePort();
    const settings = readSettings({
      ROLE: role,
      PORT: String(port),
      DATABASE_URL: server.url,
      DATA_DIR: folder,
      SESSION_SECRET: 'a secret of at least 32 characters, for tests',
      RATE_LIMITS: 'off',
      DEMO_MARKETPLACE: 'off',
    });
    if (role === 'api') urls.push(`http://127.0.0.1:${port}`);
    const part = role === 'api' ? await buildApi(settings) : await buildWorker(settings);
    parts.push(part);
    await part.start();
  }
}, 120_000);
afterAll(async () => {
  for (const part of parts) await part.close();
  vi.restoreAllMocks();
  await server?.stop();
}, 120_000);

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url, application_name: 'psql' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function countByName(psql: pg.Client): Promise<Record<string, number>> {
  const { rows } = await psql.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int4 as count from pg_stat_activity
      where backend_type = 'client backend' and state <> 'starting' and application_name <> 'psql' group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

it('two APIs and two workers stay within a server’s default maximum when all their connections are in use', async () => {
  const [psql, blocker] = [await connect(), await connect()];
  const browsers = urls.map((url) => makeBrowser(url));
  for (const [at, browser] of browsers.entries()) await browser.register(`visitor-${at}`);
  // From now on every statement waits and holds its connection.
  await blocker.query('begin');
  await blocker.query(
    'lock table session, users, sources, listings, alerts, notifications, mails, webhooks in access exclusive mode',
  );
  const asked = browsers.flatMap((browser, at) => [
    ...Array.from({ length: 40 }, () => browser.gql('{ me { id } }')),
    ...Array.from({ length: 10 }, (_, index) => makeBrowser(urls[at] ?? '').register(`user-${at}-${index}`)),
  ]);
  const answers = Promise.allSettled(asked);
  for (const work of ['match', 'backfill', 'send', 'photos', 'deliver', 'billing'])
    await psql.query("select pg_notify('lotwatch_work', $1)", [work]);

  const [ofApi, ofWorker] = [allocateForApi(20), allocateForWorker(20, 'PostgreSQL')];
  const peak: Record<string, number> = {};
  await expect
    .poll(
      async () => {
        for (const [name, count] of Object.entries(await countByName(psql)))
          peak[name] = Math.max(peak[name] ?? 0, count);
        return [peak['lotwatch-api'], peak['lotwatch-entities'], (peak['lotwatch-worker'] ?? 0) >= 4];
      },
      { timeout: 20_000, interval: 50 },
    )
    .toEqual([2 * ofApi.statements, 2 * ofApi.entities, true]);
  // An operator can still connect.
  await (await connect()).end();
  await blocker.query('rollback');
  await answers;

  const most: Record<string, number> = {
    'lotwatch-api': 2 * ofApi.statements,
    'lotwatch-entities': 2 * ofApi.entities,
    'lotwatch-worker': 2 * ofWorker.statements,
    'lotwatch-agenda': 2 * ofWorker.schedule,
    'lotwatch-partitions': 2 * ofWorker.partitions,
    'lotwatch-billing': 2 * (ofApi.billing + ofWorker.billing),
    'lotwatch-listener': 4,
    'lotwatch-health': 4,
    'lotwatch-metrics': 4,
  };
  // No other connections are open.
  expect(Object.keys(peak).filter((name) => (peak[name] ?? 0) > (most[name] ?? 0))).toEqual([]);
  const sum = Object.values(most).reduce((before, count) => before + count);
  expect(sum).toBe(80);
  await psql.end();
  await blocker.end();
}, 60_000);

it('each process logs its maximum of connections', () => {
  const logged = said
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'maximum of database connections');
  expect(logged).toMatchObject([
    { part: 'api', ...allocateForApi(20), sum: 20, serverMaximum: MAX_SERVER_CONNECTIONS - RESERVED },
    { part: 'api' },
    {
      part: 'worker',
      ...allocateForWorker(20, 'PostgreSQL'),
      sum: 20,
      serverMaximum: MAX_SERVER_CONNECTIONS - RESERVED,
    },
    { part: 'worker' },
  ]);
});

it('answers with UNAVAILABLE while the server has no connection left', async () => {
  const [url = ''] = urls;
  // A session of a worker that ends later would leave its place to an API.
  for (const worker of parts.splice(urls.length)) await worker.close();
  const held: pg.Client[] = [];
  const fill = async () => {
    for (;;) {
      const client = await connect().catch(({ code }) => code);
      if (client === '53300') return;
      held.push(client);
    }
  };
  await fill();
  const ofApis = "from pg_stat_activity where application_name in ('lotwatch-api', 'lotwatch-entities')";
  // What runs in the background may have connected again before every place was taken.
  for (let left = 1; left > 0; ) {
    await held[0]?.query(`select pg_terminate_backend(pid, 5000) ${ofApis}`);
    await fill();
    left = (await held[0]?.query(`select ${ofApis}`))?.rowCount ?? 0;
  }
  const away = async (answer: Response) => {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE' });
  };
  const visitor = makeBrowser(url);
  const plans = await visitor.gql('{ plans { name } }');
  expect([plans.status, plans.headers.get('retry-after')]).toEqual([503, '2']);
  expect(plans.errors[0]?.extensions.code).toBe('UNAVAILABLE');
  await away(await visitor.fetch('/api/subscription/plans'));
  const input = { username: 'too-many', password: 'secret-1', email: 'too-many@example.test' };
  const headers = { 'content-type': 'application/json' };
  await away(await visitor.fetch('/api/register', { method: 'POST', headers, body: JSON.stringify(input) }));
  for (const client of held) await client.end();
  await expect.poll(async () => (await visitor.gql('{ plans { name } }')).status).toBe(200);
}, 60_000);
