import type { QueryResult } from 'pg';
import { type Intercept, isOnServers, type Statement } from '../../lab/intercept-statements.ts';

/** Sends a statement of the injected fault's own over the connection that it changes. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<QueryResult>;

/** A defect of the program as a change of the statements that it sends. Statements are chosen by their names. */
export interface InjectedFault {
  /** Statements that are left out; they are answered with no rows. */
  omit?: readonly string[];
  /** What is sent in place of a statement, with the same parameters. */
  replace?: Readonly<Record<string, string>>;
  /** Changes the text of a statement, also of one that runs on shards. */
  edit?: Readonly<Record<string, (text: string) => string>>;
  /** Runs after a statement has returned rows, which it may change. */
  follow?: Readonly<Record<string, (run: Run, result: QueryResult, statement: Statement) => Promise<unknown>>>;
  /** Creates the defect in the database itself. */
  sql?: string;
}

const noRows = { command: 'SELECT', rowCount: 0, rows: [], oid: 0, fields: [] } satisfies QueryResult;

function edited(given: Statement, edit: ((text: string) => string) | undefined, onChange: () => void): Statement {
  if (!edit) return given;
  onChange();
  const [name, text, ...rest] = given.values;
  return isOnServers(given.text)
    ? { ...given, values: [name, edit(String(text)), ...rest] }
    : { ...given, text: edit(given.text) };
}

/** @param onChange called for each statement that the fault changes */
export function injectFault(
  { omit = [], replace = {}, edit = {}, follow = {} }: InjectedFault,
  onChange: () => void,
): Intercept {
  return async (_client, given, send) => {
    const statement = edited(given, edit[given.name], onChange);
    const { name, values } = statement;
    if (omit.includes(name)) {
      onChange();
      return noRows;
    }
    const text = replace[name] ?? statement.text;
    if (text !== statement.text) onChange();
    const sent = { name, text, values };
    const result = await send(sent);
    const more = follow[name];
    if (more && result.rows.length > 0) {
      onChange();
      await more((other, own = []) => send({ name: '', text: other, values: own }), result, sent);
    }
    return result;
  };
}

/** Releases the locks of the transaction by continuing in another one. */
export async function releaseLocks(run: Run): Promise<void> {
  await run('commit');
  await run('begin');
}
