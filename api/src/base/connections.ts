import type { Pool } from './database.ts';
import type { Log } from './log.ts';

/** How many of its connections a process gives to each that opens some. */
export interface ApiConnections {
  /** The pool of the statements that are written by hand; sessions, limits and health use it too. */
  statements: number;
  entities: number;
  billing: number;
  listener: number;
}

export interface WorkerConnections {
  statements: number;
  /** Where Agenda keeps its jobs; 0 when that is MongoDB. */
  schedule: number;
  billing: number;
  listener: number;
}

const within = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(value)));

/** @param most connections of the process, at least 12; all of them are given away */
export function shareOfApi(most: number): ApiConnections {
  const listener = 1;
  const billing = within(1, most / 5, 5);
  const entities = within(1, (most - listener - billing) * 0.4, most);
  return { statements: most - listener - billing - entities, entities, billing, listener };
}

/** @param most connections of the process, at least 12; all of them are given away */
export function shareOfWorker(most: number, keepsJobs: 'PostgreSQL' | 'MongoDB'): WorkerConnections {
  const listener = 1;
  const billing = within(1, most / 8, 5);
  const schedule = keepsJobs === 'PostgreSQL' ? within(1, most / 8, 4) : 0;
  return { statements: most - listener - billing - schedule, schedule, billing, listener };
}

/** How many connections the server lets in for this user and database, those left out that it keeps for its operator. */
async function readMostOfServer(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ most: number }>(
    `select least(
       current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4
         - coalesce(current_setting('reserved_connections', true)::int4, 0),
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most`,
  );
  return rows[0]?.most ?? 0;
}

/** Says how many connections this process may open, and for what, beside how many the server lets in. */
export async function logConnections(pool: Pool, shares: ApiConnections | WorkerConnections, log: Log): Promise<void> {
  const sum = Object.values(shares).reduce((before: number, share: number) => before + share, 0);
  const mostOfServer = await readMostOfServer(pool);
  log.info('connections to the database, at most', { ...shares, sum, mostOfServer });
  if (sum > mostOfServer)
    log.warn('DATABASE_CONNECTIONS is more than the database server lets in', { sum, mostOfServer });
}
