import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpFolder } from '../../test/set-up.ts';
import { makeTcpProxy } from '../../test/tcp-proxy.ts';
import { makeOrm, type Orm } from '../entities/orm.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { isAlive } from '../launcher/processes/os-processes.ts';
import { inTransaction, makePool, type Pool } from './database.ts';
import { databaseFault } from './database-fault.ts';
import { freePort } from './free-port.ts';
import { handOutSoundConnections } from './sound-connections.ts';

const folder = setUpFolder();
const dir = join(folder, 'postgres');
let server: EmbeddedPostgres;
let pool: Pool;
let orm: Orm;

const start = (port: number) => startEmbeddedPostgres({ dir, port, durable: false });

beforeAll(async () => {
  server = await start(await freePort());
  pool = makePool(server.url, 4);
  orm = await makeOrm(server.url, 3);
  await pool.query('create table written (n int4)');
});
afterAll(async () => {
  await orm?.close(true);
  await pool?.end();
  await server?.stop();
});

const pidSql = 'select pg_backend_pid() as pid';
const pidOfPool = async (client: Pick<Pool, 'query'>): Promise<number> => (await client.query(pidSql)).rows[0].pid;
const pidOfOrm = async (): Promise<number> => (await orm.em.fork().execute(pidSql))[0]?.pid;

/** Opens all connections of both pools, which are idle afterwards. @returns the processes of the server */
async function openAll(): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  const ofPool = await Promise.all(held.map(pidOfPool));
  for (const client of held) client.release();
  const ofOrm = await Promise.all(
    Array.from({ length: 3 }, () =>
      orm.em.fork().transactional(async (tx): Promise<number> => {
        const [row] = await tx.execute(`${pidSql}, pg_sleep(0.2)`);
        return row?.pid;
      }),
    ),
  );
  return [...ofPool, ...ofOrm];
}

/** Ends processes of the server, without this process seeing it: it reads nothing until they are gone. */
function endUnseen(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGTERM');
  const end = Date.now() + 20_000;
  while (pids.some(isAlive)) if (Date.now() > end) throw new Error('a process of the server does not end');
}

async function killServer(): Promise<void> {
  const [postmaster] = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
  const gone = new Promise((resolve) => server.process.once('close', resolve));
  process.kill(Number(postmaster), 'SIGKILL');
  await gone;
}

const everyWay = () => [
  ...Array.from({ length: 6 }, () => pool.query('insert into written values (1)')),
  ...Array.from({ length: 4 }, () => inTransaction(pool, (client) => client.query('insert into written values (1)'))),
  ...Array.from({ length: 4 }, () => orm.em.fork().execute('insert into written values (1)')),
  ...Array.from({ length: 4 }, () => orm.em.fork().transactional((tx) => tx.execute('insert into written values (1)'))),
];
const failures = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));

it.skipIf(process.platform !== 'linux')(
  'hands out no connection that the server has closed while the process was busy',
  async () => {
    const pids = await openAll();
    // They were used longer ago than just now.
    await pool.query('select pg_sleep(0.02)');
    endUnseen(pids);
    expect(await failures(everyWay())).toEqual([]);
    const now = [await pidOfPool(pool), await pidOfOrm()];
    expect(now.filter((pid) => pids.includes(pid))).toEqual([]);
  },
);

it('waits for a server that was killed, and then works over new connections only', async () => {
  await openAll();
  await pool.query('truncate written');
  const patient = new pg.Pool({ connectionString: server.url, max: 2 });
  patient.on('error', () => {});
  handOutSoundConnections(patient, 60_000);
  await killServer();
  const began = performance.now();
  const refused = await pool.query('select 1').catch((error: unknown) => error);
  expect(databaseFault(refused)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(performance.now() - began).toBeGreaterThan(1_900);
  const waiting = Array.from({ length: 5 }, () => patient.query('select 7 as n'));
  const [answers] = await Promise.all([Promise.all(waiting), start(server.port).then((started) => (server = started))]);
  expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 5 }, () => [{ n: 7 }]));
  const all = everyWay();
  expect(await failures(all)).toEqual([]);
  expect((await pool.query('select from written')).rowCount).toBe(all.length);
  await patient.end();
}, 90_000);

it('bridges a short outage for every kind of statement, and does each once', async () => {
  const proxy = await makeTcpProxy(server.url);
  await proxy.open();
  const near = makePool(proxy.url, 4);
  await Promise.all(Array.from({ length: 4 }, () => near.query('select pg_sleep(0.05)')));
  await pool.query('truncate written; select pg_sleep(0.02)');
  await proxy.close();
  const asked = [
    ...Array.from({ length: 20 }, () => near.query('insert into written values (1)')),
    ...Array.from({ length: 20 }, () =>
      inTransaction(near, (client) => client.query('insert into written values (1)')),
    ),
  ];
  const first = await Promise.race([...asked, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
  expect(first).toBe('nothing');
  await proxy.open();
  expect(await failures(asked)).toEqual([]);
  expect((await pool.query('select from written')).rowCount).toBe(asked.length);
  await near.end();
  await proxy.close();
});

it('does not repeat a transaction that lost its connection', async () => {
  let runs = 0;
  const work = async (client: Pick<Pool, 'query'>) => {
    runs += 1;
    await client.query('insert into written values (99)');
    await pool.query('select pg_terminate_backend($1)', [await pidOfPool(client)]);
    await client.query('insert into written values (99)');
  };
  await expect(inTransaction(pool, work)).rejects.toThrow();
  expect(runs).toBe(1);
  expect((await pool.query('select from written where n = 99')).rowCount).toBe(0);
});

it('asks a server that is away once for all that wait, and lets a limited number wait', async () => {
  let asked = 0;
  const away = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  const { port } = away.address() as { port: number };
  const many = makePool(`postgres://nobody@127.0.0.1:${port}/nothing`, 4);
  const ask = () => many.query('select 1').catch((error: unknown) => databaseFault(error)?.code);
  const first = ask();
  await expect.poll(() => asked).toBeGreaterThan(1);
  const from = { asked, at: performance.now() };
  let refused = 0;
  const all = Array.from({ length: 519 }, () => ask().finally(() => (refused += 1)));
  await new Promise(setImmediate);
  expect(refused).toBe(20);
  expect(new Set(await Promise.all([first, ...all]))).toEqual(new Set(['UNAVAILABLE']));
  expect(asked - from.asked).toBeLessThanOrEqual((performance.now() - from.at) / 50 + 2);
  await many.end();
  away.close();
});
