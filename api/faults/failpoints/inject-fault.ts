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
  /** Runs before each statement that has this text, in its transaction, which is made where there is none. */
  precede?: readonly { text: string; first: (run: Run) => Promise<unknown> }[];
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

const NO_TRANSACTION = '25P01';

/** Runs work in the transaction that is open, or in one of its own. */
async function inSomeTransaction<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const isOpen = await run('savepoint faults').then(
    () => true,
    (error: { code?: string }) => {
      if (error.code === NO_TRANSACTION) return false;
      throw error;
    },
  );
  if (isOpen) return work();
  await run('begin');
  const result = await work().catch(async (error: unknown) => {
    await run('rollback');
    throw error;
  });
  await run('commit');
  return result;
}

/** @param onChange called for each statement that the fault changes */
export function injectFault(
  { omit = [], replace = {}, edit = {}, follow = {}, precede = [] }: InjectedFault,
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
    const run: Run = (other, own = []) => send({ name: '', text: other, values: own });
    const whole = isOnServers(text) ? String(values[1]) : text;
    const before = precede.filter((one) => whole.includes(one.text));
    if (before.length > 0) onChange();
    const result =
      before.length === 0
        ? await send(sent)
        : await inSomeTransaction(run, async () => {
            for (const { first } of before) await first(run);
            return send(sent);
          });
    const more = follow[name];
    if (more && result.rows.length > 0) {
      onChange();
      await more(run, result, sent);
    }
    return result;
  };
}

/** Releases the locks of the transaction by continuing in another one. */
export async function releaseLocks(run: Run): Promise<void> {
  await run('commit');
  await run('begin');
}
