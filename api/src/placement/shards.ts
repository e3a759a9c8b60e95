import { createRequire } from 'node:module';
import type { Queryable } from '../base/database.ts';
import { isServerAway } from '../base/database-fault.ts';
import { shardKeysOf } from './user-shards.ts';

// How the driver writes a parameter as text.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as { prepareValue(value: unknown): unknown };

/** A statement about rows of any users, and of tables that every server has. */
export interface ShardStatement {
  name: string;
  text: string;
  values?: readonly unknown[];
}

export interface ShardOptions {
  /** Of its parameters: the users about whose rows it is. It runs on their shards alone. */
  users?: (values: readonly unknown[]) => readonly number[];
  /** Whether it has parts, of which the last one changes rows and answers nothing. */
  silent?: boolean;
  /**
   * Whether shards of servers that are away are left out where others answer. Only for reads outside of a transaction, which are
   * repeated.
   */
  skipsAway?: boolean;
  /** Columns of the answer that are times, which come from a shard as texts. */
  times?: readonly string[];
}

/** Each shard of these users once, by its least user. */
export const shardsOf = (users: readonly number[] | undefined): number[] | undefined =>
  users && [...new Set(shardKeysOf(users))];

/** The answers as a pool gives rows. */
function answersIn<T>(rows: readonly { answer: T }[], times: readonly string[]): T[] {
  const answers = rows.map(({ answer }) => answer);
  for (const answer of answers as Record<string, unknown>[])
    for (const time of times) if (typeof answer[time] === 'string') answer[time] = new Date(answer[time]);
  return answers;
}

const toText = (value: unknown): string | null => {
  const text = prepareValue(value);
  return text === null || text === undefined ? null : String(text);
};

const onEach = <T>(db: Queryable, call: unknown[]) =>
  db.query<{ answer: T }>({
    name: 'query-shards',
    text: 'select run_on_shard(user_id, $1, $2, $3) as answer from shards_here',
    values: call,
  });

const onOne = <T>(db: Queryable, call: unknown[], shard: number) =>
  db.query<{ answer: T }>({
    name: 'query-shard',
    text: 'select run_on_shard(user_id, $1, $2, $3) as answer from shards_here where user_id = $4',
    values: [...call, shard],
  });

const onSome = <T>(db: Queryable, call: unknown[], shards: readonly number[]) =>
  db.query<{ answer: T }>({
    name: 'query-shards-of-users',
    text: 'select run_on_shard(user_id, $1, $2, $3) as answer from shards_here where user_id = any ($4::int8[])',
    values: [...call, shards],
  });

/** Citus sends it to these shards alone: to the server of one, in a statement like any other of that server. */
const onThose = <T>(db: Queryable, call: unknown[], shards: readonly number[]) => {
  const [first = 0, ...others] = shards;
  return others.length === 0 ? onOne<T>(db, call, first) : onSome<T>(db, call, shards);
};

/** @returns the answers of those shards whose servers are not away @throws where none answers, or one has another fault */
export async function answersOfOthers<T>(asked: readonly Promise<T[]>[]): Promise<T[]> {
  const settled = await Promise.allSettled(asked);
  const answers = settled.filter((one) => one.status === 'fulfilled');
  const failed = settled.find(
    (one) => one.status === 'rejected' && (answers.length === 0 || !isServerAway(one.reason)),
  );
  if (failed?.status === 'rejected') throw failed.reason;
  return answers.flatMap(({ value }) => value);
}

/** An insert, update or delete without an answer gets one for each row, so that they can be counted. */
const CHANGES = /^\s*(\/\*.*?\*\/\s*)?(insert|update|delete)\b/i;
const ANSWERS = /\breturning\b/i;
const answersOf = (text: string, silent: boolean): string =>
  silent || (CHANGES.test(text) && !ANSWERS.test(text)) ? `${text} returning 1 as changed` : text;

/**
 * Runs a statement on each shard, where it is an ordinary one of PostgreSQL. Its answers are those of all shards, in no order:
 * an order, a limit or a sum in it is one of a shard.
 */
export async function queryShards<T extends object>(
  db: Queryable,
  { name, text, values = [] }: ShardStatement,
  { users: usersOf, times = [], silent = false, skipsAway = false }: ShardOptions = {},
): Promise<T[]> {
  const shards = shardsOf(usersOf?.(values));
  if (shards?.length === 0) return [];
  const call = [name, answersOf(text, silent), values.map(toText)];
  const ask = (groups: readonly (readonly number[])[]) =>
    groups.map(async (group) => (await onThose<T>(db, call, group)).rows);
  const askThose = async (all: readonly number[]) => {
    try {
      return (await Promise.all(ask([all]))).flat();
    } catch (error) {
      if (!skipsAway || all.length === 1 || !isServerAway(error)) throw error;
      return answersOfOthers(ask(all.map((shard) => [shard])));
    }
  };
  const rows = shards === undefined ? (await onEach<T>(db, call)).rows : await askThose(shards);
  return answersIn(rows, times);
}

/**
 * Runs a statement on the coordinator and its copies of tables, where all writers lock them first. Citus would lock each of these
 * tables as a whole, on every server, until the transaction ends, and refuses many that change a table of the coordinator beside.
 */
export async function queryCopies<T extends object>(
  db: Queryable,
  { name, text, values = [] }: ShardStatement,
  { times = [], silent = false }: ShardOptions = {},
): Promise<T[]> {
  const { rows } = await db.query<{ answer: T }>({
    name: 'query-copies',
    text: 'select run_on_shard(0, $1, $2, $3) as answer',
    values: [name, answersOf(text, silent), values.map(toText)],
  });
  return answersIn(rows, times);
}

/**
 * Says to the coordinator that the transaction changes the servers of these shards, or all of them, so that it is prepared on
 * each before it commits. It can't know that from the call of a function.
 */
export function prepareChanges(db: Queryable, shards?: readonly number[]): Promise<unknown> {
  if (shards === undefined) {
    return db.query({ name: 'prepare-changes-of-shards', text: 'delete from shards_here where user_id < 0' });
  }
  if (shards.length === 1) {
    const text = 'delete from shards_here where user_id = $1 and shard_id < 0';
    return db.query({ name: 'prepare-changes-of-shard', text }, [...shards]);
  }
  const text = 'delete from shards_here where user_id = any ($1::int8[]) and shard_id < 0';
  return db.query({ name: 'prepare-changes-of-some-shards', text }, [shards]);
}
