import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { partsOf } from './client-parts.ts';
import { SILENT } from './database-fault.ts';
import type { Log } from './log.ts';
import { leaveWhenReadOnly, refuseStandby, requireWritable } from './writable-server.ts';

const INT8 = 20;
const INT8_ARRAY: number = 1016;

const readTexts = pg.types.getTypeParser(INT8_ARRAY, 'text') as (array: string) => (string | null)[];
const readNumbers = (array: string) => readTexts(array).map((text) => (text === null ? null : Number(text)));

/** Reads int8 as number: ids stay below 2^53. The search keys of matching do not, and are never read back. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    return oid === INT8_ARRAY ? readNumbers : pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** The server ends a session that says nothing for so long within a transaction: its process may have been stopped. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** The same for a transaction on which all of matching or all webhooks may wait. */
export const SHORT_IDLE_MS = 4_000;
/** To be sent with "begin" where `IDLE_IN_TRANSACTION_MS` is too long. */
export const endWhenIdle = (ms: number): string => `set local idle_in_transaction_session_timeout = ${ms}`;

/**
 * How the server notices that we are cut off and no packet says so: after 20 s, also while it waits for us to take an
 * answer. Unix sockets, and systems without these settings, ignore them.
 */
const keepalives = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
};
const KEEPALIVE_AFTER_MS = 10_000;
/** A statement that still runs then ends as well. Not among the keepalives, since Windows refuses it. */
const noticeLostClient = "set client_connection_check_interval = '5s'";

/** How long a server may take to let us in, and a request to get one of the pool's connections. */
const CONNECT_MS = 5_000;

/** How long one statement may take: a request's, behind which somebody waits, and a job's. */
export const patience = { request: 10_000, job: 120_000 } as const;

export type Pool = pg.Pool;
export type Client = pg.PoolClient;
/** What runs one statement: a pool, a client inside a transaction, or `sqlOf` an entity manager. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | { name?: string; text: string; values?: unknown[] },
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** The limits of every connection. @param patienceMs how long one statement may take */
export function connectionLimits(patienceMs: number) {
  return {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    options: Object.entries(keepalives)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_MS,
    // The server gives up before we cut the connection, so that nothing runs on that nobody waits for.
    statement_timeout: patienceMs - 1_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // pg-pool calls it before it hands a new connection out, and ends one that it refuses.
    onConnect: refuseStandby,
  };
}

/**
 * Lets a pool leave connections that are of no use any more: to a silent server, and to one that is read-only. The
 * server in its turn leaves a client that is gone.
 */
export function watchConnections(pool: Pool, patienceMs: number): void {
  cutWhenSilent(pool, patienceMs);
  leaveWhenReadOnly(pool);
  endWithClient(pool);
}

/** Lets the server end the statements of a client that is gone. */
function endWithClient(pool: Pool): void {
  pool.on('connect', (client) => {
    client.query(noticeLostClient).catch(() => {});
  });
}

/**
 * Cuts a connection whose server has said nothing to a statement for that long, though it still stands: the statement
 * fails, and the connection, in which a transaction may be open, is never used again.
 */
function cutWhenSilent(pool: Pool, patienceMs: number): void {
  pool.on('connect', (client) => {
    const parts = partsOf(client);
    const { stream } = parts.connection;
    stream.setTimeout(patienceMs);
    stream.on('timeout', () => {
      if (parts.readyForQuery) return;
      stream.destroy(Object.assign(new Error('The database is silent.'), { code: SILENT }));
    });
  });
}

/**
 * A pool for the statements that are written by hand; entities go through the ORM's own.
 * @param patienceMs how long one statement may take
 */
export function makePool(databaseUrl: string, max = 10, name = 'lotwatch', patienceMs: number = patience.job): Pool {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: databaseUrl,
    max,
    types: typeParsers,
    application_name: name,
    // Statements that are asked for together are sent together; see `pipeline`.
    pipeline: true,
    ...connectionLimits(patienceMs),
  };
  const pool = new pg.Pool(config);
  // A server that goes away fails idle clients; the next query opens a new one.
  pool.on('error', () => {});
  // One that is lost between two statements of a transaction must not end the process: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  watchConnections(pool, patienceMs);
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
 * Sends statements in one write, one behind the other: their answers take one way to the server and back. In a
 * transaction those behind one that fails fail too. Settles when all have, so that nobody goes on asking the client
 * once it has thrown. @param send asks for them before it first waits @throws what failed first
 */
export async function pipeline<T extends readonly unknown[] | []>(
  client: Client,
  send: () => T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const sent = corked(client, send);
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

/** Sends the transaction's last statements together with its commit. Nothing may be asked of the client afterwards. */
export type CommitWith = (send: () => readonly unknown[]) => Promise<void>;

/**
 * For transactions of a few rows that all their statements find by index: each is planned once and for that. Planning
 * anew takes longer than such work. With many rows a plan that was made for empty tables would cost more.
 */
const planByIndex = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';
export const beginByIndex = `begin; ${planByIndex}`;
/** For what follows in such a transaction. */
export const planAnew = 'set local plan_cache_mode = auto; set local enable_seqscan = on';

/**
 * Runs `work` in one transaction on one client; any error rolls it back and is thrown on. "begin" goes out with the
 * first statement, and what `work` hands to `commitWith` with "commit", which rolls back when one of them failed.
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
  try {
    const result = await corked(client, async () => {
      const begun = client.query(begin);
      begun.catch(() => {});
      const done = await work(client, commitWith);
      await begun;
      return done;
    });
    const { command } = await (commit ?? client.query('commit'));
    // What a statement in it failed at may have been caught; the server then answers "rollback", and no error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What a server answers that is there but of no use yet: it starts, recovers, ends, is full or takes no writes. */
const NOT_NOW = /^(57|53|25006)/;
const TRY_AGAIN_MS = 200;

/**
 * Settles when the server takes connections and writes: after a crash it first recovers, and whoever starts meanwhile waits.
 * @throws what the server refuses for good, and anything once the patience is over
 */
export async function untilReachable(databaseUrl: string, log: Log, patienceMs = 45_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let told = false; ; ) {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await requireWritable(client);
      return;
    } catch (error) {
      const refused = error instanceof pg.DatabaseError && !NOT_NOW.test(error.code ?? '');
      if (refused || performance.now() > deadline) throw error;
      if (!told) log.info('waiting for the database', { reason: error instanceof Error ? error.message : error });
      told = true;
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(TRY_AGAIN_MS);
  }
}
