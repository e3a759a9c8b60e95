import pg from 'pg';
import type { ReturnedColumn } from '../row-faults.ts';
import { unboundUsers } from './bound-users.ts';
import type { Catalogue } from './catalogue.ts';
import { nodeIn, nodesIn, nodesOf, numberIn, readNodeTree, type TreeNode } from './node-tree.ts';
import { nullableColumns } from './nullable-columns.ts';
import { splitJoins } from './split-joins.ts';
import { UPDATES, type Write, writtenTables } from './written-tables.ts';

export interface DescribedStatement {
  columns: ReturnedColumn[];
  /** The types of its parameters, as 'bigint[]'. */
  parameters: string[];
  /** Every table that it names, also those that it only writes. */
  tables: string[];
  /** Whether it locks rows that it reads. */
  locks: boolean;
  /** Whether it sets a column to a part of an array as it is. */
  setsPart: boolean;
  writes: Write[];
  /** Tables of which it asks for rows of an alert whose user is not bound. */
  unboundUsers: string[];
  /** Joins of rows that would lie on different servers. */
  splitJoins: string[];
}

interface Described {
  parameters: number[];
  columns: { name: string; type: number }[];
  /** The tree in which the server has read the statement, as text; null where it sent none. */
  tree: string | null;
}

/** Has the server send the tree of each statement that it reads, and not write it to its log. */
const SEND_TREES =
  'set debug_print_parse = on; set debug_pretty_print = off; set client_min_messages = log; set log_min_messages = panic';

/** Lets the server describe a statement without running it: the types of its parameters, its columns, and its tree. */
async function askServer(client: pg.Client, text: string): Promise<Described> {
  const described: Described = { parameters: [], columns: [], tree: null };
  const keepTree = ({ detail }: { detail?: string | undefined }) => {
    described.tree ??= detail ?? null;
  };
  client.on('notice', keepTree);
  try {
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit(connection: pg.Connection & Record<'parse' | 'describe', (message: object) => void>) {
          connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
            described.parameters = dataTypeIDs;
          });
          connection.parse({ name: '', text, types: [] });
          connection.describe({ type: 'S', name: '' });
          connection.sync();
        },
        handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
          described.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
        },
        handleError: reject,
        handleReadyForQuery: () => resolve(),
      } as unknown as pg.Submittable);
    });
  } finally {
    client.off('notice', keepTree);
  }
  return described;
}

interface PgType {
  name: string;
  /** As 'bigint[]'. */
  fullName: string;
  category: string;
  elementCategory: string | null;
}

/** Whether an update sets a column to an element or a slice of an array, and not to a value that is made of it. */
const setsPart = (update: TreeNode): boolean =>
  nodesIn(update, 'targetList').some((entry) => {
    const value = nodeIn(entry, 'expr');
    return value?.tag === 'SUBSCRIPTINGREF' && nodeIn(value, 'refassgnexpr') === null;
  });

const ROWS = /^(\s|\/\*.*?\*\/)*(select|insert|update|delete|merge|with|values)\b/is;

/** Describes statements by a database of the current version. */
export class Describer {
  readonly #client: pg.Client;
  readonly #types: ReadonlyMap<number, PgType>;
  readonly #catalogue: Catalogue;

  private constructor(client: pg.Client, types: ReadonlyMap<number, PgType>, catalogue: Catalogue) {
    this.#client = client;
    this.#types = types;
    this.#catalogue = catalogue;
  }

  static async open(databaseUrl: string): Promise<Describer> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(SEND_TREES);
    const { rows: types } = await client.query<PgType & { id: number }>(
      `select t.oid::int4 as id, t.typname as name, format_type(t.oid, null) as "fullName", t.typcategory as category,
              e.typcategory as "elementCategory"
         from pg_type t left join pg_type e on e.oid = t.typelem`,
    );
    const { rows: tables } = await client.query<{
      id: number;
      name: string;
      required: number[];
      columns: Record<string, number>;
    }>(
      `select oid::int4 as id, relname as name,
              array(select attnum::int4 from pg_attribute where attrelid = c.oid and attnotnull) as required,
              (select json_object_agg(attname, attnum) from pg_attribute where attrelid = c.oid) as columns
         from pg_class c where relkind in ('r', 'p', 'v')`,
    );
    const { rows: functions } = await client.query<{ id: number; name: string; isStrict: boolean }>(
      'select oid::int4 as id, proname as name, proisstrict as "isStrict" from pg_proc',
    );
    const { rows: equalities } = await client.query<{ id: number }>(
      `select oid::int4 as id from pg_operator where oprname = '='`,
    );
    const isEquality = new Set(equalities.map(({ id }) => id));
    const tableOf = new Map(
      tables.map(({ id, name, required, columns }) => [id, { name, required: new Set(required), columns }]),
    );
    const functionOf = new Map(functions.map((one) => [one.id, one]));
    return new Describer(client, new Map(types.map(({ id, ...type }) => [id, type])), {
      nameOf: (table) => tableOf.get(table)?.name ?? '',
      isNotNull: (table, column) => tableOf.get(table)?.required.has(column) ?? false,
      columnOf: (table, name) => tableOf.get(table)?.columns[name],
      isEquality: (operator) => isEquality.has(operator),
      functionOf: (id) => functionOf.get(id) ?? { name: '', isStrict: false },
    });
  }

  /** @throws Error of the server's for a statement that it does not understand */
  async describe(text: string): Promise<DescribedStatement> {
    if (!ROWS.test(text))
      return {
        columns: [],
        parameters: [],
        tables: [],
        locks: false,
        setsPart: false,
        writes: [],
        unboundUsers: [],
        splitJoins: [],
      };
    const { parameters: given, columns, tree } = await askServer(this.#client, text);
    const parameters = given.map((id) => this.#types.get(id)?.fullName ?? '');
    const [query] = nodesOf(readNodeTree(tree ?? '<>'), 'QUERY');
    if (!query) throw new Error(`PostgreSQL sends no tree of ${text}`);
    const nullable = nullableColumns(query, this.#catalogue);
    const described = columns.map(({ name, type: id }, index) => {
      const { name: typeName = '', category = '', elementCategory = null } = this.#types.get(id) ?? {};
      return { name, type: id, typeName, category, elementCategory, isNullable: nullable[index] ?? true };
    });
    const queries = nodesOf(query, 'QUERY');
    const named = queries.flatMap((one) => nodesIn(one, 'rtable')).map((one) => numberIn(one, 'relid'));
    return {
      columns: described,
      parameters,
      tables: [...new Set(named.map((id) => this.#catalogue.nameOf(id)))].filter((name) => name !== ''),
      locks: queries.some((one) => nodesIn(one, 'rowMarks').length > 0),
      setsPart: queries.filter((one) => numberIn(one, 'commandType') === UPDATES).some(setsPart),
      writes: writtenTables(query, this.#catalogue),
      unboundUsers: unboundUsers(query, this.#catalogue),
      splitJoins: splitJoins(query, this.#catalogue),
    };
  }

  /**
   * Finds statements that return other columns once every table has one more. A connection that has prepared such a
   * statement can't run it any more when a migration adds a column.
   */
  async findOpenEnded(texts: readonly string[]): Promise<string[]> {
    const read = async () => {
      const columns: string[] = [];
      for (const text of texts)
        columns.push(ROWS.test(text) ? JSON.stringify((await askServer(this.#client, text)).columns) : '');
      return columns;
    };
    const before = await read();
    await this.#client.query('begin');
    try {
      await this.#client.query(`do $$ declare name text; begin
        for name in select oid::regclass from pg_class
                     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition loop
          execute format('alter table %s add column one_more int4', name);
        end loop; end $$`);
      const after = await read();
      return texts.filter((_text, index) => before[index] !== after[index]);
    } finally {
      await this.#client.query('rollback');
    }
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
