import pg from 'pg';
import type { PoolerAddress } from './database-address.ts';

/** What a pooler or an address lacks, for the operator; another start will fail too. */
export class PoolerFault extends Error {}

const PAGE = 'api/docs/operating/pooler.md says how a pooler is set up.';
const CHECK_MS = 5_000;
/** Idle connections of the pooler may be lent in any order, so that several tries may be needed to get a certain one. */
const TRIES = 10;
/** The limits that each connection of a pool has without a pooler, in ms; with one they may be higher. */
const MAX_IDLE_MS = 60_000;
const MAX_STATEMENT_MS = 600_000;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'lotwatch-pooler-check',
    connectionTimeoutMillis: CHECK_MS,
    query_timeout: CHECK_MS,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

/**
 * Whether a statement that was prepared on one connection of the pooler also runs on another one.
 * @param client a client of the pooler
 * @param other another one, which holds the connection that the statement was prepared on
 */
async function keepsNamedStatements(client: pg.Client, other: pg.Client): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const named = {
      name: `lotwatch-check-${tried}`,
      text: 'select pg_backend_pid() as pid, $1::int4 as n',
      values: [tried],
    };
    const { rows } = await client.query<{ pid: number }>(named);
    await other.query('begin');
    const isHeld = (await pidOf(other)) === rows[0]?.pid;
    const failure = isHeld
      ? await client.query(named).then(
          () => null,
          (error: pg.DatabaseError) => error,
        )
      : null;
    await other.query('rollback');
    // Such a statement does not exist there.
    if (failure?.code === '26000') return false;
    if (failure) throw failure;
    if (isHeld) return true;
  }
  return true;
}

const limitsSql = `select
  coalesce((select setting::int4 from pg_settings where name = 'idle_in_transaction_session_timeout'), 0) as idle,
  coalesce((select setting::int4 from pg_settings where name = 'statement_timeout'), 0) as statement`;

async function requireLimits(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ idle: number; statement: number }>(limitsSql);
  const within = (ms: number | undefined, most: number) => ms !== undefined && ms > 0 && ms <= most;
  if (within(rows[0]?.idle, MAX_IDLE_MS) && within(rows[0]?.statement, MAX_STATEMENT_MS)) return;
  throw new PoolerFault(
    'The connections of the pooler at DATABASE_URL have no idle_in_transaction_session_timeout of at most a minute and ' +
      'statement_timeout of at most ten, so that a process that was stopped would keep its locks. Set them by connect_query ' +
      `of PgBouncer, or by "alter role". ${PAGE}`,
  );
}

const serverSql = `select pg_postmaster_start_time()::text || current_database() || current_user as server`;

async function requireSameServer(client: pg.Client, direct: pg.Client): Promise<void> {
  const [one, other] = await Promise.all(
    [client, direct].map(async (each) => (await each.query<{ server: string }>(serverSql)).rows[0]?.server),
  );
  if (one === other) return;
  throw new PoolerFault('DATABASE_URL and DATABASE_DIRECT_URL lead to different servers, databases or roles.');
}

/**
 * Checks that a pooler does what the processes need, and that the other address leads past it to the same database.
 * @throws PoolerFault that says what is missing
 */
export async function requirePooler({ pooler }: PoolerAddress, directUrl: string): Promise<void> {
  const clients = await Promise.all([pooler, pooler, directUrl, directUrl].map(connect));
  const [client, other, direct, second] = clients as [pg.Client, pg.Client, pg.Client, pg.Client];
  try {
    await requireSameServer(client, direct);
    // A session of the server belongs to one client.
    if ((await pidOf(direct)) === (await pidOf(second)))
      throw new PoolerFault(`DATABASE_DIRECT_URL leads to a pooler, and must lead past it. ${PAGE}`);
    if (!(await keepsNamedStatements(client, other)))
      throw new PoolerFault(
        'The pooler at DATABASE_URL does not keep named prepared statements. PgBouncer does from 1.21 on, with ' +
          `max_prepared_statements. ${PAGE}`,
      );
    await requireLimits(client);
  } finally {
    await Promise.all(clients.map((each) => each.end().catch(() => {})));
  }
}
