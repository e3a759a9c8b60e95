import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings/settings.ts';
import { bundleParts } from './bundle-parts.ts';
import { keptDemoSeed, keptSessionSecret } from './kept-values.ts';
import { partLogs } from './output/part-logs.ts';
import type { Terminal } from './output/terminal.ts';
import { databasePart } from './postgres/database-part.ts';
import type { Prepared } from './postgres/prepare-database.ts';
import { deferred } from './processes/deferred.ts';
import { startNodeChild } from './processes/node-child.ts';
import { type Running, type Supervised, supervise } from './processes/supervisor.ts';
import { buildWeb } from './web-build.ts';

/** One data folder with what serves it. */
export interface Installation {
  settings: Settings;
  environment: NodeJS.ProcessEnv;
  folder: string;
  port: number;
  publicUrl: string;
}

export interface Parts {
  /** Settles when everything is served; rejects when something can't be made ready. */
  ready: Promise<Prepared>;
  /** Ends all parts, those first that use the others. */
  stop(): Promise<void>;
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Starts every part of an installation at once: each loads its code while others are made ready.
 * The api opens its port when all the rest is ready.
 * @param giveUp called when a part can't be kept running
 */
export function bringUp(at: Installation, terminal: Terminal, giveUp: (why: string) => void): Parts {
  const { settings, environment, folder, port, publicUrl } = at;
  const logOf = partLogs(folder, terminal, settings.production);
  const building = new AbortController();
  const runFile = bundleParts();
  const databaseUrl = deferred<string>();
  const prepared = deferred<Prepared>();
  const restIsReady = deferred<void>();
  const parts = new Map<string, Supervised>();

  function keep(name: string, start: (signal: AbortSignal) => Promise<Running>): Promise<void> {
    const part = supervise({
      name,
      start,
      onDeath: (reason) => terminal.problem(`${name} ${reason.split('\n')[0]}. It is started again.`),
      onBack: (milliseconds) => terminal.problem(`${name} is back after ${inSeconds(milliseconds)}.`),
      onGivingUp: giveUp,
    });
    parts.set(name, part);
    return part.ready;
  }

  async function keepDatabase(): Promise<void> {
    if (settings.databaseUrl !== undefined) return databaseUrl.resolve(settings.databaseUrl);
    const database = databasePart(folder, logOf('postgres'));
    await keep('PostgreSQL', () => database.start());
    databaseUrl.resolve(await database.url);
  }

  async function prepare(): Promise<void> {
    // Loaded while the server starts.
    const loading = import('./postgres/prepare-database.ts');
    const url = await databaseUrl.promise;
    const { prepareDatabase } = await loading;
    prepared.resolve(await prepareDatabase(url, settings.adminPassword));
  }

  async function keepDemo(demoPort: number): Promise<void> {
    const onLine = logOf('demo');
    const env = {
      PATH: environment.PATH,
      NODE_ENV: environment.NODE_ENV,
      PORT: String(demoPort),
      HOST: '127.0.0.1',
      DEMO_SEED: String(settings.demo.seed ?? keptDemoSeed(folder)),
      DEMO_PER_SECOND: String(settings.demo.perSecond),
      DEMO_PUBLIC_URL: `${publicUrl}/demo`,
    };
    const args = (await runFile)('api/demo/main.ts');
    const child = { name: 'demo', args, env, onLine, stopPatienceMs: 400 };
    await keep('demo', (signal) => startNodeChild(child, signal));
  }

  async function keepRole(role: 'api' | 'worker', demoPort: number): Promise<void> {
    const onLine = logOf(role);
    const env = {
      ...environment,
      DATABASE_URL: undefined,
      ADMIN_PASSWORD: undefined,
      DATA_DIR: folder,
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DEMO_MARKETPLACE: settings.demo.on ? 'on' : 'off',
      DEMO_URL: settings.demo.on ? `http://127.0.0.1:${demoPort}` : undefined,
      SESSION_SECRET: settings.sessionSecret ?? keptSessionSecret(folder),
    };
    const orders = async (): Promise<Record<string, string>> => {
      await prepared.promise;
      return { ROLE: role, DATABASE_URL: await databaseUrl.promise };
    };
    const runs = (await runFile)('api/src/main.ts');
    // A long feed is nothing but short-lived records: Node's defaults let hundreds of megabytes of them wait.
    const thrift = ['--max-semi-space-size=16', '--max-old-space-size=256'];
    const args = role === 'worker' ? [...thrift, ...runs] : runs;
    const child = { name: role, args, env, onLine, mayListen: restIsReady.promise };
    return keep(role, (signal) => startNodeChild({ ...child, orders: orders() }, signal));
  }

  async function start(): Promise<Prepared> {
    const { step } = terminal;
    const note = (built: boolean) => (built ? 'built from its sources' : 'unchanged');
    const demoPort = settings.demo.on ? await freePort() : 0;
    const api = keepRole('api', demoPort);
    const worker = keepRole('worker', demoPort);
    await Promise.all([
      step('web app', () => buildWeb(building.signal), note),
      settings.demo.on ? step('demo marketplace', () => keepDemo(demoPort)) : undefined,
      settings.databaseUrl === undefined ? step('PostgreSQL', keepDatabase) : keepDatabase(),
      step('tables and plans', prepare),
      step('worker', () => worker),
    ]);
    await step('api', () => {
      restIsReady.resolve();
      return api;
    });
    return prepared.promise;
  }

  return {
    ready: start(),
    async stop() {
      building.abort();
      await Promise.all([parts.get('api')?.stop(), parts.get('worker')?.stop()]);
      await parts.get('demo')?.stop();
      await parts.get('PostgreSQL')?.stop();
    },
  };
}
