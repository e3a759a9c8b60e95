import { Migration } from '@mikro-orm/migrations';
import { expect, it } from 'vitest';
import { allMigrations } from '../../migrations/all-migrations.ts';
import { OnlineMigration } from '../../migrations/online-migration.ts';

/** From this one on migrations run while the version before serves. */
const FIRST = '041';

type MigrationClass = (typeof allMigrations)[number]['class'];

/** The body of a function, which is not executed. */
const functionBody = /(\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\b[^;]*?)\$(\w*)\$.*?\$\2\$/gis;
/** What stands before a statement of a "do" block. */
const beforeStatement = /\bdo\s+\$\w*\$|\$\w*\$|\b(?:begin|then|else|loop)\b|\bexecute\s+'/gi;

/** Makes a migration that keeps what it executes at once. Whoever reads the partitions of a table finds one. */
function makeMigration(Class: new (...of: never[]) => Migration): { migration: Migration; executed: string[] } {
  const executed: string[] = [];
  const execute = (sql: string) => {
    executed.push(sql);
    return Promise.resolve([{ part: 'matches_1' }]);
  };
  return { migration: Reflect.construct(Class, [{ execute }]) as Migration, executed };
}

/** The statements of `up`, in lower case, those of "do" blocks among them, without the bodies of functions. */
async function statementsOf({ migration, executed }: ReturnType<typeof makeMigration>): Promise<string[]> {
  await migration.up();
  return [...executed, ...migration.getQueries()]
    .map(String)
    .flatMap((sql) => sql.replaceAll(functionBody, '$1').replaceAll(beforeStatement, ';').split(';'))
    .map((sql) => sql.toLowerCase().replaceAll(/\s+/g, ' ').trim())
    .filter((sql) => sql !== '');
}

/** The clauses of an "alter table", without what its texts say: commas outside brackets part them. */
function clausesOf(sql: string): string[] {
  const clauses = [''];
  let depth = 0;
  for (const part of sql.replaceAll(/'[^']*'/g, "''")) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === ',' && depth === 0) clauses.push('');
    else clauses.push((clauses.pop() ?? '') + part);
  }
  return clauses.map((clause) => clause.trim());
}

/** What a clause of an "alter table" may not contain, as it reads or rewrites all rows under a lock. */
const slow: [RegExp, string][] = [
  [/\badd\b.* check ?\((?!.*not valid$)/, 'checks all rows: use replaceCheck, or "not valid" and validate'],
  [/\b(references|foreign key)\b(?!.*not valid$)/, 'checks all rows: use "not valid" and validate'],
  // The key of a partitioned table alone is built of nothing, and gets the indexes of its partitions as parts.
  [
    /^(?!alter table only (?:matches|notifications) ).*\badd\b.* (unique|primary key)\b(?!.*using index)/,
    'builds an index: use buildIndex',
  ],
  [/\bset not null\b/, 'reads all rows: use setNotNull, or validate a check of "is not null" first'],
  [/ type /, 'rewrites the table: add a column'],
  [/ generated .* stored| default (gen_random_uuid|random|clock_timestamp|nextval)/, 'rewrites the table'],
];

/** The columns, with their tables, of which a check was validated before that they are not null. */
function provenNotNull(statements: readonly string[]): Set<string> {
  const checks = new Map<string, string>();
  const proven = new Set<string>();
  for (const sql of statements) {
    const [, table = ''] = /^alter table (\w+)/.exec(sql) ?? [];
    const [, check, column] = /\badd constraint (\w+) check \((\w+) is not null\) not valid$/.exec(sql) ?? [];
    if (check !== undefined) checks.set(`${table} ${check}`, `${table} ${column}`);
    const [, validated] = /\bvalidate constraint (\w+)$/.exec(sql) ?? [];
    const known = checks.get(`${table} ${validated}`);
    if (known !== undefined) proven.add(known);
  }
  return proven;
}

/** Finds what would keep those who read or write a table waiting. A table that the migration makes has nobody yet. */
async function faultsOf(Class: new (...of: never[]) => Migration): Promise<string[]> {
  const planned = makeMigration(Class);
  const statements = await statementsOf(planned);
  const found = (pattern: RegExp) => statements.flatMap((sql) => pattern.exec(sql)?.[1] ?? []);
  const made = found(/^create table (?:if not exists )?(\w+)/);
  const locked = new Set(
    [/^alter table (?:only )?(\w+)/, /^(?:create|create or replace|drop) trigger .* on (\w+)/]
      .flatMap(found)
      .filter((table) => !made.includes(table)),
  );
  const faults = statements.flatMap((sql, at) => {
    const indexed = /^create (?:unique )?index (?!concurrently).*? on (\w+)/.exec(sql)?.[1];
    if (indexed !== undefined && !made.includes(indexed)) return `${sql}: blocks writers: use buildIndex`;
    const altered = /^alter table (?:only )?(\w+)/.exec(sql)?.[1];
    if (altered === undefined || made.includes(altered)) return [];
    const proven = provenNotNull(statements.slice(0, at));
    return clausesOf(sql)
      .filter((clause) => !proven.has(`${altered} ${/\balter (?:column )?(\w+) set not null$/.exec(clause)?.[1]}`))
      .flatMap((clause) => slow.flatMap(([pattern, why]) => (pattern.test(clause) ? `${sql}: ${why}` : [])));
  });
  if (planned.migration.isTransactional() && locked.size > 1)
    faults.push(`holds a lock of one of ${[...locked].join(', ')} while it waits for another: extend OnlineMigration`);
  return faults;
}

const checked = allMigrations.filter(({ name }) => name >= FIRST);

it.each(checked.map(({ name, class: Class }) => [name, Class] as [string, MigrationClass]))(
  '%s keeps nobody waiting',
  async (_name, Class) => {
    expect(await faultsOf(Class)).toEqual([]);
  },
);

const transactional = (...statements: string[]) =>
  class extends Migration {
    override up(): void {
      for (const sql of statements) this.addSql(sql);
    }
  };

it.each([
  ['create index notifications_user on notifications (user_id);', 'buildIndex'],
  ['create unique index if not exists a on alert_cells (key);', 'buildIndex'],
  ["alter table alerts add constraint c check (delivery in ('instant'));", 'replaceCheck'],
  [
    "alter table alerts add delivery text not null default 'instant' check (delivery in ('instant', 'daily'));",
    'check',
  ],
  ['alter table matches add foreign key (alert_id) references alerts (id);', 'not valid'],
  ['alter table matches add alert bigint references alerts;', 'not valid'],
  ['alter table mails add unique (provider_id);', 'buildIndex'],
  ['alter table matches add constraint matches_pkey primary key (listing_id, alert_id);', 'buildIndex'],
  ['alter table only mails add primary key (id);', 'buildIndex'],
  ['alter table users alter email set not null;', 'is not null'],
  [
    `alter table users add constraint x check (email is not null) not valid;
     alter table users alter email set not null; alter table users validate constraint x;`,
    'is not null',
  ],
  [
    `alter table users add constraint x check (email is not null) not valid; alter table users validate constraint x;
     alter table users alter phone set not null;`,
    'is not null',
  ],
  ['alter table listings alter price type int8;', 'add a column'],
  ['alter table listings add token uuid default gen_random_uuid();', 'rewrites'],
  ['alter table listings add dear bool generated always as (price > 1) stored;', 'rewrites'],
  [
    'alter table alerts add constraint x check (radius in (1, 2)), add constraint y check (radius > 0) not valid;',
    'replaceCheck',
  ],
  ['alter table matches add a int8 references alerts, add constraint y check (a > 0) not valid;', '"not valid"'],
  ['do $$ begin alter table users alter email set not null; end $$;', 'is not null'],
  ['do $body$ begin if true then create index a on alert_cells (key); end if; end $body$;', 'buildIndex'],
  ["do $$ begin execute 'alter table listings alter price type int8'; end $$;", 'add a column'],
  [
    `create function noop() returns trigger language plpgsql as $$ begin return new; end $$;
     do $$ begin alter table users alter email set not null; end $$;`,
    'is not null',
  ],
  ['alter table alerts add a text; alter table users add b text;', 'OnlineMigration'],
])('refuses %s', async (sql, why) => {
  expect((await faultsOf(transactional(sql))).join()).toContain(why);
});

it('accepts what is quick, what waits for nobody, and anything about a table that the migration makes', async () => {
  const Class = class extends OnlineMigration {
    override up(): void {
      this.addSql('create table if not exists pairs (id int8 primary key, kind text not null);');
      this.addSql('create index pairs_kind on pairs (kind);');
      this.addSql("alter table pairs add check (kind in ('a'));");
      this.addSql("alter table alerts add column if not exists kind text not null default 'a';");
      this.replaceCheck('alerts', 'alerts_kind_check', "kind in ('a')");
      this.buildIndex('alerts_kind', 'alerts (kind)');
      this.setNotNull('alerts', 'kind', "'a'");
      this.addSql('alter table users add seen_at timestamptz not null default now();');
      this.addSql("alter table users add a text default 'a, add unique', add constraint c check (a <> ')') not valid;");
      this.addSql(`create or replace function noop() returns trigger language plpgsql as $$ begin
        alter table users alter email set not null; return new; end $$;`);
    }
  };
  expect(await faultsOf(Class)).toEqual([]);
});
