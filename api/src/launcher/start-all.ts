import { join } from 'node:path';
import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings.ts';
import { databasePart } from './database-part.ts';
import { deferred } from './deferred.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { keptDemoSeed, keptSessionSecret, makeDataFolder } from './kept-values.ts';
import { startNodeChild } from './node-child.ts';
import { partLogs } from './part-logs.ts';
import { whyNotListen } from './ports.ts';
import type { Prepared } from './prepare-database.ts';
import { CannotRun, type Running, type Supervised, supervise } from './supervisor.ts';
import { openTerminal } from './terminal.ts';
import { buildWeb } from './web-build.ts';

/** All parts together may take this long to end; then they are killed, below the 5 s that are promised. */
const STOP_MS = 4600;
/** npm hands a Ctrl-C on, so that it comes twice at once; a later one means that somebody has no patience. */
const SAME_SIGNAL_MS = 1000;

interface Stopped {
  why: string | undefined;
}

/**
 * ROLE=all: PostgreSQL, demo marketplace, worker and api as children of this process, which keeps them running
 * until a signal comes or one of them can't be kept. Ends the process.
 */
export async function startAll(settings: Settings, environment: NodeJS.ProcessEnv): Promise<never> {
  const began = performance.now();
  const terminal = openTerminal(process.stdout);
  const refuse = (why: string): never => {
    terminal.problem(why);
    process.exit(1);
  };
  const port = settings.port === 0 ? await freePort() : settings.port;
  const publicUrl = settings.port === 0 && !environment.PUBLIC_URL ? `http://localhost:${port}` : settings.publicUrl;
  let folder: string;
  try {
    folder = makeDataFolder(settings.dataDir);
    const lock = lockFolder(folder, join(folder, 'lock'), publicUrl);
    process.once('exit', () => lock.release());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof FolderInUse) return refuse(error.message);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return refuse(`The data folder ${settings.dataDir} can't be written: ${(error as Error).message}`);
    throw error;
  }
  const portProblem = await whyNotListen(port, settings.host);
  if (portProblem !== undefined) return refuse(portProblem);

  terminal.line(`LotWatch prepares; its data is in ${folder}`);
  const logOf = partLogs(folder, terminal, settings.production);
  const aborted = new AbortController();
  let end: (stopped: Stopped) => void = () => {};
  const ended = new Promise<Stopped>((settle) => {
    end = settle;
  });
  const parts: Record<string, Supervised> = {};
  const keep = (name: string, start: (signal: AbortSignal) => Promise<Running>): Promise<void> => {
    const part = supervise({
      name,
      start,
      onDeath: (reason) => terminal.problem(`${name} ${reason}\n  It is started again.`),
      onBack: (milliseconds) => terminal.problem(`${name} is back after ${(milliseconds / 1000).toFixed(1)} s.`),
      onGivingUp: (why) => end({ why }),
    });
    parts[name] = part;
    return part.ready;
  };

  const demoPort = settings.demo.on ? await freePort() : 0;
  const sharedEnv = { ...environment, DATA_DIR: folder, PORT: String(port), PUBLIC_URL: publicUrl };
  const { promise: databaseUrl, resolve: tellDatabaseUrl } = deferred<string>();
  const { promise: prepared, resolve: tellPrepared } = deferred<Prepared>();
  const { promise: restIsReady, resolve: tellRestIsReady } = deferred<void>();

  const orders = async (role: string): Promise<Record<string, string>> => {
    await prepared;
    if (role === 'api') await restIsReady;
    return {
      ROLE: role,
      DATABASE_URL: await databaseUrl,
      SESSION_SECRET: settings.sessionSecret ?? keptSessionSecret(folder),
      DEMO_MARKETPLACE: settings.demo.on ? 'on' : 'off',
      ...(settings.demo.on ? { DEMO_URL: `http://127.0.0.1:${demoPort}` } : {}),
    };
  };
  const keepNode = (role: 'api' | 'worker'): Promise<void> => {
    const onLine = logOf(role);
    const env = { ...sharedEnv, ADMIN_PASSWORD: undefined, DATABASE_URL: undefined };
    return keep(role, (signal) =>
      startNodeChild({ name: role, file: 'api/src/main.ts', env, orders: orders(role), onLine }, signal),
    );
  };
  const keepDemo = (): Promise<void> => {
    const onLine = logOf('demo');
    const env = {
      PATH: environment.PATH,
      NODE_ENV: environment.NODE_ENV,
      PORT: String(demoPort),
      HOST: '127.0.0.1',
      DEMO_SEED: String(settings.demo.seed ?? keptDemoSeed(folder)),
      DEMO_PER_SECOND: String(settings.demo.perSecond),
      DEMO_PUBLIC_URL: `${publicUrl}/demo`,
      DATA_DIR: folder,
    };
    return keep('demo', (signal) =>
      startNodeChild({ name: 'demo', file: 'api/demo/main.ts', env, onLine, stopPatienceMs: 400 }, signal),
    );
  };
  const keepDatabase = async (): Promise<void> => {
    if (settings.databaseUrl !== undefined) return tellDatabaseUrl(settings.databaseUrl);
    const database = databasePart(folder, logOf('postgres'));
    await keep('PostgreSQL', () => database.start());
    tellDatabaseUrl(await database.url);
  };
  const prepare = async (): Promise<void> => {
    // Loaded while the server starts: the ORM is a large piece of code.
    const loading = import('./prepare-database.ts');
    const url = await databaseUrl;
    const { prepareDatabase } = await loading;
    tellPrepared(await prepareDatabase(url, settings.adminPassword));
  };

  async function bringUp(): Promise<void> {
    const { step } = terminal;
    const made = (built: boolean) => (built ? 'built from its sources' : 'unchanged');
    const web = step('web app', () => buildWeb(aborted.signal), made);
    const api = keepNode('api');
    const worker = keepNode('worker');
    await Promise.all([
      web,
      settings.demo.on ? step('demo marketplace', keepDemo) : undefined,
      settings.databaseUrl === undefined ? step('PostgreSQL', keepDatabase) : keepDatabase(),
      step('tables and plans', prepare),
      step('worker', () => worker),
    ]);
    await step('api', () => {
      tellRestIsReady();
      return api;
    });
    terminal.finish();
    const took = ((performance.now() - began) / 1000).toFixed(1);
    terminal.line(`\n  LotWatch is ready at ${publicUrl}   (${took} s, Ctrl-C stops it)`);
  }

  async function showPassword(): Promise<void> {
    const { adminPassword } = await prepared;
    if (adminPassword === null) return;
    if (settings.adminPassword !== undefined) return terminal.line('  The user admin was made with ADMIN_PASSWORD.');
    terminal.line(
      `  The user admin was made with the password  ${adminPassword}\n  It is shown this once; npm run admin:password sets another.`,
    );
  }

  let firstSignalAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now();
      if (performance.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(1);
      end({ why: undefined });
    });
  }

  bringUp().then(showPassword, (error: unknown) => {
    const why = error instanceof Error ? error.message || String((error as { code?: unknown }).code) : String(error);
    end({ why: error instanceof CannotRun ? why : why });
  });

  const { why } = await ended;
  terminal.finish();
  aborted.abort();
  if (why === undefined) terminal.line('\n  LotWatch stops …');
  else terminal.problem(`LotWatch stops: ${why}`);
  const since = performance.now();
  setTimeout(() => process.exit(1), STOP_MS);
  await Promise.all([parts.api?.stop(), parts.worker?.stop()]);
  await parts.demo?.stop();
  await parts.PostgreSQL?.stop();
  terminal.line(`  All of it is stopped. (${((performance.now() - since) / 1000).toFixed(1)} s)`);
  process.exit(why === undefined ? 0 : 1);
}
