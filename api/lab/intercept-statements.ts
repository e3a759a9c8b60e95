import pg from 'pg';
import { makePool, type Pool } from '../src/base/database.ts';
import { followChosenLayout } from '../src/placement/follow-layout.ts';

/** One statement that a client of `pg` sends. The ORM's statements have their name in a comment. */
export interface Statement {
  name: string;
  text: string;
  values: readonly unknown[];
}

type Send = (statement: Statement) => Promise<pg.QueryResult>;
/** Handles a statement: it may send it, and do other things before, after or instead. */
export type Intercept = (client: pg.Client, statement: Statement, send: Send) => Promise<pg.QueryResult>;

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type Config = Partial<Statement> & { text: string };

const nameInComment = /^\/\* ([a-z-]+) \*\//;

function readConfig(first: unknown, second: unknown): Config | null {
  const values = Array.isArray(second) ? { values: second } : {};
  if (typeof first === 'string') return { text: first, ...values };
  if (typeof first !== 'object' || first === null || 'submit' in first || !('text' in first)) return null;
  return { ...values, ...(first as Config) };
}

/** Whether a statement runs another one on shards, or on the copies of a server: its first two values are the name and the text of that. */
export const isOnServers = (text: string): boolean => text.startsWith('select run_on_shard(');

function intercepted(query: Query, intercept: Intercept): Query {
  return function interceptedQuery(...args) {
    const config = readConfig(args[0], args[1]);
    if (!config) return query.apply(this, args);
    const send: Send = (statement) => {
      // Without a name and parameters a text may contain several statements.
      const { text, values: own } = statement;
      const sent = { ...config, text, ...((config.values || own.length > 0) && { values: own }) };
      if (text !== config.text) delete sent.name;
      return query.call(this, sent) as Promise<pg.QueryResult>;
    };
    const { text, values = [], name = nameInComment.exec(text)?.[1] ?? '' } = config;
    const answer = intercept(this, { name: isOnServers(text) ? String(values[0]) : name, text, values }, send);
    const callback = args.find((arg) => typeof arg === 'function') as Callback | undefined;
    if (!callback) return answer;
    answer.then((result) => callback(null, result), callback);
    return undefined;
  };
}

/** Intercepts the statements of every client of this process. @returns a function that ends it */
export function interceptAllClients(intercept: Intercept): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = intercepted(query, intercept);
  return () => {
    prototype.query = query;
  };
}

/** Intercepts the statements of a pool's connections that are opened from now on. */
export function interceptPool(pool: Pool, intercept: Intercept): void {
  pool.on('connect', (client) => {
    Object.assign(client, { query: intercepted(client.query as Query, intercept) });
  });
}

interface StoppedWorker {
  pool: Pool;
  /** Resolves when it stops. */
  stopped: Promise<void>;
  release(): void;
}

interface StopAt {
  /** The statement, by its name or its text. */
  statement: string;
  when: 'before' | 'after';
}

/** A worker that stops before or after a statement until it is released: before it commits, if none is given. */
export function stoppedWorker(
  databaseUrl: string,
  { statement: at, when }: StopAt = { statement: 'commit', when: 'before' },
): StoppedWorker {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const pool = makePool(databaseUrl, 1);
  followChosenLayout(pool);
  const hold = () => {
    stop();
    return released;
  };
  interceptPool(pool, async (_client, statement, send) => {
    if (statement.text !== at && statement.name !== at) return send(statement);
    if (when === 'before') await hold();
    const answer = await send(statement);
    if (when === 'after') await hold();
    return answer;
  });
  return { pool, stopped, release };
}
