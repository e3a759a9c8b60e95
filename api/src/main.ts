import { sendTraces } from './app/send-traces.ts';
import { makeLog } from './base/log.ts';
import { readSettings, type Settings, SettingsError } from './base/settings/settings.ts';
import {
  awaitBootConfiguration,
  awaitListen,
  isUnderLauncher,
  notifyLauncher,
} from './launcher/processes/under-launcher.ts';

/** Below the 2 s after which the launcher kills its child processes, or the 20 s that an operator was promised. */
const CLOSE_TIMEOUT_MS = isUnderLauncher() ? 1_800 : 19_000;

/** Reads the settings, or exits with all errors of the settings and of SOURCES_FILE. */
async function settingsOrExit(environment: NodeJS.ProcessEnv): Promise<Settings> {
  const faults: string[] = [];
  const collect = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const settings = collect(() => readSettings(environment));
  const { SOURCES_FILE } = environment;
  if (SOURCES_FILE) {
    const { readSourcesFile, refuseUnknownPlaces } = await import('./sources/source-settings.ts');
    collect(() => refuseUnknownPlaces(readSourcesFile(SOURCES_FILE)));
  }
  if (settings && faults.length === 0) return settings;
  process.stderr.write(`${new SettingsError(faults).message}\n`);
  process.exit(1);
}

async function prepareStandalone(settings: Settings): Promise<Settings> {
  const { makeDataFolder } = await import('./launcher/data-folder.ts');
  const { prepareDatabase } = await import('./launcher/postgres/prepare-database.ts');
  const dataDir = makeDataFolder(settings.dataDir);
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl, adminPassword, production, databaseLayout } = settings;
  const ownUrl = databaseDirectUrl ?? databaseUrl;
  if (databaseOwnerUrl !== undefined)
    await prepareDatabase(databaseOwnerUrl, adminPassword, ownUrl, production, databaseLayout);
  else if (ownUrl !== undefined) await prepareDatabase(ownUrl, adminPassword, undefined, production, databaseLayout);
  return { ...settings, dataDir };
}

/** Waits for the database. @throws Error where a pooler lacks something */
async function awaitDatabase({ databaseUrl, databaseDirectUrl, role }: Settings): Promise<void> {
  if (databaseUrl === undefined) return;
  const { waitForDatabase } = await import('./base/database.ts');
  const log = makeLog(role);
  await waitForDatabase(databaseDirectUrl ?? databaseUrl, log);
  if (databaseDirectUrl === undefined) return;
  const pooler = { pooler: databaseUrl };
  await waitForDatabase(pooler, log);
  const { requirePooler } = await import('./base/require-pooler.ts');
  await requirePooler(pooler, databaseDirectUrl);
}

/** Lets a worker wait for all servers of a cluster, as it writes what is copied to them. */
async function awaitServers({ databaseUrl, databaseDirectUrl, role }: Settings): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined || role !== 'worker') return;
  const { makePool } = await import('./base/database.ts');
  const { untilServersAnswer } = await import('./placement/watch-servers.ts');
  const pool = makePool(url, 1, 'lotwatch-worker');
  await untilServersAnswer(pool, makeLog(role), () => notifyLauncher({ type: 'waiting' })).finally(() => pool.end());
}

/** Loads the code of one role; that of the other would only take memory. */
async function loadRole(role: string | undefined) {
  return role === 'api'
    ? (await import('./app/build-api.ts')).buildApi
    : (await import('./app/build-worker.ts')).buildWorker;
}

/** Runs the API or the worker until a signal comes or the launcher exits. */
async function runRole(environment: NodeJS.ProcessEnv): Promise<void> {
  const loading = loadRole(environment.ROLE);
  const given = await settingsOrExit(isUnderLauncher() ? await awaitBootConfiguration() : environment);
  await awaitDatabase(given);
  const settings = isUnderLauncher() ? given : await prepareStandalone(given);
  await awaitServers(settings);
  const tracing = await sendTraces(settings, makeLog(settings.role));
  const build = await loading;
  const part = await build(settings);
  if (settings.role === 'api') await awaitListen();
  await part.start();

  let closing = false;
  const close = (signal?: NodeJS.Signals): void => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT_MS).unref();
    // Somebody who presses Ctrl-C waits for it.
    const drained = signal === 'SIGTERM' && 'drain' in part ? part.drain() : Promise.resolve();
    drained
      .then(() => part.close())
      .then(() => tracing.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  process.on('disconnect', () => close());
  await notifyLauncher({ type: 'ready' });
}

async function main(): Promise<void> {
  if (isUnderLauncher()) return runRole(process.env);
  const settings = await settingsOrExit(process.env);
  if (settings.role !== 'all') return runRole(process.env);
  const { startAll } = await import('./launcher/start-all.ts');
  return startAll(settings, process.env);
}

main().catch(async (error: unknown) => {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    await notifyLauncher({ type: 'cannot-run', reason: (error as Error).message });
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
