import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { demoStream } from '../../demo/ids.ts';
import { makeDemoServer } from '../../demo/server.ts';
import type { DemoStream } from '../../demo/stream.ts';
import { listen } from '../../lab/local-server.ts';
import { makeRandom } from '../../lab/random.ts';
import { makePool, type Pool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { bundleWithout } from '../../src/launcher/bundle-parts.ts';
import { type InjectedFaultName, injectedFaults } from '../failpoints/injected-faults.ts';
import { startKillableCluster } from './cluster.ts';
import { type KillableDatabase, setBands, shortenWaits, startKillableDatabase } from './database.ts';
import { type Network, startNetwork } from './network.ts';
import { type Part, superviseProcess } from './part.ts';
import { type PolledSources, type SourcesNamed, startPolledSources } from './polled-sources.ts';
import { type MailProvider, startMailProvider } from './providers.ts';
import { type PushProvider, startPushProvider } from './push-provider.ts';

/** The offset of a worker's clock: eleven minutes ahead, or a day behind. */
export type Clock = '+11m' | '-1d';

const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib'];

/** The library that gives a process a wrong clock (package `faketime`); null where it is not installed. */
export function fakeTimeLibrary(): string | null {
  const within = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  const paths = within.map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The environment of a process whose clock is wrong. Timers use the monotonic clock, which stays right. */
function clockEnvironment(library: string, clock: Clock): Record<string, string> {
  return { LD_PRELOAD: library, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
}

export const API_KEY = 'SG.a-key-for-the-faults';
export const INGEST_TOKEN = 'a-token-for-the-faults';
/** The address of the probe, whose mails are always accepted at once, so that they measure the recovery. */
const PROBE_ADDRESS = 'probe@faults.example';
const DEMO_PER_SECOND = 2;
const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0f'.repeat(16)}`,
  TWILIO_AUTH_TOKEN: 'a-token-for-the-faults',
  TWILIO_FROM: '+15125550100',
  SMS_DAILY_LIMIT: '1000000',
};

interface SystemOptions {
  folder: string;
  seed: number;
  inject: InjectedFaultName | undefined;
  /** The coordinator of a cluster that is used instead of a server of this run. */
  cluster?: string | undefined;
  /** Whether the demo marketplace is polled. */
  demo: boolean;
  /** One worker a clock; null is a right one. */
  clocks?: readonly (Clock | null)[];
  mongoUrl?: string;
  /** Whether workers first begin with `restart`. */
  heldWorkers?: boolean;
  /** The address of the text provider, by the name and the number of a worker's process. */
  textsUrl?(name: string, life: number): string;
  random: () => number;
}

/** The sources in a worker's settings: both polled ones and the demo marketplace, one or the other, or none. */
export type WorkerSources = SourcesNamed | 'none';

export interface Worker extends Part {
  /** The settings of processes that start from now on. */
  sources: WorkerSources;
}

/** When a process was stopped or unreachable, in milliseconds since 1970. */
export interface Outage {
  part: string;
  what: 'paused' | 'cut off';
  from: number;
  to: number;
}

/** LotWatch as separate processes: database, api and two workers, with marketplaces and a mail provider. */
export interface System {
  url: string;
  /** The folder of all files. */
  folder: string;
  pool: Pool;
  database: KillableDatabase;
  network: Network;
  provider: MailProvider;
  pushProvider: PushProvider;
  stream: DemoStream;
  sources: PolledSources;
  api: Part;
  workers: Worker[];
  troubles: Outage[];
  /** Spans whose commits were lost; see `restore`. */
  losses: { from: number; to: number }[];
  /** The mailer of workers that are started from now on. */
  mailer: 'sendgrid' | 'outbox';
  /** Shuts all processes down, and starts them again once all have ended. */
  restart(): Promise<void>;
  /** Adds to a migrated database what this run needs: shorter waits, bands of prices, and an injected fault. */
  prepareDatabase(pool: Pool): Promise<void>;
  /** Stops the clock of the demo marketplace. */
  freezeDemo(): Date;
  stop(): Promise<void>;
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const { folder, inject, random, cluster } = options;
  const [runFile, database, provider, pushProvider, sources, port] = await Promise.all([
    // The hook of each process follows the statements of this package.
    bundleWithout(['pg']),
    cluster ? startKillableCluster(cluster, folder, makeRandom(options.seed + 11)) : startKillableDatabase(folder),
    startMailProvider(API_KEY, random, (to) => to === PROBE_ADDRESS),
    startPushProvider(makeRandom(options.seed + 9)),
    startPolledSources(folder),
    freePort(),
  ]);
  const clocks = options.clocks ?? [null, null];
  const workerNames = clocks.map((_, index) => `worker-${index + 1}`);
  const network = await startNetwork(['api', ...workerNames, 'harness'], () => database.url, provider.url);
  const pool = makePool(network.of('harness').databaseUrl, 6, 'faults');
  const prepareDatabase = async (db: Pool) => {
    await shortenWaits(db);
    await setBands(db);
    const { sql } = inject ? injectedFaults[inject] : {};
    if (sql) await db.query(sql);
  };
  await prepareDatabase(pool);

  let frozen: Date | undefined;
  const stream = demoStream(options.seed, DEMO_PER_SECOND);
  const demo = makeDemoServer({ stream, publicUrl: `http://127.0.0.1:${port}/demo`, now: () => frozen ?? new Date() });
  const demoUrl = await listen(demo);

  const shared = {
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SESSION_SECRET: 'a-secret-for-the-faults-of-32-signs-and-more',
    RATE_LIMITS: 'off',
    WEBHOOK_PRIVATE_NETWORK: 'on',
    INGEST_TOKEN,
    DEMO_PER_SECOND: String(DEMO_PER_SECOND),
    SENDGRID_API_KEY: '',
    SENDGRID_API_BASE: '',
    MONGO_URL: options.mongoUrl ?? '',
    TWILIO_ACCOUNT_SID: '',
    TWILIO_AUTH_TOKEN: '',
    TWILIO_FROM: '',
    TWILIO_API_BASE: '',
  };
  // An empty DEMO_MARKETPLACE does not change that source.
  const sourceSettings = (named: WorkerSources) => ({
    DEMO_MARKETPLACE: !options.demo ? 'off' : named === 'both' ? 'on' : '',
    DEMO_URL: options.demo && named === 'both' ? demoUrl : '',
    SOURCES_FILE: named === 'none' ? '' : sources.fileOf(named),
  });
  const vendor = (name: string, life: number): Record<string, string> =>
    system.mailer === 'sendgrid'
      ? { SENDGRID_API_KEY: API_KEY, SENDGRID_API_BASE: `${network.of(name).providerUrl}/${name}/${life}` }
      : {};
  // Twilio reports deliveries to an address that names the text, so the provider needs a public address.
  const textVendor = (name: string, life: number): Record<string, string> =>
    options.textsUrl
      ? {
          ...TWILIO,
          TWILIO_API_BASE: options.textsUrl(name, life),
          PUBLIC_URL: 'https://lotwatch.faults.example',
          TRUSTED_PROXIES: 'none',
        }
      : {};
  const args = runFile('api/src/main.ts');
  const keep = (name: string, env: (life: number) => Record<string, string>, held = false) =>
    superviseProcess({
      name,
      held,
      folder,
      args: () => args,
      inject,
      envFor: (life) => ({ ...shared, DATABASE_URL: network.of(name).databaseUrl, ...env(life) }),
    });
  const system: System = {
    url: `http://127.0.0.1:${port}`,
    folder,
    pool,
    database,
    network,
    provider,
    pushProvider,
    stream,
    sources,
    troubles: [],
    losses: [],
    mailer: 'sendgrid',
    api: keep('api', () => ({ ROLE: 'api', PORT: String(port), ...sourceSettings('both') })),
    workers: [],
    async restart() {
      const releases = await Promise.all([system.api, ...system.workers].map((part) => part.hold()));
      for (const release of releases) release();
    },
    prepareDatabase,
    freezeDemo() {
      frozen ??= new Date();
      return frozen;
    },
    async stop() {
      await Promise.all([system.api, ...system.workers].map((part) => part.stop()));
      await pool.end();
      await network.close();
      await provider.close();
      await pushProvider.close();
      await sources.close();
      demo.closeAllConnections();
      await new Promise((resolve) => demo.close(resolve));
      await database.stop();
    },
  };
  const library = fakeTimeLibrary();
  clocks.forEach((clock, index) => {
    const name = workerNames[index] ?? '';
    const time = clock && library ? clockEnvironment(library, clock) : {};
    // At first one worker has all sources in its settings, and the others have none.
    const worker: Worker = Object.assign(
      keep(
        name,
        (life) => ({
          ROLE: 'worker',
          ...time,
          ...sourceSettings(worker.sources),
          ...vendor(name, life),
          ...textVendor(name, life),
        }),
        options.heldWorkers,
      ),
      { sources: index === 0 ? ('both' as const) : ('none' as const) },
    );
    system.workers.push(worker);
  });
  return system;
}
