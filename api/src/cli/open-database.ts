import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePool, type Pool, statementTimeouts } from '../base/database.ts';
import { printable } from '../base/printable.ts';
import { readSettings, type Settings } from '../base/settings/settings.ts';
import { followLayout } from '../placement/follow-layout.ts';
import { isDistributed } from '../placement/layout.ts';
import { LayoutError } from '../placement/prepare-layout.ts';

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

/** A command can't run as it was called; the message says how to call it. */
export class UsageError extends Error {}

/** The address from DATABASE_URL, or of the LotWatch that runs on DATA_DIR. */
export function databaseUrl(settings: Settings): string {
  const url = settings.databaseDirectUrl ?? settings.databaseUrl;
  if (url !== undefined) return url;
  const path = join(settings.dataDir, 'database-url');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  throw new UsageError(`No LotWatch has run on ${settings.dataDir}: start it with npm start, or set DATABASE_URL.`);
}

/**
 * Opens a database for a command, whose statements are those for the layout of its tables.
 * @throws LayoutError
 */
export async function openPool(url: string, connections: number, name: string): Promise<Pool> {
  const pool = makePool(url, connections, name);
  try {
    await followLayout(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** @throws LayoutError where the tables are distributed @param command 'npm run backup' */
export function refuseDistributed(command: string, areDistributed = isDistributed()): void {
  if (!areDistributed) return;
  throw new LayoutError(
    'CITUS_COMMAND',
    `${command} is for a database on one server: this one would be changed at its coordinator alone. api/docs/operating/citus.md says what to do.`,
  );
}

/** @throws UsageError where the database is not the embedded one */
export function requireEmbedded(command: string, { databaseUrl, databaseLayout }: Settings): void {
  refuseDistributed(command, databaseLayout === 'citus');
  if (databaseUrl !== undefined)
    throw new UsageError(
      `${command} is for the embedded PostgreSQL: api/docs/operating/pgbackrest.md is about others.`,
    );
}

async function refuseUnusable(pool: Pool, probe: string): Promise<void> {
  try {
    await pool.query(probe);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const isOld = code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN;
    const message = isOld
      ? 'The database is not of this version yet: start LotWatch with npm start first.'
      : `The database does not answer (${code}). The embedded one runs while LotWatch does: npm start.`;
    throw new UsageError(message, { cause });
  }
}

/**
 * Runs a command on LotWatch's database.
 * @param probe a statement that fails on a database of an older version @param timeoutMs how long a statement may take
 */
export async function withDatabase(
  name: string,
  probe: string,
  work: (pool: Pool) => Promise<void>,
  timeoutMs: number = statementTimeouts.job,
): Promise<void> {
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  const pool = makePool(databaseUrl(settings), 2, name, timeoutMs);
  try {
    await refuseUnusable(pool, probe);
    await followLayout(pool);
    await work(pool);
  } finally {
    await pool.end();
  }
}

/** Exits with status 0, or with 1 and the error on stderr. */
export function exitWith(done: Promise<void>): void {
  done.then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message.trimEnd() : String(error)}\n`);
      process.exit(1);
    },
  );
}

export const print = (value: unknown): void => void process.stdout.write(`${printable(JSON.stringify(value))}\n`);
