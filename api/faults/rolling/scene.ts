import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { findPgBouncers, startTestPooler } from '../../lab/pgbouncer.ts';
import { makeRandom } from '../../lab/random.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { makePool, type Pool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { bundleWithout } from '../../src/launcher/bundle-parts.ts';
import { memoryEnvironment, memoryLimits } from '../../src/launcher/memory-limits.ts';
import { buildWeb } from '../../src/launcher/web-build.ts';
import { startKillableCluster } from '../system/cluster.ts';
import { type KillableDatabase, shortenWaits, startKillableDatabase } from '../system/database.ts';
import { type Part, superviseProcess } from '../system/part.ts';
import { type PolledSources, startPolledSources } from '../system/polled-sources.ts';
import { type MailProvider, startMailProvider } from '../system/providers.ts';
import { API_KEY, INGEST_TOKEN } from '../system/system.ts';
import { makeNextVersion } from './next-version.ts';
import { startTestProxy, type TestProxy } from './proxy.ts';

export const SECRET = 'a-secret-for-the-faults-of-32-signs-and-more';
const DRAIN_SECONDS = 5;
const READY_MS = 60_000;
/** A migration gives way to the old version again and again. */
const MIGRATED_MS = 600_000;
/** The 20 s that an operator was promised, and a little. */
const HOLD_MS = 22_000;
/** So many cars stay in a polled source that no outage lets one pass unread. */
const SHOWN = 3_000;

/** A process of LotWatch with its health port. */
export interface Node extends Part {
  role: 'api' | 'worker';
  /** Its own address, which leads past the proxy. */
  url: string;
  /** Lets its next process be of the next version. */
  upgrade(): void;
  untilReady(): Promise<void>;
}

/** Two apis and two workers behind a proxy, each a process of its own. */
export interface Scene {
  /** The address of the proxy. */
  url: string;
  folder: string;
  pool: Pool;
  database: KillableDatabase;
  provider: MailProvider;
  sources: PolledSources;
  proxy: TestProxy;
  /** The version of the pooler before the database; null where there is none. */
  pooler: string | null;
  apis: [Node, Node];
  workers: [Node, Node];
  /** An api of the next version that gets no traffic and is held back at first: it migrates. */
  migrator: Node;
  /** The processes start once the database is filled. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error where a pooler is wanted and there is none */
export async function prepareScene(folder: string, hasPooler: boolean, cluster?: string): Promise<Scene> {
  const pgbouncer = hasPooler ? findPgBouncers().find(({ isNewEnough }) => isNewEnough) : undefined;
  if (hasPooler && !pgbouncer) throw new Error('There is no PgBouncer from 1.21 on in PATH: name one by PGBOUNCER.');

  // The server, another user, reads what is loaded from there.
  chmodSync(folder, 0o755);
  await buildWeb(AbortSignal.timeout(300_000));
  const [runFile, nextArgs, database, provider, sources] = await Promise.all([
    bundleWithout(['pg']),
    makeNextVersion(folder),
    cluster ? startKillableCluster(cluster, folder, makeRandom(1)) : startKillableDatabase(folder),
    startMailProvider(
      API_KEY,
      () => 1,
      () => true,
    ),
    startPolledSources(folder, SHOWN),
  ]);
  const pooler = pgbouncer && (await startTestPooler(pgbouncer, join(folder, 'pooler'), database.url));
  const pool = makePool(database.url, 6, 'faults');
  await shortenWaits(pool);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ownArgs = runFile('api/src/main.ts');

  async function makeNode(name: string, role: 'api' | 'worker'): Promise<Node & { port: number }> {
    const [own, healthPort] = [await freePort(), await freePort()];
    let isNext = name === 'migrator';
    const part = superviseProcess({
      name,
      folder,
      held: true,
      holdMs: HOLD_MS,
      inject: undefined,
      args: () => [...memoryLimits[role], ...(isNext ? nextArgs : ownArgs)],
      envFor: (life) => ({
        ...memoryEnvironment,
        ROLE: role,
        HOST: '127.0.0.1',
        PORT: String(own),
        HEALTH_PORT: String(healthPort),
        DRAIN_SECONDS: String(DRAIN_SECONDS),
        PUBLIC_URL: url,
        TRUSTED_PROXIES: '1',
        DATABASE_URL: pooler?.url ?? database.url,
        ...(pooler && { DATABASE_DIRECT_URL: database.url }),
        DATA_DIR: join(folder, `${name}-data`),
        SESSION_SECRET: SECRET,
        INGEST_TOKEN,
        SOURCES_FILE: sources.fileOf('both'),
        DEMO_MARKETPLACE: 'off',
        SENDGRID_API_KEY: API_KEY,
        SENDGRID_API_BASE: `${provider.url}/${name}/${life}`,
      }),
    });
    return Object.assign(part, {
      role,
      url: `http://127.0.0.1:${own}`,
      port: own,
      upgrade() {
        isNext = true;
      },
      untilReady: () =>
        untilTrue(
          `that ${name} is ready`,
          name === 'migrator' ? MIGRATED_MS : READY_MS,
          async () => {
            const signal = AbortSignal.timeout(2_000);
            return (await fetch(`http://127.0.0.1:${healthPort}/readyz`, { signal })).status === 200;
          },
          50,
        ),
    });
  }
  const apis = [await makeNode('api-1', 'api'), await makeNode('api-2', 'api')] as const;
  const workers = [await makeNode('worker-1', 'worker'), await makeNode('worker-2', 'worker')] as const;
  const migrator = await makeNode('migrator', 'api');
  const proxy = await startTestProxy(folder, port, [apis[0].port, apis[1].port]);
  const nodes = [...apis, ...workers];
  return {
    ...{ url, folder, pool, database, provider, sources, proxy, migrator },
    pooler: pgbouncer?.version ?? null,
    apis: [...apis],
    workers: [...workers],
    async start() {
      const releases = await Promise.all(nodes.map((node) => node.hold()));
      for (const release of releases) release();
      await Promise.all(nodes.map((node) => node.untilReady()));
    },
    async stop() {
      await Promise.all([...nodes, migrator].map((node) => node.stop()));
      await proxy.stop();
      await pool.end();
      await pooler?.stop();
      await provider.close();
      await sources.close();
      await database.stop();
    },
  };
}
