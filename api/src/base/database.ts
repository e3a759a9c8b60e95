import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseAddress, isPooler, urlOf } from './database-address.ts';
import { isServerAway, isStalePlan, SILENT } from './database-fault.ts';
import type { Log } from './log.ts';
import { renewStalePlans } from './pooled-plans.ts';
import { handOutSoundConnections } from './sound-connections.ts';
import { traceStatements } from './traced-statements.ts';
import { dropReadOnlyConnections, partsOf, refuseStandby, requireWritable } from './writable-server.ts';

const INT8 = 20;
const INT8_ARRAY: number = 1016;

const readTexts = pg.types.getTypeParser(INT8_ARRAY, 'text') as (array: string) => (string | null)[];
const readNumbers = (array: string) => readTexts(array).map((text) => (text === null ? null : Number(text)));

/** Reads int8 as number, since ids stay below 2^53. The search keys of matching don't, but are never read. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    return oid === INT8_ARRAY ? readNumbers : pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** After this idle time in a transaction the server ends the session, whose process may have been stopped. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** The same for a transaction for which many others may wait: all of matching, all webhooks, or all writers of a table. */
export const SHORT_IDLE_MS = 4_000;
/** The statement to send with "begin" when `IDLE_IN_TRANSACTION_MS` is too long. */
export const limitIdleTime = (ms: number): string => `set local idle_in_transaction_session_timeout = ${ms}`;
/** Begins such a transaction. */
export const beginWithShortIdle = `begin; ${limitIdleTime(SHORT_IDLE_MS)}`;

/**
 * With these the server notices within 20 s that the client is unreachable, also while it waits for the client to read.
 * Unix sockets, and systems without these settings, ignore them.
 */
const keepalives = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
};
const KEEPALIVE_AFTER_MS = 10_000;
/** Ends the running statement of a lost client as well. It is set separately since Windows refuses it. */
const checkClientConnection = "set client_connection_check_interval = '5s'";

/** How long connecting may take, and waiting for a connection of the pool. */
const CONNECT_MS = 5_000;

/** How long one statement may take in milliseconds, in a request and in a job. */
export const statementTimeouts = { request: 10_000, job: 120_000 } as const;

export type Pool = pg.Pool;
export type Client = pg.PoolClient;
/** Runs one statement: a pool, a client in a transaction, or `sqlOf` an entity manager. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | { name?: string; text: string; values?: unknown[] },
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** The limits of every connection. @param timeoutMs how long one statement may take */
export function connectionLimits(timeoutMs: number) {
  return {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    options: Object.entries(keepalives)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_MS,
    // The server cancels the statement before the client closes the connection, so that it does not run on.
    statement_timeout: timeoutMs - 1_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // pg-pool calls it before it uses a new connection, and closes one for which it throws.
    onConnect: refuseStandby,
  };
}

/** The connections of a pooler are shared, so that it sets their limits itself; it refuses those that a client asks for. */
const poolerLimits = {
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  connectionTimeoutMillis: CONNECT_MS,
  onConnect: refuseStandby,
};

/** The limits of each connection to an address. @param timeoutMs how long one statement may take */
export const limitsFor = (address: DatabaseAddress, timeoutMs: number) =>
  isPooler(address) ? poolerLimits : connectionLimits(timeoutMs);

/**
 * Makes a pool close the connections to an unresponsive or read-only server, give up lost ones, and hand out none that may
 * be lost; and the server cancel the statements of a lost client.
 */
export function watchConnections(pool: Pool, address: DatabaseAddress, timeoutMs: number): void {
  closeSilentConnections(pool, timeoutMs);
  releaseLostConnections(pool);
  dropReadOnlyConnections(pool);
  if (!isPooler(address)) cancelForLostClients(pool);
  handOutSoundConnections(pool);
  traceStatements(pool);
}

function cancelForLostClients(pool: Pool): void {
  pool.on('connect', (client) => {
    client.query(checkClientConnection).catch(() => {});
  });
}

/**
 * Removes connections from a pool that are lost while they are in use. The ORM releases the connection of a transaction once
 * it is committed or rolled back, which is not possible any more, so each would keep a place of the pool for ever.
 */
function releaseLostConnections(pool: Pool): void {
  const inUse = new WeakSet<Client>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!inUse.has(client)) return;
      client.release(new Error('The connection was lost.'));
      // Whoever uses it may release it too.
      client.release = () => {};
    });
  });
}

/**
 * Closes a connection whose server does not respond to a statement in time. The statement fails, and the connection, in
 * which a transaction may be open, is not used again.
 */
function closeSilentConnections(pool: Pool, timeoutMs: number): void {
  pool.on('connect', (client) => {
    const parts = partsOf(client);
    const { stream } = parts.connection;
    stream.setTimeout(timeoutMs);
    stream.on('timeout', () => {
      if (parts.readyForQuery) return;
      stream.destroy(Object.assign(new Error('The database does not respond.'), { code: SILENT }));
    });
  });
}

/**
 * Makes a pool for SQL outside the ORM, which has its own.
 * @param timeoutMs how long one statement may take
 */
export function makePool(
  address: DatabaseAddress,
  max = 10,
  name = 'lotwatch',
  timeoutMs: number = statementTimeouts.job,
): Pool {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: urlOf(address),
    max,
    types: typeParsers,
    application_name: name,
    // Needed by `pipeline`.
    pipeline: true,
    ...limitsFor(address, timeoutMs),
  };
  const pool = new pg.Pool(config);
  // When the server goes away idle clients fail; the next query opens a new one.
  pool.on('error', () => {});
  if (isPooler(address)) renewStalePlans(pool);
  // A client that is lost between two statements of a transaction must not end the process; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  watchConnections(pool, address, timeoutMs);
  return pool;
}

function corked<T>(client: Client, send: () => T): T {
  const { stream } = partsOf(client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * Sends statements in one write, so that they take one round trip. In a transaction, those after a failed one fail too.
 * @param send starts all statements synchronously
 * @returns when all statements have ended
 * @throws the first error, only after all statements have ended
 */
export async function pipeline<T extends readonly unknown[] | []>(
  client: Client,
  send: () => T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const sent = corked(client, send);
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

/** Sends the transaction's last statements together with its commit. The client must not be used afterwards. */
export type CommitWith = (send: () => readonly unknown[]) => Promise<void>;

/**
 * For transactions whose statements find a few rows by index: each statement is planned once, for an index scan, since
 * planning takes longer than such a statement. With many rows a plan that was made for empty tables would be slower.
 */
const forceIndexScans = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';
export const beginWithIndexScans = `begin; ${forceIndexScans}`;
/** Restores normal planning for the rest of such a transaction. */
export const resetPlanner = 'set local plan_cache_mode = auto; set local enable_seqscan = on';

/**
 * Runs `work` in one transaction on one client; any error rolls it back and is rethrown. "begin" is sent with the first
 * statement, and "commit" with the statements that `work` passes to `commitWith`; it rolls back when one of them failed.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: Client, commitWith: CommitWith) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let commit: Promise<pg.QueryResult> | undefined;
  const commitWith: CommitWith = async (send) => {
    await pipeline(client, () => {
      const last = send();
      commit = client.query('commit');
      return [...last, commit];
    });
  };
  let begun: Promise<unknown> | undefined;
  try {
    const result = await corked(client, async () => {
      begun = client.query(begin);
      begun.catch(() => {});
      const done = await work(client, commitWith);
      await begun;
      return done;
    });
    const { command } = await (commit ?? client.query('commit'));
    // The error of a failed statement may have been caught; the server then answers "rollback" without an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    // The next connection prepares the statement again.
    if (error instanceof Error && isStalePlan(error)) broken ??= error;
    // Where the beginning failed, the statements after it only say that it did.
    const first = await begun?.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    throw first ?? error;
  } finally {
    client.release(broken);
  }
}

/** The SQLSTATEs of a server that starts, recovers, shuts down, is full or read-only. */
const TEMPORARY_STATES = /^(57|53|25006)/;
const RETRY_MS = 200;

/** The error for the operator, where a pooler refuses what a session needs. */
const describeRefusal = (error: pg.DatabaseError): Error =>
  error.message.startsWith('unsupported startup parameter')
    ? new Error(
        'A pooler refuses the limits of a session. If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to the address ' +
          'of the server itself: api/docs/operating/pooler.md says more.',
        { cause: error },
      )
    : error;

/**
 * Waits until the server accepts connections and writes, such as during its recovery after a crash.
 * @throws a permanent refusal at once, and any error after the timeout
 */
export async function waitForDatabase(address: DatabaseAddress, log: Log, timeoutMs = 45_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let isLogged = false; ; ) {
    const client = new pg.Client({ connectionString: urlOf(address), ...limitsFor(address, CONNECT_MS) });
    client.on('error', () => {});
    try {
      await client.connect();
      await requireWritable(client);
      return;
    } catch (error) {
      const isAway = isPooler(address) && isServerAway(error);
      const refused = error instanceof pg.DatabaseError && !isAway && !TEMPORARY_STATES.test(error.code ?? '');
      if (refused) throw describeRefusal(error);
      if (performance.now() > deadline) throw error;
      if (!isLogged) log.info('waiting for the database', { reason: error instanceof Error ? error.message : error });
      isLogged = true;
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(RETRY_MS);
  }
}
