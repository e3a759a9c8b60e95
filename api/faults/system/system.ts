import { existsSync, readdirSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { demoStream } from '../../demo/ids.ts';
import { makeDemoServer } from '../../demo/server.ts';
import type { DemoStream } from '../../demo/stream.ts';
import { makePool, type Pool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { bundleParts } from '../../src/launcher/bundle-parts.ts';
import type { Plant } from '../moments/moments.ts';
import { plantedSql } from '../moments/plants.ts';
import { type Provider, startProvider } from '../provider/provider.ts';
import { hurry, type KilledDatabase, startKilledDatabase } from './database.ts';
import { type Lots, type SourcesNamed, startLots } from './lots.ts';
import { type Network, startNetwork } from './network.ts';
import { keepPart, type Part } from './part.ts';

/** A worker's clock, as far as it is wrong: eleven minutes ahead, a day behind. */
export type Clock = '+11m' | '-1d';

const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib'];

/** The library that lends a process another time (package `faketime`); null where it isn't there. */
export function fakeTimeLibrary(): string | null {
  const within = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  const paths = within.map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** What a process is started with whose clock is wrong. Timers go by another clock, which stays right. */
export function clockEnvironment(library: string, clock: Clock): Record<string, string> {
  return { LD_PRELOAD: library, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
}

const API_KEY = 'SG.a-key-for-the-faults';
export const INGEST_TOKEN = 'a-token-for-the-faults';
/** What is measured with it is LotWatch's time to recover, and not the provider's. */
export const PROBE_ADDRESS = 'probe@faults.example';
const DEMO_PER_SECOND = 2;
const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0f'.repeat(16)}`,
  TWILIO_AUTH_TOKEN: 'a-token-for-the-faults',
  TWILIO_FROM: '+15125550100',
};

export interface SystemOptions {
  folder: string;
  seed: number;
  plant: Plant | undefined;
  /** Whether the demo marketplace is polled. */
  demo: boolean;
  /** One worker a clock; null is one that is right. */
  clocks?: readonly (Clock | null)[];
  mongoUrl?: string;
  /** Whether workers first begin with `restart`. */
  heldWorkers?: boolean;
  /** Where workers hand texts over, by their name and life. */
  textsUrl?(name: string, life: number): string;
  random: () => number;
}

/** What a worker is told of sources: all of them and the demo marketplace, one or the other, or none. */
export type WorkerSources = SourcesNamed | 'none';

export interface Worker extends Part {
  /** Of lives that begin from now on. */
  sources: WorkerSources;
}

/** How long a part could not act or be heard, in milliseconds since 1970. */
export interface Trouble {
  part: string;
  what: 'paused' | 'cut off';
  from: number;
  to: number;
}

/** LotWatch as its operator runs it apart: database, api and two workers, with its marketplaces and mail provider. */
export interface System {
  url: string;
  /** Where everything lies. */
  folder: string;
  pool: Pool;
  database: KilledDatabase;
  network: Network;
  provider: Provider;
  stream: DemoStream;
  lots: Lots;
  api: Part;
  workers: Worker[];
  troubles: Trouble[];
  /** What was committed in between is gone; see `restore`. */
  losses: { from: number; to: number }[];
  /** Which mailer a worker has that is started from now on. */
  mailer: 'sendgrid' | 'outbox';
  /** Ends api and workers gently, all of them before one begins anew. */
  restart(): Promise<void>;
  /** What the harness needs in a database beside what migrations make. */
  furnish(pool: Pool): Promise<void>;
  /** The demo marketplace's clock stands still. */
  freezeDemo(): Date;
  stop(): Promise<void>;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const { folder, plant, random } = options;
  const [runFile, database, provider, lots, port] = await Promise.all([
    bundleParts(),
    startKilledDatabase(folder),
    startProvider(API_KEY, random, (to) => to === PROBE_ADDRESS),
    startLots(folder),
    freePort(),
  ]);
  const clocks = options.clocks ?? [null, null];
  const workerNames = clocks.map((_, index) => `worker-${index + 1}`);
  const network = await startNetwork(['api', ...workerNames, 'harness'], () => database.url, provider.url);
  const pool = makePool(network.of('harness').databaseUrl, 6, 'faults');
  const furnish = async (db: Pool) => {
    await hurry(db);
    if (plant && plantedSql[plant]) await db.query(plantedSql[plant]);
  };
  await furnish(pool);

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
  // Who says nothing of the demo marketplace leaves it alone.
  const told = (sources: WorkerSources) => ({
    DEMO_MARKETPLACE: !options.demo ? 'off' : sources === 'both' ? 'on' : '',
    DEMO_URL: options.demo && sources === 'both' ? demoUrl : '',
    SOURCES_FILE: sources === 'none' ? '' : lots.fileOf(sources),
  });
  const vendor = (name: string, life: number): Record<string, string> =>
    system.mailer === 'sendgrid'
      ? { SENDGRID_API_KEY: API_KEY, SENDGRID_API_BASE: `${network.of(name).providerUrl}/${name}/${life}` }
      : {};
  // Twilio is told where to say how a text came on, and so which text it was: the provider needs an address for that.
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
    keepPart({
      name,
      held,
      folder,
      args,
      plant,
      envFor: (life) => ({ ...shared, DATABASE_URL: network.of(name).databaseUrl, ...env(life) }),
    });
  const system: System = {
    url: `http://127.0.0.1:${port}`,
    folder,
    pool,
    database,
    network,
    provider,
    stream,
    lots,
    troubles: [],
    losses: [],
    mailer: 'sendgrid',
    api: keep('api', () => ({ ROLE: 'api', PORT: String(port), ...told('both') })),
    workers: [],
    async restart() {
      const releases = await Promise.all([system.api, ...system.workers].map((part) => part.hold()));
      for (const release of releases) release();
    },
    furnish,
    freezeDemo() {
      frozen ??= new Date();
      return frozen;
    },
    async stop() {
      await Promise.all([system.api, ...system.workers].map((part) => part.stop()));
      await pool.end();
      await network.close();
      await provider.close();
      await lots.close();
      demo.closeAllConnections();
      await new Promise((settle) => demo.close(settle));
      await database.stop();
    },
  };
  const library = fakeTimeLibrary();
  clocks.forEach((clock, index) => {
    const name = workerNames[index] ?? '';
    const time = clock && library ? clockEnvironment(library, clock) : {};
    // Before the first restart with other settings, one knows all sources and the others know none.
    const worker: Worker = Object.assign(
      keep(
        name,
        (life) => ({
          ROLE: 'worker',
          ...time,
          ...told(worker.sources),
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
