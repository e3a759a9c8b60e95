import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { clusterVersion, distributeTables, onAllServers, prepareServers } from './distribute-tables.ts';
import {
  LayoutError,
  readLayout,
  requireCluster,
  requireServerSettings,
  setSessionSettings,
} from './prepare-layout.ts';
import { byUser, copied } from './table-places.ts';

const PARTITIONED = ['matches', 'notifications'] as const;

type Progress = (line: string) => void;

/** @throws LayoutError where a process of LotWatch uses the database, whose statements are those for one server */
async function requireNobody(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'lotwatch%' and application_name <> 'lotwatch-shards' order by 1`,
  );
  if (rows.length === 0) return;
  throw new LayoutError(
    'CITUS_REFUSED',
    `LotWatch uses this database (${rows.map(({ name }) => name).join(', ')}): stop all of its processes first.`,
  );
}

/** @throws LayoutError where an operator has to decide about messages, which refers to triggers that would be lost */
async function requireNothingHeld(db: Queryable): Promise<void> {
  const { rows } = await db.query("select from restores where held <> '{}'");
  if (rows.length > 0)
    throw new LayoutError('CITUS_REFUSED', 'Messages of this database are held: release them first.');
}

/** Lets each server count positions above those that the database has, whose cursors stay valid. */
async function shareEpochs(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ known: string }>(
    "select coalesce(json_agg(e), '[]')::text as known from match_epochs e",
  );
  await onAllServers(
    pool,
    `insert into match_epochs (epoch, nonce, began_at)
     select epoch, nonce, began_at from json_to_recordset('${rows[0]?.known}') k (epoch int8, nonce int4, began_at timestamptz)
     on conflict (epoch) do update set nonce = excluded.nonce, began_at = excluded.began_at`,
  );
}

async function countRows(db: Queryable): Promise<Map<string, string>> {
  const counts = new Map<string, string>();
  for (const table of [...byUser, ...copied]) {
    const { rows } = await db.query<{ rows: string }>(`select count(*)::text as rows from ${table}`);
    counts.set(table, rows[0]?.rows ?? '');
  }
  return counts;
}

/**
 * Gives a table one empty partition, as a cluster deletes old rows and does not drop partitions.
 * @returns the tables with the rows that it had
 */
async function detachPartitions(client: Client, table: string): Promise<string[]> {
  // What is being copied of a partition that is to leave is in that partition, too.
  await client.query(`drop table if exists ${table}_kept`);
  for (const noted of ['leaving_partitions', 'leaving_changes'])
    await client.query(`delete from ${noted} where table_name = $1`, [table]);
  const { rows } = await client.query<{ part: string; options: string | null; isLast: boolean }>(
    `select p.part::text, array_to_string(c.reloptions, ', ') as options, p.upper_id is null as "isLast"
       from listing_partitions($1) p join pg_class c on c.oid = p.part`,
    [table],
  );
  for (const { part } of rows) {
    await client.query(`alter table ${table} detach partition ${part}`);
    await client.query(`alter table ${part} rename to ${part}_before`);
  }
  await client.query(`create table ${table}_1 partition of ${table} for values from (minvalue) to (maxvalue)`);
  const options = rows.find(({ isLast }) => isLast)?.options;
  if (options) await client.query(`alter table ${table}_1 set (${options})`);
  return rows.map(({ part }) => `${part}_before`);
}

async function copyRows(client: Client, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [to],
  );
  const columns = rows[0]?.columns;
  await client.query(`insert into ${to} (${columns}) overriding system value select ${columns} from ${from}`);
  await client.query(`drop table ${from}`);
}

/**
 * Distributes the tables of a database that has users, in one transaction. Call it while no process of LotWatch runs. The server
 * of the database becomes the coordinator, which keeps the rows of no user.
 * @throws LayoutError where it can't be done
 */
export async function distributeDatabase(pool: Pool, say: Progress): Promise<void> {
  if ((await readLayout(pool)) === 'citus')
    throw new LayoutError('CITUS_REFUSED', 'The tables are distributed already.');
  await requireCluster(pool);
  await requireServerSettings(pool);
  await requireNobody(pool);
  await requireNothingHeld(pool);
  await setSessionSettings(pool);
  await prepareServers(pool);
  await shareEpochs(pool);
  await inTransaction(pool, async (client) => {
    await client.query('lock table users, alerts, listings in access exclusive mode');
    await requireNobody(client);
    const before = await countRows(client);
    say(`${before.get('users')} users and ${before.get('matches')} matches are copied to their servers.`);
    const former = new Map<string, string[]>();
    for (const table of PARTITIONED) former.set(table, await detachPartitions(client, table));
    await distributeTables(client, say);
    for (const [table, parts] of former)
      for (const part of parts) {
        await copyRows(client, part, table);
        say(`${part} is copied.`);
      }
    const after = await countRows(client);
    for (const [table, rows] of before)
      if (after.get(table) !== rows)
        throw new LayoutError('CITUS_REFUSED', `${table} has ${after.get(table)} rows in place of ${rows}.`);
    await client.query("update database_layout set layout = 'citus', cluster_version = $1", [clusterVersion]);
  });
  say('The tables are distributed. What the coordinator had of them is removed.');
  for (const table of [...byUser, ...copied].filter((name) => !PARTITIONED.some((one) => one === name)))
    await pool.query('select truncate_local_data_after_distributing_table($1)', [table]);
}
