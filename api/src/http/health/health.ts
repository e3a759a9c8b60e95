import { cached } from '../../base/cached.ts';
import { makePool, type Pool } from '../../base/database.ts';
import { latestMigration } from '../../entities/latest-migration.ts';

/** Whether a process should get work, and if not, why. */
export type HealthStatus = 'ok' | 'starting' | 'draining' | 'database unreachable' | 'database not migrated';

export interface Health {
  /** Answers after a few seconds at most. */
  read(): Promise<HealthStatus>;
  /** The process has started. */
  start(): void;
  /** The process stops: it ends what it has begun, and should get no more. */
  drain(): void;
  isDraining(): boolean;
  /** The store of the jobs' schedule is reached, or not; without it, jobs run when woken and by timers. */
  setJobStore(isReached: boolean): void;
  hasJobStore(): boolean;
  close(): Promise<void>;
}

/** How long the database may take to answer. */
const TIMEOUT_MS = 3_000;
/** Several proxies may ask every second. */
const SHARED_MS = 500;

/**
 * Makes the health of a process. Its connection is its own, so that a full pool of requests is not taken for a database that
 * is gone.
 */
export function makeHealth(
  databaseUrl: string,
  { pool = makePool(databaseUrl, 1, 'lotwatch-health', TIMEOUT_MS), timeoutMs = TIMEOUT_MS }: HealthOptions = {},
): Health {
  let stage: 'starting' | 'ok' | 'draining' = 'starting';
  let isStoreReached = true;
  const ask = async (): Promise<HealthStatus> => {
    const { rows } = await pool.query('select 1 from migrations where name = $1', [latestMigration]);
    return rows.length > 0 ? 'ok' : 'database not migrated';
  };
  const readDatabase = cached(async () => {
    const silent = new Promise<HealthStatus>((resolve) => {
      setTimeout(resolve, timeoutMs, 'database unreachable').unref();
    });
    return Promise.race([ask().catch((): HealthStatus => 'database unreachable'), silent]);
  }, SHARED_MS);
  return {
    async read() {
      if (stage !== 'ok') return stage;
      return readDatabase();
    },
    start() {
      stage = 'ok';
    },
    drain() {
      stage = 'draining';
    },
    isDraining: () => stage === 'draining',
    setJobStore(isReached) {
      isStoreReached = isReached;
    },
    hasJobStore: () => isStoreReached,
    close: () => pool.end(),
  };
}

interface HealthOptions {
  pool?: Pick<Pool, 'query' | 'end'>;
  timeoutMs?: number;
}
