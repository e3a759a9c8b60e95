import type { AddressInfo, Server } from 'node:net';
import { demoStream } from '../../demo/ids.ts';
import { makeDemoServer } from '../../demo/server.ts';
import type { DemoStream } from '../../demo/stream.ts';
import { makePool, type Pool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { bundleParts } from '../../src/launcher/bundle-parts.ts';
import type { Plant, WatchOrders } from '../moments/moments.ts';
import { plantedSql } from '../moments/plants.ts';
import { type Provider, startProvider } from '../provider/provider.ts';
import { type Clock, clockEnvironment, fakeTimeLibrary } from './clocks.ts';
import { type KilledDatabase, startKilledDatabase } from './database.ts';
import { hurryMails } from './hurry.ts';
import { keepPart, type Life, type Part } from './part.ts';

const API_KEY = 'SG.a-key-for-the-faults';
export const INGEST_TOKEN = 'a-token-for-the-faults';
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
  /** At which moment a part's new life ends, if at any. */
  ordersFor(part: string): WatchOrders['kill'];
  onEnd(life: Life): void;
}

/** LotWatch as its operator runs it apart: database, api and two workers, with its marketplace and its mail provider. */
export interface System {
  url: string;
  pool: Pool;
  database: KilledDatabase;
  provider: Provider;
  stream: DemoStream;
  api: Part;
  workers: Part[];
  /** Which mailer a worker has that is started from now on. */
  mailer: 'sendgrid' | 'outbox';
  /** Ends api and workers gently, all of them before one begins anew. */
  restart(): Promise<void>;
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
  const [runFile, database, provider, port] = await Promise.all([
    bundleParts(),
    startKilledDatabase(folder),
    startProvider(API_KEY, random),
    freePort(),
  ]);
  const pool = makePool(database.url, 4, 'faults');
  await hurryMails(pool);
  if (plant && plantedSql[plant]) await pool.query(plantedSql[plant]);

  let frozen: Date | undefined;
  const stream = demoStream(options.seed, DEMO_PER_SECOND);
  const demo = makeDemoServer({ stream, publicUrl: `http://127.0.0.1:${port}/demo`, now: () => frozen ?? new Date() });
  const demoUrl = await listen(demo);

  const shared = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SESSION_SECRET: 'a-secret-for-the-faults-of-32-signs-and-more',
    RATE_LIMITS: 'off',
    INGEST_TOKEN,
    DEMO_MARKETPLACE: options.demo ? 'on' : 'off',
    DEMO_URL: options.demo ? demoUrl : '',
    DEMO_PER_SECOND: String(DEMO_PER_SECOND),
    SENDGRID_API_KEY: '',
    SENDGRID_API_BASE: '',
    SOURCES_FILE: '',
    MONGO_URL: options.mongoUrl ?? '',
    TWILIO_ACCOUNT_SID: '',
    TWILIO_AUTH_TOKEN: '',
    TWILIO_FROM: '',
    TWILIO_API_BASE: '',
  };
  const vendor = (name: string, life: number): Record<string, string> =>
    system.mailer === 'sendgrid'
      ? { SENDGRID_API_KEY: API_KEY, SENDGRID_API_BASE: `${provider.url}/${name}/${life}` }
      : {};
  // Twilio is told where to say how a text came on, and so which text it was: the provider needs an address for that.
  const textVendor = (name: string, life: number): Record<string, string> =>
    options.textsUrl
      ? { ...TWILIO, TWILIO_API_BASE: options.textsUrl(name, life), PUBLIC_URL: 'https://lotwatch.faults.example' }
      : {};
  const args = runFile('api/src/main.ts');
  const keep = (name: string, env: (life: number) => Record<string, string>, held = false) =>
    keepPart({
      name,
      held,
      folder,
      args,
      ordersFor: () => {
        const kill = options.ordersFor(name);
        return { ...(kill && { kill }), ...(plant && { plant }) };
      },
      envFor: (life) => ({ ...shared, ...env(life) }),
      onEnd: options.onEnd,
    });
  const system: System = {
    url: `http://127.0.0.1:${port}`,
    pool,
    database,
    provider,
    stream,
    mailer: 'sendgrid',
    api: keep('api', () => ({ ROLE: 'api', PORT: String(port) })),
    workers: [],
    async restart() {
      const releases = await Promise.all([system.api, ...system.workers].map((part) => part.pause()));
      for (const release of releases) release();
    },
    freezeDemo() {
      frozen ??= new Date();
      return frozen;
    },
    async stop() {
      await Promise.all([system.api, ...system.workers].map((part) => part.stop()));
      await pool.end();
      await provider.close();
      demo.closeAllConnections();
      await new Promise((settle) => demo.close(settle));
      await database.stop();
    },
  };
  const library = fakeTimeLibrary();
  const workers = (options.clocks ?? [null, null]).map((clock, index) => {
    const name = `worker-${index + 1}`;
    const time = clock && library ? clockEnvironment(library, clock) : {};
    const env = (life: number) => ({ ROLE: 'worker', ...time, ...vendor(name, life), ...textVendor(name, life) });
    return keep(name, env, options.heldWorkers);
  });
  system.workers.push(...workers);
  return system;
}
