import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropOnCluster, makeOnCluster } from '../../../api/lab/cluster-database.ts';
import { makeTemporaryFolder } from '../../../api/lab/temporary-folder.ts';
import { makePool } from '../../../api/src/base/database.ts';
import { freePort } from '../../../api/src/base/free-port.ts';
import { type Account, logIn, register } from './session.ts';

const START_TIMEOUT_MS = 120_000;
const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface LotWatchUnderTest {
  /** Its address, without a trailing slash. */
  url: string;
  dataDir: string;
  /** The address of its database, as an operator finds it. */
  databaseUrl: string;
  ingestToken: string;
  adminPassword: string;
  /** The id of the process that keeps its parts running. */
  pid: number;
}

/** Makes a database on a cluster where CITUS_URL is the address of a coordinator. Without it LotWatch has its own. */
async function makeDatabase() {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) return undefined;
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const made = await makeOnCluster(CITUS_URL, name);
  return {
    env: { DATABASE_URL: made.url, DATABASE_LAYOUT: 'citus' },
    drop: () => dropOnCluster(made, [name]),
  };
}

/** Pushes marketplace items, as an operator does. @throws if they are refused as a whole */
export async function push(
  { url, ingestToken }: Pick<LotWatchUnderTest, 'url' | 'ingestToken'>,
  source: string,
  items: readonly unknown[],
): Promise<unknown> {
  const answer = await fetch(`${url}/api/ingest/${source}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(items),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function answers(url: string, server: ChildProcess, output: () => string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; ) {
    if (server.exitCode !== null) break;
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Its port is closed until everything is ready.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`LotWatch did not start for the browser tests:\n${output()}`);
}

/** Starts LotWatch as a user does, in a data folder that is deleted afterwards. @throws with its output */
export async function startLotWatch(
  more: Record<string, string> = {},
): Promise<LotWatchUnderTest & { stop(): Promise<void> }> {
  const folder = makeTemporaryFolder();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = join(folder, 'data');
  const ingestToken = 'token-of-the-browser-tests';
  const adminPassword = 'password-of-the-browser-tests';
  const { NODE_ENV: _testing, ...environment } = process.env;
  const database = await makeDatabase();
  const server = spawn(process.execPath, ['api/src/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_SEED: '1',
      INGEST_TOKEN: ingestToken,
      ADMIN_PASSWORD: adminPassword,
      RATE_LIMITS: 'off',
      WEBHOOK_PRIVATE_NETWORK: 'on',
      ...database?.env,
      ...more,
    },
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000);
    });
  }
  // An interrupted run leaves no process behind.
  const endNow = () => server.kill('SIGTERM');
  process.once('exit', endNow);
  const stop = async (): Promise<void> => {
    process.off('exit', endNow);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  };
  try {
    await answers(url, server, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  const databaseUrl = database?.env.DATABASE_URL ?? readFileSync(join(dataDir, 'database-url'), 'utf8').trim();
  return { url, dataDir, databaseUrl, ingestToken, adminPassword, pid: server.pid ?? 0, stop };
}

/**
 * Lets no price model be fitted before `fitPrices`: its bands would replace those that a test wrote. A new LotWatch has
 * too few cars for one.
 */
export async function holdPrices(lotWatch: LotWatchUnderTest): Promise<void> {
  // The worker's own first claim, which it gives back within moments, is waited for.
  const hold = `update price_models set claimed_until = now() + interval '1 day'
                 where claimed_until is null or claimed_until < now()`;
  while ((await onDatabase(lotWatch, hold)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Lets price models be fitted from now on. */
export async function fitPrices(lotWatch: LotWatchUnderTest): Promise<void> {
  await onDatabase(lotWatch, 'update price_models set claimed_until = null');
}

/** @returns how many rows the statement changed */
async function onDatabase(lotWatch: LotWatchUnderTest, statement: string): Promise<number> {
  const pool = makePool(lotWatch.databaseUrl, 1, 'browser-tests');
  const { rowCount } = await pool.query(statement);
  await pool.end();
  return rowCount ?? 0;
}

/** The users who exist before every test: see `someone()`. */
export async function prepareAccounts(
  lotWatch: LotWatchUnderTest,
): Promise<Record<'user' | 'admin' | 'paid', Account>> {
  const [user, paid, admin] = await Promise.all([
    register(lotWatch.url, 'prepared-user', 'secret-1'),
    register(lotWatch.url, 'prepared-paid', 'secret-1'),
    logIn(lotWatch.url, 'admin', lotWatch.adminPassword),
  ]);
  await onDatabase(lotWatch, "update users set plan_id = 3 where username = 'prepared-paid'");
  return { user, admin, paid };
}
