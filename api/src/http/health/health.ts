import { cached } from '../../base/cached.ts';
import { makePool, type Pool } from '../../base/database.ts';
import { type DatabaseAddress, isPooler } from '../../base/database-address.ts';
import { latestMigration } from '../../entities/latest-migration.ts';

/** Whether a process should get work, and if not, why. */
export type HealthStatus =
  | 'ok'
  | 'starting'
  | 'draining'
  | 'database unreachable'
  | 'pooler unreachable'
  | 'database unreachable past the pooler'
  | 'database not migrated';

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
  /** The servers of a cluster that do not answer. Users of the others are served. */
  setAwayServers(servers: readonly string[]): void;
  awayServers(): readonly string[];
  close(): Promise<void>;
}

/** How long the database may take to answer. */
const TIMEOUT_MS = 3_000;
/** Several proxies may ask every second. */
const SHARED_MS = 500;

type AskedPool = Pick<Pool, 'query' | 'end'>;

async function ask(pool: AskedPool, timeoutMs: number): Promise<HealthStatus> {
  const silent = new Promise<HealthStatus>((resolve) => {
    setTimeout(resolve, timeoutMs, 'database unreachable').unref();
  });
  const answer = pool.query('select 1 from migrations where name = $1', [latestMigration]).then(
    ({ rows }): HealthStatus => (rows.length > 0 ? 'ok' : 'database not migrated'),
    (): HealthStatus => 'database unreachable',
  );
  return Promise.race([answer, silent]);
}

/** Says which of both is away, where a pooler stands before the server. */
function compare(throughPooler: HealthStatus, past: HealthStatus): HealthStatus {
  if (throughPooler === 'database unreachable') return past === throughPooler ? throughPooler : 'pooler unreachable';
  return past === 'database unreachable' ? 'database unreachable past the pooler' : throughPooler;
}

const ownPool = (address: DatabaseAddress): Pool => makePool(address, 1, 'lotwatch-health', TIMEOUT_MS);

/**
 * Makes the health of a process. Its connections are its own, so that a full pool of requests is not taken for a database that
 * is gone.
 * @param directUrl the address of the server, where `database` may be that of a pooler
 */
export function makeHealth(
  database: DatabaseAddress,
  directUrl: string,
  {
    pool = ownPool(database),
    past = isPooler(database) ? ownPool(directUrl) : undefined,
    timeoutMs = TIMEOUT_MS,
  }: HealthOptions = {},
): Health {
  let stage: 'starting' | 'ok' | 'draining' = 'starting';
  let isStoreReached = true;
  let away: readonly string[] = [];
  const readDatabase = cached(async () => {
    const [status, direct] = await Promise.all([ask(pool, timeoutMs), past && ask(past, timeoutMs)]);
    return direct === undefined ? status : compare(status, direct);
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
    setAwayServers(servers) {
      away = servers;
    },
    awayServers: () => away,
    async close() {
      await Promise.all([pool.end(), past?.end()]);
    },
  };
}

interface HealthOptions {
  pool?: AskedPool;
  past?: AskedPool;
  timeoutMs?: number;
}
