import {
  beginWithShortIdle,
  type Client,
  inTransaction,
  limitIdleTime,
  type Pool,
  type Queryable,
  SHORT_IDLE_MS,
} from '../base/database.ts';
import { decideCommit } from './decide-doubts.ts';
import { shardStatements } from './shard-statements.ts';
import { answersOfOthers, prepareChanges, queryCopies, queryShards, type ShardStatement, shardsOf } from './shards.ts';
import { shardCount, shardKeysOf } from './user-shards.ts';

/** pg's query has several forms. */
type Query = (...values: unknown[]) => unknown;

/** The name of a statement that is not prepared. */
const TAG = /^\s*\/\* ([\w-]+) \*\//;

/** The statement that is to run on shards, if this is one. A pool calls its clients with a callback, and is asked itself. */
function shardStatement([given, values, callback]: readonly unknown[]): ShardStatement | undefined {
  if (callback !== undefined || typeof values === 'function') return undefined;
  const statement =
    typeof given === 'string' ? { name: TAG.exec(given)?.[1] ?? '', text: given, values } : (given as object);
  return 'name' in statement && (statement.name as string) in shardStatements
    ? (statement as ShardStatement)
    : undefined;
}

/** A check that reads tables of the coordinator, and fails there where it has to. */
const CHECK = /\(select require_sendable\('(\w+)'\)\)/g;
/** Nobody listens on the server of a shard, where a transaction that notifies could not be prepared. */
const NOTICE = /pg_notify\('(\w+)', '(\w+)'\)/;

/** One for each shard where the statement makes rows of lists. */
function parts(statement: ShardStatement, split: readonly number[], users: readonly number[]): ShardStatement[] {
  const shards = shardKeysOf(users);
  return [...new Set(shards)].map((shard) => ({
    ...statement,
    values: (statement.values ?? []).map((value, index) =>
      split.includes(index + 1) ? (value as unknown[]).filter((_, place) => shards[place] === shard) : value,
    ),
  }));
}

/** @param limit the number of the parameter, from 1 @param shards on how many the statement runs */
const sharedLimit = (statement: ShardStatement, limit: number, shards: number): ShardStatement => ({
  ...statement,
  values: (statement.values ?? []).map((value, index) =>
    index + 1 === limit ? Math.ceil((value as number) / shards) : value,
  ),
});

async function runOnShards(db: Queryable, given: ShardStatement) {
  const { changes = false, split, limit, place, order, ...options } = shardStatements[given.name] ?? {};
  const checked = [...given.text.matchAll(CHECK)].map(([, channel]) => channel);
  const text = given.text.replace(CHECK, 'true').replace(NOTICE, "''");
  const users = options.users?.(given.values ?? []);
  const shards = shardsOf(users);
  const whole = { ...given, text };
  const statement = limit === undefined ? whole : sharedLimit(whole, limit, shards?.length ?? shardCount());
  const all = split ? parts(statement, split, users ?? []) : [statement];
  const ask = options.copies ? queryCopies<Record<string, unknown>> : queryShards<Record<string, unknown>>;
  const asked = all.map((part) => ask(db, part, options));
  const others = [
    ...(changes ? [prepareChanges(db, shards)] : []),
    ...checked.map((channel) => db.query('select require_sendable($1)', [channel])),
  ];
  // Where one fails, those after it only say that it did, and may be heard first.
  await Promise.allSettled([...asked, ...others]);
  const rows = options.skipsAway && all.length > 1 ? await answersOfOthers(asked) : (await Promise.all(asked)).flat();
  await Promise.all(others);
  if (place !== undefined) {
    const [least] = rows.map((row) => row[place] as string).toSorted();
    for (const row of rows) row[place] = least;
  }
  if (order !== undefined) rows.sort((one, other) => Number(one[order]) - Number(other[order]));
  const [, channel, payload] = NOTICE.exec(given.text) ?? [];
  if (payload !== undefined && rows.length > 0) await db.query('select pg_notify($1, $2)', [channel, payload]);
  return { rows, rowCount: rows.length, command: '', oid: 0, fields: [] };
}

/** Whoever writes other copied tables has locked the rows at the coordinator. */
const WRITES_IN_TURNS =
  /(?:insert into|update|delete from) "?(?:plans|sources|suppressed_addresses|text_stops|users)\b/;

const takesTurns = ([given]: readonly unknown[]): boolean =>
  WRITES_IN_TURNS.test(typeof given === 'string' ? given : String((given as { text?: string } | undefined)?.text));

/**
 * Lets the writers of a copied table follow one another until each has committed. Citus writes the copies in the order of the
 * servers, each at once: two writers of a row would hold a copy each, and wait for the other's.
 */
function runInTurn(query: Query, values: readonly unknown[]): unknown {
  const setting = (value: string) => `set local citus.all_modifications_commutative = ${value}`;
  // A process that is stopped during its turn keeps the others waiting for no longer.
  const before = query(`${setting('off')}; ${limitIdleTime(SHORT_IDLE_MS)}`) as Promise<unknown>;
  const answer = query(...values);
  // Where the statement failed, so does what follows it in its transaction.
  for (const set of [before, query(setting('on')) as Promise<unknown>]) set.catch(() => {});
  return answer;
}

/**
 * Sends the whole transaction in one write. A process that is stopped between two statements would keep all other writers of the
 * table waiting until the server ends its session.
 */
function inTurnOfItsOwn(pool: Pool, values: readonly unknown[]): Promise<unknown> {
  return inTransaction(pool, async (client, commitWith) => {
    let answer: unknown;
    await commitWith(() => {
      answer = (client.query as Query)(...values);
      return [answer];
    });
    return answer;
  });
}

/** The class of a warning that the coordinator had lost a server before it could ask that to commit. */
const LOST = '08';
/** Citus' warning that a server has not answered a commit. Others, before and after it, tell with codes of all kinds why. */
const UNANSWERED = 'failed to commit transaction';

/** The SQLSTATE of a commit that may have been done or not. */
const UNKNOWN = '08007';

/**
 * Answers a commit only when each server shows what was committed: where the coordinator loses one of them meanwhile, the
 * transaction is in doubt there. Whoever had an alert switched off would still be told of cars. A transaction that has written on
 * one server alone was not prepared, and fails where that is lost.
 */
function decidingCommits(client: Client): Query {
  const query = client.query.bind(client) as Query;
  let isInDoubt = false;
  client.on('notice', ({ code = '', message = '' }) => {
    isInDoubt ||= code.startsWith(LOST) || message.startsWith(UNANSWERED);
  });
  // It is committed, whatever becomes of this.
  const decide = () => decideCommit({ query } as Queryable).catch(() => {});
  return (...values) => {
    const [given] = values;
    const callback = values.at(-1);
    const isFromPool = typeof callback === 'function';
    if (!isFromPool && given !== 'commit') return query(...values);
    isInDoubt = false;
    if (isFromPool)
      return query(...values.slice(0, -1), (...answer: unknown[]) => {
        if (isInDoubt && !answer[0]) void decide().then(() => callback(...answer));
        else callback(...answer);
      });
    return (query(...values) as Promise<unknown>).then(
      async (result) => {
        if (isInDoubt) await decide();
        return result;
      },
      (error: Error) => {
        throw isInDoubt ? Object.assign(error, { code: UNKNOWN }) : error;
      },
    );
  };
}

function onClient(client: Client): Query {
  const query = decidingCommits(client);
  return (...values) => {
    const statement = shardStatement(values);
    if (statement) return runOnShards({ query } as Queryable, statement);
    return takesTurns(values) ? runInTurn(query, values) : query(...values);
  };
}

function onPool(pool: Pool): Query {
  const query = pool.query.bind(pool) as Query;
  return (...values) => {
    const statement = shardStatement(values);
    if (!statement) return takesTurns(values) ? inTurnOfItsOwn(pool, values) : query(...values);
    if (!shardStatements[statement.name]?.changes) return runOnShards({ query } as Queryable, statement);
    return inTransaction(pool, (client) => runOnShards(client, statement), beginWithShortIdle);
  };
}

/** A new session costs a connection and its caches on each server, which would take longer than most statements. */
const IDLE_MS = 600_000;

const pools = new WeakSet<Pool>();
const clients = new WeakSet<Client>();

/** Makes a pool run each statement where its rows are. */
export function runWhereRowsAre(pool: Pool): void {
  if (pools.has(pool)) return;
  pools.add(pool);
  pool.query = onPool(pool) as Pool['query'];
  pool.options.idleTimeoutMillis = IDLE_MS;
  // Some connections may be open already.
  pool.on('acquire', (client) => {
    if (clients.has(client)) return;
    clients.add(client);
    client.query = onClient(client) as typeof client.query;
  });
}
