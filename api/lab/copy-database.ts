import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const quoted = pg.escapeIdentifier;

/** Reads the tables and their columns for a dump, without generated columns. */
async function readTables(db: pg.Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
      group by 1 order by 1`,
  );
  return rows.map(({ name, columns }) => ({ name, columns: columns.map(quoted).join(', ') }));
}

interface Sequence {
  name: string;
  value: string;
}

async function readSequences(db: pg.Client): Promise<Sequence[]> {
  const { rows } = await db.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
       from pg_sequences where last_value is not null`,
  );
  return rows;
}

async function connected<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url, application_name: 'faults-copy' });
  db.on('error', () => {});
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/**
 * Restores a dump of one database into another whose schema the migrations have made: every row of every table by COPY,
 * from one snapshot, and the positions of the sequences. Both servers must run on this machine.
 */
export async function copyDatabase(fromUrl: string, toUrl: string): Promise<void> {
  // The servers run as another user, which can't enter the folder of the run.
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-dump-'));
  chmodSync(folder, 0o777);
  const file = (table: string) => join(folder, `${table}.copy`);
  try {
    const { tables, sequences } = await connected(fromUrl, async (from) => {
      await from.query('begin isolation level repeatable read read only');
      const tables = await readTables(from);
      for (const { name, columns } of tables)
        await from.query(`copy (select ${columns} from ${quoted(name)}) to '${file(name)}'`);
      return { tables, sequences: await readSequences(from) };
    });
    await connected(toUrl, async (to) => {
      await to.query('begin');
      // Triggers and foreign keys do not apply to rows that are restored.
      await to.query('set local session_replication_role = replica');
      await to.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
      for (const { name, columns } of tables) await to.query(`copy ${quoted(name)} (${columns}) from '${file(name)}'`);
      for (const { name, value } of sequences) await to.query('select setval($1::regclass, $2)', [name, value]);
      await to.query('commit');
      await to.query('analyze');
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends every other session; resolves when they have ended. */
export function endSessions(url: string): Promise<void> {
  return connected(url, async (db) => {
    const others = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
    while (((await db.query(`select pg_terminate_backend(pid) ${others}`)).rowCount ?? 0) > 0);
  });
}
