import { join } from 'node:path';
import { freePort } from '../base/free-port.ts';
import type { Settings } from '../base/settings/settings.ts';
import { FolderInUse, lockFolder, makeDataFolder } from './data-folder.ts';
import { openTerminal, type Terminal } from './output.ts';
import { findListenFault } from './postgres/database-part.ts';
import type { Prepared } from './postgres/prepare-database.ts';
import { messageOf } from './processes/message-of.ts';
import { deferred } from './processes/supervisor.ts';
import { type Installation, startParts } from './start-parts.ts';

/** After this time the remaining parts are killed, within the promised 5 s. */
const STOP_MS = 4600;
/** npm forwards Ctrl-C, so that it arrives twice at once; a later one forces the exit. */
const SAME_SIGNAL_MS = 1000;

/** Locks the data folder and checks that the port is free. @throws Error with a message for the operator */
async function claimInstallation(settings: Settings, environment: NodeJS.ProcessEnv): Promise<Installation> {
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
  const fault = await findListenFault(port, settings.host);
  if (fault !== undefined) throw new Error(fault);
  return { settings, environment, folder, port, publicUrl };
}

function showReady(terminal: Terminal, at: Installation, { adminPassword }: Prepared, seconds: string): void {
  terminal.line(`\n  LotWatch is ready at ${at.publicUrl}   (${seconds} s; Ctrl-C stops it)`);
  if (!at.settings.production && !at.settings.developmentPages)
    terminal.line(
      `  The development pages are off, because other machines can reach ${at.settings.host}. Mails are written to outbox.ndjson.`,
    );
  if (adminPassword === null) return;
  terminal.line(
    at.settings.adminPassword === undefined
      ? `  Sign in as admin with the password ${adminPassword}   (shown this once; npm run admin:password sets another)`
      : '  Sign in as admin with ADMIN_PASSWORD.',
  );
}

/**
 * Runs all parts (ROLE=all) as child processes and restarts them, until a signal comes or one of them fails for good.
 * Then it exits.
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
    at = await claimInstallation(settings, environment);
  } catch (error) {
    terminal.problem(messageOf(error));
    process.exit(1);
  }
  terminal.line(`LotWatch prepares; its data is in ${at.folder}`);
  const parts = startParts(at, terminal, end.resolve);
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
