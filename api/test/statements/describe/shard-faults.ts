import { shardStatements } from '../../../src/placement/shard-statements.ts';
import { ofEachServer, placeOf } from '../../../src/placement/table-places.ts';
import type { TestDatabase } from '../../database.ts';
import { tableOfStub, textForStub } from '../citus-stubs.ts';
import type { DescribedStatement, Describer } from './describe-statement.ts';

type Listed = (typeof shardStatements)[string];

/** The numbers of the parameters that a function of the list reads, from 1. */
function readBy(users: NonNullable<Listed['users']>): number[] {
  const read: number[] = [];
  users(
    new Proxy(
      Array.from({ length: 50 }, () => '[]'),
      {
        get(values, key, proxy) {
          if (typeof key === 'string' && /^\d+$/.test(key)) read.push(Number(key) + 1);
          return Reflect.get(values, key, proxy);
        },
      },
    ),
  );
  return read;
}

/** Whether a parameter is what an insert of one row gives as the user. */
function isInserted(text: string, place: number): boolean {
  const inserts = text.matchAll(/insert into \w+(?: as \w+)? \(([^)]*)\)\s*values \(((?:[^()]|\([^()]*\))*)\)/gi);
  return [...inserts].some(([, columns = '', given = '']) => {
    const at = columns.split(',').findIndex((one) => one.trim() === 'user_id');
    return given.split(',')[at]?.trim() === `$${place}`;
  });
}

/** Whether a statement names users in order to ask their servers, about no rows. */
const asksServers = (text: string, place: number): boolean =>
  new RegExp(`match_(bounds|position)\\(\\) where \\$${place}::int8(\\[\\])? is not null`).test(text);

/** Whether a parameter is compared with users, or is the column of users in rows of parameters. */
function isOfUsers(text: string, place: number): boolean {
  const compared = new RegExp(`\\b(user_id|users?\\.id|u\\.id)\\s*=\\s*(any\\s*\\()?(array\\[)?\\$${place}\\b`, 'i');
  if (compared.test(text) || (/from users\b/.test(text) && new RegExp(`\\bid = (any ?\\()?\\$${place}\\b`).test(text)))
    return true;
  const rows = text.matchAll(
    /unnest\(((?:[^()]|\([^()]*\))*)\)\s*(?:with ordinality\s*)?(?:as\s+)?\w+\s*\(([^)]*)\)/gi,
  );
  return [...rows].some(([, given = '', columns = '']) => {
    const at = given.split(',').findIndex((one) => new RegExp(`\\$${place}\\b`).test(one));
    return at >= 0 && /^"?(user_?id|owner)"?$/i.test(columns.split(',')[at]?.trim() ?? '');
  });
}

const TIME = 'timestamptz';
const isOnShards = (table: string) =>
  placeOf(table) !== 'coordinator' || (ofEachServer as readonly string[]).includes(table);

/** What the list of statements that run on shards says of one that is not so. */
export function shardFaults(
  name: string,
  text: string,
  { parameters, columns, tables, locks, writes }: DescribedStatement,
  {
    users,
    split = [],
    times = [],
    silent = false,
    changes = false,
    copies = false,
    limit,
    place,
  }: Listed = shardStatements[name] ?? {},
): string[] {
  const typeOf = (number: number) => parameters[number - 1] ?? 'no parameter';
  const read = users ? readBy(users) : [];
  const isMade = columns.length === 0 && /^\s*(\/\*.*?\*\/\s*)?(insert|update|delete)\b/i.test(text);
  const written = new Set(writes.map(({ table }) => table));
  const wrongCopies = tables.flatMap((table) => {
    // On one server a claim of listings reads in the same statement what each shard is asked later.
    if (placeOf(table) === 'users')
      return name.startsWith('match-listings-claim') ? [] : [`it names ${table}, which lies with its user`];
    return placeOf(table) === 'copies' && written.has(table) ? [`it changes one copy of ${table}`] : [];
  });
  const found = columns.filter(({ typeName }) => typeName === TIME).map((column) => column.name);
  return [
    ...read.flatMap((number) => {
      const type = typeOf(number);
      if (type === 'json') return [];
      if (type !== 'bigint' && type !== 'bigint[]') return [`its users are in $${number}: ${type}`];
      return isOfUsers(text, number) || isInserted(text, number) || asksServers(text, number)
        ? []
        : [`its users are in $${number}, which it compares with none`];
    }),
    ...split
      .filter((number) => !typeOf(number).endsWith('[]'))
      .map((number) => `it splits $${number}: ${typeOf(number)}`),
    ...(split.length > 0 && !read.every((number) => split.includes(number)) ? ['it does not split its users'] : []),
    ...(limit !== undefined && !new RegExp(`\\blimit \\$${limit}\\b`).test(text) ? [`$${limit} is no limit`] : []),
    ...times.filter((time) => !found.includes(time)).map((time) => `it answers no time ${time}`),
    ...found.filter((time) => !times.includes(time) && time !== place).map((time) => `${time} is a time`),
    ...(place !== undefined && !columns.some((column) => column.name === place) ? [`it answers no ${place}`] : []),
    ...(silent !== (columns.length === 0 && !isMade && writes.length > 0)
      ? [`it is ${silent ? 'not ' : ''}silent`]
      : []),
    ...(!copies && changes !== (writes.length > 0 || locks || text.includes('match_position()'))
      ? [`it ${changes ? 'changes nothing' : 'changes rows'}`]
      : []),
    ...(copies
      ? wrongCopies
      : tables.filter((table) => !isOnShards(table)).map((table) => `it names ${table}, which no shard has`)),
  ];
}

/** What of a statement is another one where a shard runs it, with the names of its tables. */
export async function renamingFaults(
  db: TestDatabase,
  describer: Describer,
  name: string,
  text: string,
  own: DescribedStatement | undefined,
): Promise<string[]> {
  if (!own) return [`${name}: is not understood`];
  try {
    const there = await describer.describe(await textForStub(db, text));
    const named = there.tables.map(tableOfStub);
    const left = there.tables.filter((table) => tableOfStub(table) === table && placeOf(table) !== 'coordinator');
    return [
      ...left.map((table) => `${name}: ${table} is not renamed`),
      ...(named.toSorted().join() === own.tables.toSorted().join() ? [] : [`${name}: has other tables: ${named}`]),
      ...(JSON.stringify(there.columns) === JSON.stringify(own.columns) ? [] : [`${name}: answers other columns`]),
    ];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`];
  }
}
