import { join } from 'node:path';
import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings/settings.ts';
import { bundleParts } from './bundle-parts.ts';
import { keptDemoSeed, keptSandboxSecrets, keptSessionSecret } from './kept-values.ts';
import { partLogs, type Terminal } from './output.ts';
import { databasePart } from './postgres/database-part.ts';
import type { Prepared } from './postgres/prepare-database.ts';
import { startNodeChild } from './processes/node-child.ts';
import { deferred, type Running, type Supervised, supervise } from './processes/supervisor.ts';
import { buildWeb } from './web-build.ts';

/** One data folder with what serves it. */
export interface Installation {
  settings: Settings;
  environment: NodeJS.ProcessEnv;
  folder: string;
  port: number;
  publicUrl: string;
}

interface Parts {
  /** Settles when everything is served; rejects when something can't be made ready. */
  ready: Promise<Prepared>;
  /** Ends all parts, those first that use the others. */
  stop(): Promise<void>;
}

/** Of servers on 127.0.0.1; 0 for one that isn't started. */
interface InnerPorts {
  demoPort: number;
  sandboxPort: number;
}

/** What makes Stripe's client speak with the sandbox, and the api show its pages. */
function sandboxSettings(folder: string, sandboxPort: number): Record<string, string> {
  const { secretKey, webhookSecret } = keptSandboxSecrets(folder);
  const url = `http://127.0.0.1:${sandboxPort}`;
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: url,
    PAYMENT_SANDBOX_URL: url,
  };
}

/** Where a process of this machine reaches what listens on `host`. */
const ownHost = (host: string): string => (['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host);

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Starts every part of an installation at once: each loads its code while others are made ready.
 * The api opens its port when all the rest is ready.
 * @param endGivenPlan called when a part can't be kept running
 */
export function bringUp(at: Installation, terminal: Terminal, endGivenPlan: (why: string) => void): Parts {
  const { settings, environment, folder, port, publicUrl } = at;
  const logOf = partLogs(folder, terminal, settings.production);
  const building = new AbortController();
  const runFile = bundleParts();
  /** Of the role that owns the tables, and of the one that api and worker run as. */
  const ownerUrl = deferred<string>();
  const appUrl = deferred<string>();
  const prepared = deferred<Prepared>();
  const restIsReady = deferred<void>();
  const parts = new Map<string, Supervised>();
  // Who has keys of Stripe's means Stripe; where others than this machine's people come, no money is made up.
  const takesSandbox = settings.developmentPages && !environment.STRIPE_SECRET_KEY;

  function keep(name: string, start: (signal: AbortSignal) => Promise<Running>): Promise<void> {
    const part = supervise({
      name,
      start,
      onDeath: (reason) => terminal.problem(`${name} ${reason.split('\n')[0]}. It is started again.`),
      onBack: (milliseconds) => terminal.problem(`${name} is back after ${inSeconds(milliseconds)}.`),
      onGivingUp: endGivenPlan,
    });
    parts.set(name, part);
    return part.ready;
  }

  async function keepDatabase(): Promise<void> {
    if (settings.databaseUrl !== undefined) return ownerUrl.resolve(settings.databaseOwnerUrl ?? settings.databaseUrl);
    const database = databasePart(folder, logOf('postgres'));
    await keep('PostgreSQL', () => database.start());
    ownerUrl.resolve(await database.url);
  }

  async function prepare(): Promise<void> {
    // Loaded while the server starts.
    const loading = Promise.all([import('./postgres/prepare-database.ts'), import('./postgres/app-role.ts')]);
    const url = await ownerUrl.promise;
    const [{ prepareDatabase }, { makeAppRole }] = await loading;
    const app = settings.databaseUrl ?? (await makeAppRole(url));
    const isOther = settings.databaseUrl === undefined || settings.databaseOwnerUrl !== undefined;
    prepared.resolve(
      await prepareDatabase(url, settings.adminPassword, isOther ? app : undefined, settings.production),
    );
    appUrl.resolve(app);
  }

  async function keepDemo({ demoPort }: InnerPorts): Promise<void> {
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

  async function keepSandbox({ sandboxPort }: InnerPorts): Promise<void> {
    const onLine = logOf('sandbox');
    const { secretKey, webhookSecret } = keptSandboxSecrets(folder);
    const env = {
      PATH: environment.PATH,
      NODE_ENV: environment.NODE_ENV,
      PORT: String(sandboxPort),
      HOST: '127.0.0.1',
      SANDBOX_JOURNAL: join(folder, 'sandbox.ndjson'),
      SANDBOX_PUBLIC_URL: publicUrl,
      SANDBOX_SECRET_KEY: secretKey,
      SANDBOX_WEBHOOK_SECRET: webhookSecret,
      SANDBOX_WEBHOOK_URL: `http://${ownHost(settings.host)}:${port}/api/webhooks/stripe`,
    };
    const args = (await runFile)('api/sandbox/main.ts');
    const child = { name: 'sandbox', args, env, onLine, stopPatienceMs: 400 };
    await keep('sandbox', (signal) => startNodeChild(child, signal));
  }

  async function keepRole(role: 'api' | 'worker', { demoPort, sandboxPort }: InnerPorts): Promise<void> {
    const onLine = logOf(role);
    const env = {
      ...environment,
      DATABASE_URL: undefined,
      DATABASE_OWNER_URL: undefined,
      ADMIN_PASSWORD: undefined,
      DATA_DIR: folder,
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DEMO_MARKETPLACE: settings.demo.on ? 'on' : 'off',
      DEMO_URL: settings.demo.on ? `http://127.0.0.1:${demoPort}` : undefined,
      SESSION_SECRET: settings.sessionSecret ?? keptSessionSecret(folder),
      ...(takesSandbox ? sandboxSettings(folder, sandboxPort) : {}),
    };
    const orders = async (): Promise<Record<string, string>> => {
      await prepared.promise;
      return { ROLE: role, DATABASE_URL: await appUrl.promise };
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
    const ports = {
      demoPort: settings.demo.on ? await freePort() : 0,
      sandboxPort: takesSandbox ? await freePort() : 0,
    };
    const api = keepRole('api', ports);
    const worker = keepRole('worker', ports);
    await Promise.all([
      step('web app', () => buildWeb(building.signal), note),
      settings.demo.on ? step('demo marketplace', () => keepDemo(ports)) : undefined,
      takesSandbox ? step('payment sandbox', () => keepSandbox(ports)) : undefined,
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
      await Promise.all([parts.get('demo')?.stop(), parts.get('sandbox')?.stop()]);
      await parts.get('PostgreSQL')?.stop();
    },
  };
}
