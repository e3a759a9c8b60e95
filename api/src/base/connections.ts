import type { Pool } from './database.ts';
import { type DatabaseAddress, isPooler } from './database-address.ts';
import type { Log } from './log.ts';

/** How an API process divides its database connections. */
export interface ApiConnections {
  /** The pool for SQL outside the ORM, including sessions and rate limits. */
  statements: number;
  entities: number;
  billing: number;
  listener: number;
  /** One for the health, and one for the measurements. */
  health: number;
}

export interface WorkerConnections {
  statements: number;
  /** For Agenda; 0 when it uses MongoDB. */
  schedule: number;
  /** For statements about partitions that take minutes, one after another. */
  partitions: number;
  billing: number;
  listener: number;
  /** One for the health, and one for the measurements. */
  health: number;
}

const clamp = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(value)));

/** The connections that nothing else shares. With a pooler the health also asks the server past it. */
function standAlone(hasPooler: boolean) {
  const alone = { listener: 1, health: hasPooler ? 3 : 2 };
  return { alone, count: alone.listener + alone.health };
}

/** So many connections of a process lead past the pooler: the listener's, and one of the health. */
const PAST_POOLER = 2;

/** Divides all connections of an API process. @param most at least 12 */
export function allocateForApi(most: number, hasPooler = false): ApiConnections {
  const { alone, count } = standAlone(hasPooler);
  const billing = clamp(1, most / 5, 5);
  const entities = clamp(1, (most - count - billing) * 0.4, most);
  return { statements: most - count - billing - entities, entities, billing, ...alone };
}

/** Divides all connections of a worker process. @param most at least 12 */
export function allocateForWorker(
  most: number,
  jobStore: 'PostgreSQL' | 'MongoDB',
  hasPooler = false,
): WorkerConnections {
  const { alone, count } = standAlone(hasPooler);
  const billing = clamp(1, most / 8, 5);
  const schedule = jobStore === 'PostgreSQL' ? clamp(1, most / 8, 4) : 0;
  const partitions = 1;
  return { statements: most - count - billing - schedule - partitions, schedule, partitions, billing, ...alone };
}

/** Reads how many connections the server allows for this user and database, without those reserved for superusers. */
async function readServerLimit(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ most: number }>(
    `select least(
       current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4
         - coalesce(current_setting('reserved_connections', true)::int4, 0),
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most`,
  );
  return rows[0]?.most ?? 0;
}

/** Logs how many connections this process may open, and how many the server allows. */
export async function logConnections(
  pool: Pool,
  shares: ApiConnections | WorkerConnections,
  log: Log,
  address: DatabaseAddress,
): Promise<void> {
  const sum = Object.values(shares).reduce((before: number, share: number) => before + share, 0);
  const serverMaximum = await readServerLimit(pool);
  const pastPooler = isPooler(address) ? { pastPooler: PAST_POOLER } : {};
  log.info('maximum of database connections', { ...shares, sum, ...pastPooler, serverMaximum });
  if ((pastPooler.pastPooler ?? sum) > serverMaximum)
    log.warn('DATABASE_CONNECTIONS is more than the database server allows', { sum, serverMaximum });
}
