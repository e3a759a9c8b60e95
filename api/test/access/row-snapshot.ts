import { isDeepStrictEqual } from 'node:util';
import { createOnServers, defineOnServers, rowsOfServers } from '../../lab/server-triggers.ts';
import { inTransaction, type Pool } from '../../src/base/database.ts';
import { onAllServers } from '../../src/placement/distribute-tables.ts';
import { hasShards } from '../database.ts';

/** Tables that are not restored: they count requests, run jobs, or only grow. */
const notRestored: readonly string[] = [
  'mikro_orm_migrations',
  'audit_log',
  'api_allowances',
  'api_usage',
  'rate_limits',
  'billing_leases',
  'match_server',
  'match_epochs',
  'shard_epochs',
  'shards_here',
];

export interface RowSnapshot {
  /** Tables in which a row of the person was added, changed or deleted since the snapshot. */
  changesOf(person: Person): Promise<string[]>;
  /** Restores every row. @param onRenamed called for each session that had ended: it is restored under a new id */
  restore(onRenamed: (sid: string, next: string) => void): Promise<void>;
}

interface Table {
  name: string;
  columns: string[];
  generated: string[];
}

interface Person {
  id: number;
  tag: string;
}

/** An SQL condition: the row belongs to the person, judged by its columns. @param alerts those of the person */
function belongsTo({ columns }: Table, { id, tag }: Person, alerts: readonly number[], alias: string): string {
  const tests = [`${alias}::text like '%${tag}%'`];
  if (columns.includes('user_id')) tests.push(`${alias}.user_id = ${id}`);
  if (columns.includes('alert_id')) tests.push(`${alias}.alert_id = any ('{${alerts.join(',')}}'::int8[])`);
  if (columns.includes('sess')) tests.push(`${alias}.sess ->> 'userId' = '${id}'`);
  if (columns.includes('password_hash')) tests.push(`${alias}.id = ${id}`);
  return tests.map((test) => `coalesce(${test}, false)`).join(' or ');
}

/** Copies all rows, and records from then on which tables are written. */
export async function takeSnapshot(pool: Pool): Promise<RowSnapshot> {
  const { rows: tables } = await pool.query<Table>(
    `select c.relname as name,
            array_agg(a.attname::text order by a.attnum) as columns,
            coalesce(array_agg(a.attname::text) filter (where a.attgenerated <> ''), '{}') as generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not c.relname = any ($1)
      group by c.relname`,
    [notRestored],
  );
  const byName = new Map(tables.map((table) => [table.name, table]));
  // The table has no key, so that two transactions of one request do not wait for each other here.
  await pool.query('create schema if not exists snapshot');
  await defineOnServers(pool, {
    relation: 'create unlogged table if not exists snapshot.touched (name text not null)',
    functions: `
      create or replace function snapshot.touch() returns trigger language plpgsql as $$
      begin insert into snapshot.touched values (tg_argv[0]); return null; end $$`,
  });
  for (const { name } of tables) {
    await pool.query(`drop table if exists snapshot.${name}; create table snapshot.${name} as table public.${name}`);
    await createOnServers(pool, {
      table: name,
      text: `create or replace trigger kept_touch after insert or update or delete on %s
               for each statement execute function snapshot.touch('${name}')`,
    });
  }
  const forget = 'delete from snapshot.touched';
  const forgetTouched = () => (hasShards() ? onAllServers(pool, forget) : pool.query(forget));
  await forgetTouched();

  const touched = async (): Promise<Table[]> => {
    const rows = await rowsOfServers<{ name: string }>(pool, 'select distinct name from snapshot.touched');
    return [...new Set(rows.map(({ name }) => name))].flatMap((name) => byName.get(name) ?? []);
  };
  return {
    async changesOf(person) {
      const changed = await touched();
      if (changed.length === 0) return [];
      const { rows: own } = await pool.query<{ id: number }>('select id from snapshot.alerts where user_id = $1', [
        person.id,
      ]);
      const alerts = own.map(({ id }) => id);
      const each = changed.map(async (table) => {
        const rowsOf = async (schema: string) => {
          const { rows } = await pool.query<{ text: string }>(
            `select t::text as text from ${schema}.${table.name} t where ${belongsTo(table, person, alerts, 't')}`,
          );
          return rows.map(({ text }) => text).toSorted();
        };
        return isDeepStrictEqual(await rowsOf('public'), await rowsOf('snapshot')) ? [] : [table.name];
      });
      return (await Promise.all(each)).flat();
    },
    async restore(onRenamed) {
      const changed = await touched();
      if (changed.length === 0) return;
      if (changed.some(({ name }) => name === 'session')) {
        const { rows } = await pool.query<{ sid: string; next: string }>(
          `with ended as (select sid from snapshot.session except select sid from public.session),
                named as (select sid, md5(random()::text) as next from ended)
           update snapshot.session s set sid = named.next from named where s.sid = named.sid
           returning named.sid, named.next`,
        );
        for (const { sid, next } of rows) onRenamed(sid, next);
      }
      const each = changed.flatMap(({ name, columns, generated }) => {
        const own = columns.filter((column) => !generated.includes(column)).join(', ');
        return [
          `delete from public.${name}`,
          `insert into public.${name} (${own}) overriding system value select ${own} from snapshot.${name}`,
        ];
      });
      // Triggers and references are off, on all servers: the restored rows fit each other.
      await inTransaction(pool, async (client) => {
        if (hasShards()) await client.query("set local citus.propagate_set_commands = 'local'");
        await client.query('set local session_replication_role = replica');
        if (hasShards()) for (const statement of each) await client.query(statement);
        else await client.query(each.join('; '));
      });
      await forgetTouched();
    },
  };
}
