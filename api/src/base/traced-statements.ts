import type { Pool } from 'pg';
import { traced, type Work, workBegins } from './traced.ts';

/** pg's query has several forms. */
type Query = (...values: unknown[]) => unknown;

/** The verb and the first table; a table's name, in contrast to the rest, has nothing that somebody wrote. */
const verb = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/;
const table = /\b(?:from|into|update|join|table)\s+"?([a-z_]+)"?/i;
/** The tables that a statement with several parts writes, which say more of it than what it reads. */
const written = /\b(?:insert into|delete from|update)\s+"?(?!(?:of|set|skip)\b)([a-z_]+)"?/gi;
const literals = /'(?:[^']|'')*'/g;
const MAX_TEXTS = 1_000;
const summaries = new Map<string, string>();

/** What a statement does, without its values: 'insert mails'. */
export function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const bare = text.replaceAll(literals, "''");
  const [, first = 'statement'] = verb.exec(bare) ?? [];
  const [, read] = table.exec(bare) ?? [];
  const writes = first.toLowerCase() === 'with' ? new Set([...bare.matchAll(written)].map(([, name]) => name)) : [];
  const names = [...writes].length > 0 ? writes : [read];
  const summary = [first.toLowerCase(), ...names].filter((part) => part !== undefined).join(' ');
  if (summaries.size >= MAX_TEXTS) summaries.clear();
  summaries.set(text, summary);
  return summary;
}

/** @param statement the text, or pg's object with the text and, for a prepared statement, its name */
function workOf(statement: unknown): Work {
  const { name, text } =
    typeof statement === 'string'
      ? { name: undefined, text: statement }
      : (statement as { name?: string; text?: string });
  const summary = name ?? summaryOf(text ?? '');
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return { name: summary, kind: 'client', attributes, isPart: true };
}

function tracedQuery(query: Query): Query {
  return (...values) => {
    // A pool calls its clients with a callback, and is traced itself, with the wait for a connection.
    if (typeof values.at(-1) === 'function') return query(...values);
    return traced(workOf(values[0]), () => query(...values) as Promise<unknown>);
  };
}

/** Makes each statement of a pool a piece of the work in which it runs, if somebody traces by the time the pool is made. */
export function traceStatements(pool: Pool): void {
  if (!workBegins.hasSubscribers) return;
  pool.query = tracedQuery(pool.query.bind(pool) as Query) as Pool['query'];
  pool.on('connect', (client) => {
    client.query = tracedQuery(client.query.bind(client) as Query) as typeof client.query;
  });
}
