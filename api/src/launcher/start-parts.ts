import { join } from 'node:path';
import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings/settings.ts';
import { backedUpSettings } from './backup/backed-up-server.ts';
import { bundleParts } from './bundle-parts.ts';
import { storedDemoSeed, storedSandboxSecrets, storedSessionSecret } from './data-folder.ts';
import { memoryLimits } from './memory-limits.ts';
import { partLogs, type Terminal } from './output.ts';
import { databasePart } from './postgres/database-part.ts';
import { prepareApart } from './postgres/prepare-apart.ts';
import type { Prepared } from './postgres/prepare-database.ts';
import { startNodeChild } from './processes/node-child.ts';
import { deferred, type Running, type Supervised, supervise } from './processes/supervisor.ts';
import { buildWeb } from './web-build.ts';

/** A data folder with its settings and address. */
export interface Installation {
  settings: Settings;
  environment: NodeJS.ProcessEnv;
  folder: string;
  port: number;
  publicUrl: string;
}

interface Parts {
  /** Resolves when everything is served; rejects when something can't be prepared. */
  ready: Promise<Prepared>;
  /** Stops all parts, dependent ones first. */
  stop(): Promise<void>;
}

/** Ports of servers on 127.0.0.1; 0 for one that is not started. */
interface InnerPorts {
  demoPort: number;
  sandboxPort: number;
}

/** The settings by which Stripe's client uses the sandbox, and the API shows its pages. */
function sandboxSettings(folder: string, sandboxPort: number): Record<string, string> {
  const { secretKey, webhookSecret } = storedSandboxSecrets(folder);
  const url = `http://127.0.0.1:${sandboxPort}`;
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: url,
    PAYMENT_SANDBOX_URL: url,
  };
}

/** The host under which this machine reaches a server that listens on `host`. */
const reachableHost = (host: string): string => (['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host);

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Starts all parts of an installation in parallel, so that they load their code meanwhile. The API opens its port when all
 * others are ready.
 * @param onGivingUp called when a part fails for good
 */
export function startParts(at: Installation, terminal: Terminal, onGivingUp: (why: string) => void): Parts {
  const { settings, environment, folder, port, publicUrl } = at;
  const logOf = partLogs(folder, terminal, settings.production);
  const building = new AbortController();
  const runFile = bundleParts();
  /** The addresses for the role that owns the tables, and for the one of API and worker. */
  const ownerUrl = deferred<string>();
  const appUrl = deferred<string>();
  const prepared = deferred<Prepared>();
  const restIsReady = deferred<void>();
  const parts = new Map<string, Supervised>();
  // With a key of Stripe, or when other machines can reach the server, there is no sandbox.
  const usesSandbox = settings.developmentPages && !environment.STRIPE_SECRET_KEY;

  function startSupervised(name: string, start: (signal: AbortSignal) => Promise<Running>): Promise<void> {
    const part = supervise({
      name,
      start,
      onExit: (reason) => terminal.problem(`${name} ${reason.split('\n')[0]}. It is started again.`),
      onRestarted: (milliseconds) => terminal.problem(`${name} is back after ${formatSeconds(milliseconds)}.`),
      onGivingUp: onGivingUp,
    });
    parts.set(name, part);
    return part.ready;
  }

  async function startDatabase(): Promise<void> {
    const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = settings;
    if (databaseUrl !== undefined) return ownerUrl.resolve(databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl);
    const options = settings.backupDir === undefined ? [] : backedUpSettings;
    const database = databasePart(folder, logOf('postgres'), options);
    await startSupervised('PostgreSQL', () => database.start());
    ownerUrl.resolve(await database.url);
  }

  async function prepare(): Promise<void> {
    const order = ownerUrl.promise.then((url) => ({
      ownerUrl: url,
      appUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
      hasOwner: settings.databaseOwnerUrl !== undefined,
      adminPassword: settings.adminPassword,
      isBackedUp: settings.backupDir !== undefined,
      production: settings.production,
      layout: settings.databaseLayout,
    }));
    const args = (await runFile)('api/src/launcher/postgres/prepare.ts');
    const done = await prepareApart(args, order, building.signal, logOf('prepare'));
    prepared.resolve(done.prepared);
    appUrl.resolve(done.appUrl);
  }

  /** Archives the log of PostgreSQL, and makes base backups. */
  async function startBackup(backupDir: string): Promise<void> {
    const env = { PATH: environment.PATH, BACKUP_DIR: backupDir, DATA_DIR: folder };
    const bootConfiguration = ownerUrl.promise.then((url) => ({ DATABASE_URL: url }));
    const args = [...memoryLimits.local, ...(await runFile)('api/src/launcher/backup/main.ts')];
    const child = { name: 'backup', args, env, bootConfiguration, onLine: logOf('backup') };
    await startSupervised('backup', (signal) => startNodeChild(child, signal));
  }

  async function startDemo({ demoPort }: InnerPorts): Promise<void> {
    const onLine = logOf('demo');
    const env = {
      PATH: environment.PATH,
      NODE_ENV: environment.NODE_ENV,
      PORT: String(demoPort),
      HOST: '127.0.0.1',
      DEMO_SEED: String(settings.demo.seed ?? storedDemoSeed(folder)),
      DEMO_PER_SECOND: String(settings.demo.perSecond),
      DEMO_PUBLIC_URL: `${publicUrl}/demo`,
    };
    const args = [...memoryLimits.local, ...(await runFile)('api/demo/main.ts')];
    const child = { name: 'demo', args, env, onLine };
    await startSupervised('demo', (signal) => startNodeChild(child, signal));
  }

  async function startSandbox({ sandboxPort }: InnerPorts): Promise<void> {
    const onLine = logOf('sandbox');
    const { secretKey, webhookSecret } = storedSandboxSecrets(folder);
    const env = {
      PATH: environment.PATH,
      NODE_ENV: environment.NODE_ENV,
      PORT: String(sandboxPort),
      HOST: '127.0.0.1',
      SANDBOX_JOURNAL: join(folder, 'sandbox.ndjson'),
      SANDBOX_PUBLIC_URL: publicUrl,
      SANDBOX_SECRET_KEY: secretKey,
      SANDBOX_WEBHOOK_SECRET: webhookSecret,
      SANDBOX_WEBHOOK_URL: `http://${reachableHost(settings.host)}:${port}/api/webhooks/stripe`,
    };
    const args = [...memoryLimits.local, ...(await runFile)('api/sandbox/main.ts')];
    const child = { name: 'sandbox', args, env, onLine };
    await startSupervised('sandbox', (signal) => startNodeChild(child, signal));
  }

  async function startRole(role: 'api' | 'worker', { demoPort, sandboxPort }: InnerPorts): Promise<void> {
    const onLine = logOf(role);
    const env = {
      ...environment,
      ROLE: role,
      DATABASE_URL: undefined,
      DATABASE_DIRECT_URL: undefined,
      DATABASE_OWNER_URL: undefined,
      BACKUP_DIR: undefined,
      ADMIN_PASSWORD: undefined,
      DATA_DIR: folder,
      PORT: String(port),
      // Two processes can't share a port.
      HEALTH_PORT: settings.health && String(settings.health.port + (role === 'api' ? 0 : 1)),
      DRAIN_SECONDS: '0',
      PUBLIC_URL: publicUrl,
      DEMO_MARKETPLACE: settings.demo.on ? 'on' : 'off',
      DEMO_URL: settings.demo.on ? `http://127.0.0.1:${demoPort}` : undefined,
      SESSION_SECRET: settings.sessionSecret ?? storedSessionSecret(folder),
      ...(usesSandbox ? sandboxSettings(folder, sandboxPort) : {}),
    };
    const bootConfiguration = async (): Promise<Record<string, string>> => {
      await prepared.promise;
      const url = await appUrl.promise;
      const { databaseUrl: pooler, databaseDirectUrl } = settings;
      return databaseDirectUrl === undefined || pooler === undefined
        ? { DATABASE_URL: url }
        : { DATABASE_URL: pooler, DATABASE_DIRECT_URL: url };
    };
    const file = (await runFile)('api/src/main.ts');
    const child = { name: role, args: [...memoryLimits[role], ...file], env, onLine, mayListen: restIsReady.promise };
    return startSupervised(role, (signal) =>
      startNodeChild({ ...child, bootConfiguration: bootConfiguration() }, signal),
    );
  }

  async function start(): Promise<Prepared> {
    const { step } = terminal;
    const note = (built: boolean) => (built ? 'built from its sources' : 'unchanged');
    const ports = {
      demoPort: settings.demo.on ? await freePort() : 0,
      sandboxPort: usesSandbox ? await freePort() : 0,
    };
    const api = startRole('api', ports);
    const worker = startRole('worker', ports);
    await Promise.all([
      step('web app', () => buildWeb(building.signal), note),
      settings.demo.on ? step('demo marketplace', () => startDemo(ports)) : undefined,
      usesSandbox ? step('payment sandbox', () => startSandbox(ports)) : undefined,
      settings.databaseUrl === undefined ? step('PostgreSQL', startDatabase) : startDatabase(),
      settings.backupDir === undefined ? undefined : step('backup', () => startBackup(settings.backupDir ?? '')),
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
      // After it, as the end of its log is archived too.
      await parts.get('backup')?.stop();
    },
  };
}
