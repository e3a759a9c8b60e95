/** @module-tag plain (the texts are the same on a cluster, for which there are stubs) */
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shardStatements } from '../../src/placement/shard-statements.ts';
import { makeTestDatabase, type TestDatabase } from '../database.ts';
import { makeCitusStubs } from './citus-stubs.ts';
import { type DescribedStatement, Describer } from './describe/describe-statement.ts';
import { renamingFaults, shardFaults } from './describe/shard-faults.ts';
import { NEVER_NULL } from './never-null.ts';
import { ofAnyUser } from './of-any-user.ts';
import { findEntityWrites } from './read/entity-writes.ts';
import { findStatements, type StatementCall } from './read/find-statements.ts';
import { readPlanted, readSources, type SourceProgram, typeOfFields } from './read/source-program.ts';
import { rowFaults } from './row-faults.ts';
import { type FoundWrite, judgeWrites, writers } from './table-writers.ts';

/** By a part of the call: statements that are only known as the program runs, and why none of their rows is unheld. */
const UNREAD: Readonly<Record<string, string>> = {
  'listen ${': 'returns no rows',
  'set local lock_timeout = ${LOCK_MS}': 'calls a function that changes partitions, and reads no rows',
  '...given': "a user lock's; it runs what its callers ask, which is read there",
  "name: 'load-alerts'": 'has the columns of an entity, which are compared below',
  "name: 'load-listings'": 'has the columns of an entity, which are compared below',
  'rows[0]?.statement': 'a statement that the database has made, which returns no rows',
  'db.query(`alter table ${table}': 'changes the foreign keys of tables that are distributed, and returns no rows',
  'db.query(statement)': 'a statement that the database has made, which returns no rows',
  'owner.query(statement)': 'a statement that the database has made, which returns no rows',
};

let db: TestDatabase;
let describer: Describer;
let program: SourceProgram;
let calls: StatementCall[];
const described = new Map<string, DescribedStatement>();
const failures: string[] = [];

beforeAll(async () => {
  db = await makeTestDatabase();
  await makeCitusStubs(db);
  describer = await Describer.open(db.url);
  program = readSources();
  calls = findStatements(program);
  for (const { file, line, texts } of calls) {
    for (const text of texts ?? []) {
      if (described.has(text)) continue;
      try {
        described.set(text, await describer.describe(text));
      } catch (error) {
        failures.push(`${file}:${line}: ${error instanceof Error ? error.message : error} in ${text}`);
      }
    }
  }
}, 180_000);
afterAll(async () => {
  await describer?.close();
  await db?.close();
});

it('every statement is read, and PostgreSQL understands it', () => {
  expect(calls.length).toBeGreaterThan(350);
  expect(failures).toEqual([]);
  const unread = calls.filter(({ texts }) => texts === null).map(({ source }) => source);
  const reasonless = unread.filter((source) => !Object.keys(UNREAD).some((part) => source.includes(part)));
  expect(reasonless).toEqual([]);
  expect(Object.keys(UNREAD).filter((part) => !unread.some((source) => source.includes(part)))).toEqual([]);
});

describe('the list of statements that run on shards', () => {
  const onShards = () => calls.flatMap((call) => call.names).filter(({ name }) => name in shardStatements);

  it('has statements of the program, and says what they are', () => {
    const found = onShards();
    expect(Object.keys(shardStatements).filter((name) => !found.some((one) => one.name === name))).toEqual([]);
    const faults = found.flatMap(({ name, text }) => {
      const statement = described.get(text);
      return statement ? shardFaults(name, text, statement).map((fault) => `${name}: ${fault}`) : [];
    });
    expect([...new Set(faults)]).toEqual([]);
  });

  it('has all that lock rows of many users, which Citus refuses', () => {
    const listed = new Set(onShards().map(({ text }) => text));
    const missing = calls.flatMap(({ file, line, texts }) =>
      (texts ?? [])
        .filter((text) => /user_id = any\b/.test(text) && /\bfor (no key )?(update|(key )?share)\b/.test(text))
        .filter((text) => !listed.has(text))
        .map(() => `${file}:${line}`),
    );
    expect(missing).toEqual([]);
  });

  it('has statements that are the same with the names of the tables of a shard', async () => {
    const faults: string[] = [];
    for (const [text, name] of new Map(onShards().map((one) => [one.text, one.name])))
      faults.push(...(await renamingFaults(db, describer, name, text, described.get(text))));
    expect(faults).toEqual([]);
  }, 180_000);
});

describe('the type of a row', () => {
  it('has the columns that come back, with their types, nullable ones as such', () => {
    const faults = new Set<string>();
    const excused = new Set<(typeof NEVER_NULL)[number]>();
    for (const { file, line, texts, row } of calls) {
      if (!row) continue;
      for (const text of texts ?? []) {
        for (const { column, fault } of rowFaults(row, described.get(text)?.columns ?? [], program.checker)) {
          const excuse = NEVER_NULL.find((one) => one.column === column && text.includes(one.in));
          if (excuse && fault === 'may be null') excused.add(excuse);
          else faults.add(`${file}:${line}: ${column}: ${fault}`);
        }
      }
    }
    expect([...faults]).toEqual([]);
    expect(NEVER_NULL.filter((excuse) => !excused.has(excuse))).toEqual([]);
  });

  it('is given wherever rows are read', () => {
    expect(calls.filter(({ readsUntyped }) => readsUntyped).map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

describe('a statement with a name, which connections keep while a migration adds columns,', () => {
  const openEnded = async (statements: readonly StatementCall[]) => {
    const named = [...new Set(statements.flatMap((call) => call.named))];
    return { checked: named.length, found: await describer.findOpenEnded(named) };
  };

  it('lists the columns that it returns', async () => {
    const { checked, found } = await openEnded(calls);
    expect(checked).toBeGreaterThan(140);
    expect(found).toEqual([]);
  });

  it.each([
    ["{ name: 'a', text: 'select a.*, 1 as x from alerts a' }", true],
    ["{ name: 'a', text: 'delete from mails returning *' }", true],
    ["{ name: 'a', text: 'with a as (select * from alerts) select * from a' }", true],
    ["{ name: 'a', text: 'with a as (select * from alerts) select id from a' }", false],
    ["'select * from alerts'", false],
  ])('unlike %s: %s', async (statement, isFound) => {
    const planted = readPlanted(
      'api/src/alerts/planted.ts',
      `pool.query(${statement}); declare const pool: { query(statement: unknown): Promise<{ rows: unknown[] }> };`,
    );
    expect((await openEnded(findStatements(planted))).found).toHaveLength(isFound ? 1 : 0);
  });
});

it("the fields of an entity fit their table's columns", async () => {
  const classes = new Map(
    program.files.flatMap(({ statements }) =>
      statements.filter(ts.isClassDeclaration).map((one) => [one.name?.text, one] as const),
    ),
  );
  const faults: string[] = [];
  for (const { className, tableName, props } of db.orm.getMetadata()) {
    const name = classes.get(className)?.name;
    const symbol = name && program.checker.getSymbolAtLocation(name);
    if (!symbol) throw new Error(`no class ${className}`);
    const columns = props.map((prop) => `${prop.fieldNames[0]} as "${prop.name}"`).join(', ');
    const { columns: returned } = await describer.describe(`select ${columns} from ${tableName}`);
    for (const { column, fault } of rowFaults(
      program.checker.getDeclaredTypeOfSymbol(symbol),
      returned,
      program.checker,
    ))
      faults.push(`${className}.${column}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

it('a table is written by its room, and by others only what is listed with a reason', async () => {
  const tables = await db.rows(
    `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition
        and (relnamespace = 'public'::regnamespace or relname = 'shards_here') order by 1`,
  );
  expect(Object.keys(writers).sort()).toEqual(tables.map(({ name }) => name));
  expect(judgeWrites(await writesOf(program, calls))).toEqual({ faults: [], unused: [] });
});

it('rows of a user are asked for with their user', () => {
  const found = [...described].flatMap(([text, { unboundUsers }]) => unboundUsers.map((table) => ({ table, text })));
  const excuses = ofAnyUser.flatMap(({ tables, in: part }) => tables.map((table) => ({ table, part })));
  const fits = (excuse: (typeof excuses)[number], { table, text }: (typeof found)[number]) =>
    excuse.table === table && text.includes(excuse.part);
  expect(found.filter((one) => !excuses.some((excuse) => fits(excuse, one)))).toEqual([]);
  expect(excuses.filter((excuse) => !found.some((one) => fits(excuse, one)))).toEqual([]);
});

it('no statement joins rows that lie with their user and rows that lie elsewhere', async () => {
  const found = [...described].flatMap(([text, { splitJoins }]) => splitJoins.map((tables) => ({ tables, text })));
  expect(found).toEqual([]);
  const joins = async (text: string) => (await describer.describe(text)).splitJoins;
  const both = ['alerts, api_keys'];
  expect(await joins('select a.id from alerts a join api_keys k using (user_id)')).toEqual(both);
  expect(await joins('select id, (select name from api_keys where user_id = a.user_id) from alerts a')).toEqual(both);
  expect(await joins('delete from alerts a using api_keys k where k.user_id = a.user_id')).toEqual(both);
  expect(await joins('select id from alerts where user_id = (select min(user_id) from api_keys)')).toEqual([]);
});

it('no statement sets a column to a part of an array, which ends the server of Citus', async () => {
  const onShards = new Set(
    calls.flatMap(({ names }) => names.map((one) => (one.name in shardStatements ? one.text : ''))),
  );
  expect([...described].flatMap(([text, { setsPart }]) => (setsPart && !onShards.has(text) ? [text] : []))).toEqual([]);
  expect((await describer.describe('update listings set images = images[1:1]')).setsPart).toBe(true);
});

/** All writes of a program, by its statements and through the ORM. */
async function writesOf(of: SourceProgram, statements: readonly StatementCall[]): Promise<FoundWrite[]> {
  const written: FoundWrite[] = [];
  for (const { file, line, texts } of statements) {
    for (const text of texts ?? []) {
      const { writes } = described.get(text) ?? (await describer.describe(text));
      written.push(...writes.map((write) => ({ file, line, ...write })));
    }
  }
  const tableOf = new Map([...db.orm.getMetadata()].map(({ className, tableName }) => [className, tableName]));
  for (const { file, line, entity } of findEntityWrites(of))
    written.push({ file, line, table: tableOf.get(entity) ?? entity, act: 'updates an entity' });
  return written;
}

describe('the check of who writes a table', () => {
  const declared = `
    declare const pool: { query<T>(text: string): Promise<{ rows: T[] }> };
    declare const em: EntityManager;
    declare class EntityManager { remove(one: object): void }
    @Entity({ tableName: 'alerts' }) class Alert {}`;

  it.each([
    [
      'an update in another room',
      'http',
      "pool.query('update users set email = null, last_seen_at = now() where id = 1')",
      ['users: http updates email', 'users: http updates last_seen_at'],
    ],
    ['a deletion in another room', 'graphql', "pool.query('delete from session')", ['session: graphql deletes']],
    [
      'an insert that is part of a statement',
      'alerts',
      "pool.query('with mail as (insert into mails (kind) values ($1) returning id) select id from mail')",
      ['mails: alerts inserts'],
    ],
    [
      'a column beside those that the room may write',
      'billing',
      "pool.query('update users set plan_id = 1, email = null')",
      ['users: billing updates email'],
    ],
    [
      'a table of a list',
      'contact',
      "for (const table of ['texts', 'plans']) pool.query('delete from ' + table)",
      ['plans: contact deletes', 'texts: contact deletes'],
    ],
    ['an entity', 'matching', 'em.remove(new Alert())', ['alerts: matching updates an entity']],
    ['nothing in the room of the table', 'accounts', "pool.query('update users set email = null')", []],
  ])('finds %s', async (_, room, code, expected) => {
    const file = `api/src/${room}/planted.ts`;
    const planted = readPlanted(file, `${code};${declared}`);
    const { faults } = judgeWrites(await writesOf(planted, findStatements(planted)));
    expect(faults).toEqual(expected.map((fault) => `${fault} in ${file}:1`));
  });

  it('finds an exception that nothing uses', () => {
    expect(judgeWrites([]).unused).toContain('users: billing updates plan_id');
  });
});

describe('the comparison notices', () => {
  const fitting = 'id: number; username: string; email: string | null; createdAt: Date; plan: string | null';
  const statement = `select u.id, u.username, u.email, u.created_at as "createdAt", p.name as plan
                       from users u left join plans p on p.id = u.plan_id`;
  const noted = (from: string, to: string) => faultsOf(fitting.replace(from, to), statement);

  /** What is wrong with a type of the given fields. */
  async function faultsOf(fields: string, text: string): Promise<string[]> {
    const { checker, row } = typeOfFields(fields);
    const { columns } = await describer.describe(text);
    return rowFaults(row, columns, checker).map(({ column, fault }) => `${column}: ${fault}`);
  }

  it('nothing where the type fits', async () => {
    expect(await faultsOf(fitting, statement)).toEqual([]);
  });

  it.each([
    ['a renamed field', 'username', 'userName', 'userName: not among id, username, email, createdAt, plan'],
    ['another type', 'createdAt: Date', 'createdAt: string', 'createdAt: timestamptz is read as Date, not string'],
    ['a part of a type that does not fit', 'id: number', 'id: number | string', 'id: int8 is read as number'],
    ['a nullable column', 'email: string | null', 'email: string', 'email: may be null'],
    ['the nulls of an outer join', 'plan: string | null', 'plan: string', 'plan: may be null'],
  ])('%s', async (_, from, to, fault) => {
    expect(await noted(from, to)).toEqual([expect.stringContaining(fault)]);
  });
});
