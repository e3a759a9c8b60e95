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
}

/** Lets the server describe a statement without running it: the types of its parameters, and its columns. */
function askServer(client: pg.Client, text: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    const described: Described = { parameters: [], columns: [] };
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
      handleReadyForQuery: () => resolve(described),
    } as unknown as pg.Submittable);
  });
}

interface PgType {
  name: string;
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
    const { rows: types } = await client.query<PgType & { id: number }>(
      `select t.oid::int4 as id, t.typname as name, t.typcategory as category, e.typcategory as "elementCategory"
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
    const { parameters: given, columns } = await askServer(this.#client, text);
    const parameters = await this.#namesOf(given);
    const query = await this.#read(text, parameters);
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

  async #namesOf(types: readonly number[]): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      'select format_type(t, null) as name from unnest($1::oid[]) with ordinality as p (t, place) order by place',
      [types],
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Lets PostgreSQL read a statement. It stores the body of a function as it has read it, with every name resolved; so
   * the statement is made the body of one.
   */
  async #read(text: string, parameters: readonly string[]): Promise<TreeNode> {
    const given = parameters.join(', ');
    await this.#client.query(
      `create function pg_temp.described(${given}) returns void language sql begin atomic ${text}; end`,
    );
    const { rows } = await this.#client.query<{ body: string }>(
      `select prosqlbody::text as body from pg_proc where proname = 'described' and pronamespace = pg_my_temp_schema()`,
    );
    await this.#client.query(`drop function pg_temp.described(${given})`);
    const [query] = nodesOf(readNodeTree(rows[0]?.body ?? '<>'), 'QUERY');
    if (!query) throw new Error(`PostgreSQL stores nothing of ${text}`);
    return query;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
