import type { Pool } from '../../src/base/database.ts';

/** Not put back: what counts requests, runs jobs, or only ever grows. */
const leftAlone: readonly string[] = [
  'mikro_orm_migrations',
  'audit_log',
  'api_allowances',
  'api_usage',
  'rate_limits',
  'billing_leases',
  'match_server',
  'match_epochs',
];

export interface KeptRows {
  /** In which tables a row of the person was changed, taken or made since the rows were kept. */
  changesOf(person: { id: number; tag: string }): Promise<string[]>;
  /** Puts every row back. @param onRenamed told of each session that had ended: it has another id now */
  restore(onRenamed: (sid: string, next: string) => void): Promise<void>;
}

interface Table {
  name: string;
  columns: string[];
  generated: string[];
}

/** Whose a row is, by its columns. */
function isTheirs({ columns }: Table, { id, tag }: { id: number; tag: string }, alias: string): string {
  const tests = [`${alias}::text like '%${tag}%'`];
  if (columns.includes('user_id')) tests.push(`${alias}.user_id = ${id}`);
  if (columns.includes('alert_id'))
    tests.push(`${alias}.alert_id in (select id from kept.alerts where user_id = ${id})`);
  if (columns.includes('sess')) tests.push(`${alias}.sess ->> 'userId' = '${id}'`);
  if (columns.includes('password_hash')) tests.push(`${alias}.id = ${id}`);
  return tests.map((test) => `coalesce(${test}, false)`).join(' or ');
}

/** Keeps a copy of all rows as they are now, and notes from then on which tables are written. */
export async function keepRows(pool: Pool): Promise<KeptRows> {
  const { rows: tables } = await pool.query<Table>(
    `select c.relname as name,
            array_agg(a.attname::text order by a.attnum) as columns,
            coalesce(array_agg(a.attname::text) filter (where a.attgenerated <> ''), '{}') as generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any ($1)
      group by c.relname`,
    [leftAlone],
  );
  const byName = new Map(tables.map((table) => [table.name, table]));
  // No key: two transactions of one request must not wait for each other here.
  await pool.query(
    `create schema if not exists kept;
     create unlogged table if not exists kept.touched (name text not null);
     create or replace function kept.touch() returns trigger language plpgsql as $$
     begin insert into kept.touched values (tg_table_name); return null; end $$`,
  );
  for (const { name } of tables) {
    await pool.query(
      `drop table if exists kept.${name}; create table kept.${name} as table public.${name};
       create or replace trigger kept_touch after insert or update or delete on public.${name}
         for each statement execute function kept.touch()`,
    );
  }
  await pool.query('truncate kept.touched');

  const touched = async (): Promise<Table[]> => {
    const { rows } = await pool.query<{ name: string }>('select distinct name from kept.touched');
    return rows.flatMap(({ name }) => byName.get(name) ?? []);
  };
  return {
    async changesOf(person) {
      const changed = await touched();
      if (changed.length === 0) return [];
      const each = changed.map((table) => {
        const rowsOf = (schema: string) =>
          `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${schema}.${table.name} t where ${isTheirs(table, person, 't')})`;
        return `select '${table.name}' as name where ${rowsOf('public')} <> ${rowsOf('kept')}`;
      });
      const { rows } = await pool.query<{ name: string }>(each.join(' union all '));
      return rows.map(({ name }) => name);
    },
    async restore(onRenamed) {
      const changed = await touched();
      if (changed.length === 0) return;
      if (changed.some(({ name }) => name === 'session')) {
        const { rows } = await pool.query<{ sid: string; next: string }>(
          `with ended as (select sid from kept.session except select sid from public.session),
                named as (select sid, md5(random()::text) as next from ended)
           update kept.session s set sid = named.next from named where s.sid = named.sid
           returning named.sid, named.next`,
        );
        for (const { sid, next } of rows) onRenamed(sid, next);
      }
      const each = changed.map(({ name, columns, generated }) => {
        const own = columns.filter((column) => !generated.includes(column)).join(', ');
        return `delete from public.${name}; insert into public.${name} (${own}) overriding system value select ${own} from kept.${name};`;
      });
      // Without triggers and references: the rows are as they were, all together.
      await pool.query(
        `begin; set local session_replication_role = replica; ${each.join(' ')} delete from kept.touched; commit`,
      );
    },
  };
}
