import { join } from 'node:path';
import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings/settings.ts';
import { bringUp, type Installation } from './bring-up.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { makeDataFolder } from './kept-values.ts';
import { openTerminal, type Terminal } from './output.ts';
import { whyNotListen } from './postgres/database-part.ts';
import type { Prepared } from './postgres/prepare-database.ts';
import { deferred } from './processes/supervisor.ts';

/** All parts together may take this long to end; then they are killed, below the 5 s that are promised. */
const STOP_MS = 4600;
/** npm hands a Ctrl-C on, so that it comes twice at once; a later one means that somebody has no patience. */
const SAME_SIGNAL_MS = 1000;

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const causes = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : '';
  return error.message || causes || String((error as NodeJS.ErrnoException).code);
};

/** Takes the data folder and looks whether the port is free. @throws Error whose message says who is in the way */
async function takePlace(settings: Settings, environment: NodeJS.ProcessEnv): Promise<Installation> {
  const port = settings.port === 0 ? await freePort() : settings.port;
  const publicUrl = settings.port === 0 && !environment.PUBLIC_URL ? `http://localhost:${port}` : settings.publicUrl;
  let folder: string;
  try {
    folder = makeDataFolder(settings.dataDir);
    const lock = lockFolder(folder, join(folder, 'lock'), publicUrl);
    process.once('exit', () => lock.release());
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw new Error(`The data folder ${settings.dataDir} can't be used: ${messageOf(error)}`, { cause: error });
  }
  const inTheWay = await whyNotListen(port, settings.host);
  if (inTheWay !== undefined) throw new Error(inTheWay);
  return { settings, environment, folder, port, publicUrl };
}

function showReady(terminal: Terminal, at: Installation, { adminPassword }: Prepared, seconds: string): void {
  terminal.line(`\n  LotWatch is ready at ${at.publicUrl}   (${seconds} s; Ctrl-C stops it)`);
  if (!at.settings.production && !at.settings.developmentPages)
    terminal.line(
      `  The development pages are off, as other machines reach ${at.settings.host}. Mails lie in outbox.ndjson.`,
    );
  if (adminPassword === null) return;
  terminal.line(
    at.settings.adminPassword === undefined
      ? `  Sign in as admin with the password ${adminPassword}   (shown this once; npm run admin:password sets another)`
      : '  Sign in as admin with ADMIN_PASSWORD.',
  );
}

/**
 * ROLE=all: PostgreSQL, demo marketplace, worker and api as children of this process, which keeps them running
 * until a signal comes or one of them can't be kept. Ends the process.
 */
export async function startAll(settings: Settings, environment: NodeJS.ProcessEnv): Promise<never> {
  const terminal = openTerminal(process.stdout);
  const end = deferred<string | undefined>();
  let firstSignalAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now();
      if (performance.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(1);
      end.resolve(undefined);
    });
  }

  let at: Installation;
  try {
    at = await takePlace(settings, environment);
  } catch (error) {
    terminal.problem(messageOf(error));
    process.exit(1);
  }
  terminal.line(`LotWatch prepares; its data is in ${at.folder}`);
  const parts = bringUp(at, terminal, end.resolve);
  parts.ready.then(
    (prepared) => {
      terminal.finish();
      showReady(terminal, at, prepared, process.uptime().toFixed(1));
    },
    (error: unknown) => end.resolve(messageOf(error)),
  );

  const why = await end.promise;
  terminal.finish();
  terminal.line(why === undefined ? '\n  LotWatch stops …' : `\n  LotWatch stops: ${why}`);
  setTimeout(() => process.exit(1), STOP_MS);
  await parts.stop();
  terminal.line('  All of it is stopped.');
  process.exit(why === undefined ? 0 : 1);
}
