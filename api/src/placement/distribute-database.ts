import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { countInDoubt, decideDoubts } from './decide-doubts.ts';
import { distributeTables, onAllServers, prepareServers, removeLocalRows, runSelected } from './distribute-tables.ts';
import {
  CLUSTER_VERSION,
  LayoutError,
  readLayout,
  requireCluster,
  requireServerSettings,
  setSessionSettings,
} from './prepare-layout.ts';
import { byUser, copied } from './table-places.ts';

/** Citus decides what is in doubt within a minute by itself. */
const MAX_WAITS = 90;
const WAIT_MS = 1_000;

const PARTITIONED = ['matches', 'notifications'] as const;

type Progress = (line: string) => void;

/** @throws LayoutError where others use the database: statements of LotWatch's processes are those for one server */
async function requireNobody(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'without a name') as name from pg_stat_activity
      where datname = current_database() and usesysid is not null and application_name <> 'lotwatch-shards'
        -- It is hidden of other roles.
        and coalesce(backend_type, 'client backend') = 'client backend' and application_name not ilike 'citus%' order by 1`,
  );
  if (rows.length === 0) return;
  throw new LayoutError(
    'CITUS_REFUSED',
    `Others use this database (${rows.map(({ name }) => name).join(', ')}): stop all processes of LotWatch, and end other sessions.`,
  );
}

/** @throws LayoutError where triggers that would be lost keep messages of a lost interval from being sent again */
async function requireNothingLost(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ held: boolean; lost: boolean }>(
    `select exists (select from restores where held <> '{}') as held, exists (select from lost_messages) as lost`,
  );
  if (rows[0]?.held)
    throw new LayoutError(
      'CITUS_REFUSED',
      'This database was restored: release its messages by "npm run -s restored".',
    );
  if (rows[0]?.lost)
    throw new LayoutError(
      'CITUS_REFUSED',
      'This database was restored: wait until what was sent in the lost interval is forgotten, after 40 days.',
    );
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
  for (const noted of ['leaving_partitions', 'leaving_changes'])
    await client.query(`delete from ${noted} where table_name = $1`, [table]);
  const { rows } = await client.query<{ part: string }>('select part::text from listing_partitions($1)', [table]);
  await client.query(`drop table if exists ${table}_kept`);
  for (const { part } of rows) {
    await runSelected(
      client,
      "select format('alter table %I detach partition %I', $1::text, $2::text) as statement",
      table,
      part,
    );
    await runSelected(
      client,
      "select format('alter table %I rename to %I', $1::text, $1 || '_before') as statement",
      part,
    );
  }
  await client.query(`create table ${table}_1 partition of ${table} for values from (minvalue) to (maxvalue)`);
  const options = `
    select format('alter table %I set (%s)', $1 || '_1', array_to_string(c.reloptions, ', ')) as statement
      from pg_class c where c.oid = to_regclass($2) and c.reloptions is not null`;
  const former = rows.map(({ part }) => `${part}_before`);
  await runSelected(client, options, table, former.at(-1));
  return former;
}

async function copyRows(client: Client, from: string, to: string): Promise<void> {
  await runSelected(
    client,
    `select format('insert into %1$I (%2$s) overriding system value select %2$s from %3$I', $1::text,
                   string_agg(quote_ident(attname), ', ' order by attnum), $2::text) as statement
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    to,
    from,
  );
  await runSelected(client, "select format('drop table %I', $1::text) as statement", from);
}

/** Waits until each server has committed. @throws LayoutError where one does not answer, or nobody decides it in time */
async function untilCommitted(pool: Pool): Promise<void> {
  await onAllServers(pool, 'select 1').catch((cause: Error) => {
    throw new LayoutError('CITUS_AWAY', `Start all servers, and run this again. ${cause.message}`);
  });
  for (let tries = 0; tries < MAX_WAITS; tries += 1) {
    await decideDoubts(pool);
    if ((await countInDoubt(pool)) === 0) return;
    await sleep(WAIT_MS);
  }
  throw new LayoutError(
    'CITUS_REFUSED',
    'A transaction is not decided on all servers yet. Run this again in a minute.',
  );
}

/** Removes what the coordinator has of distributed tables, and reads the statistics of the others. It can be done again. */
async function finish(pool: Pool, say: Progress): Promise<void> {
  await untilCommitted(pool);
  await removeLocalRows(pool);
  for (const table of byUser) {
    await pool.query(`vacuum (analyze) ${table}`);
    say(`${table} is analyzed.`);
  }
  say('The tables are distributed.');
}

/**
 * Distributes the tables of a database that has users, in one transaction. Call it while no process of LotWatch runs. The server
 * of the database becomes the coordinator, which keeps the rows of no user. Where it was interrupted after that, it ends what is
 * left to do.
 * @throws LayoutError where it can't be done
 */
export async function distributeDatabase(pool: Pool, say: Progress): Promise<void> {
  if ((await readLayout(pool)) === 'citus') return finish(pool, say);
  await requireCluster(pool);
  await requireServerSettings(pool);
  await requireNobody(pool);
  await requireNothingLost(pool);
  await prepareServers(pool);
  await shareEpochs(pool);
  await inTransaction(pool, async (client) => {
    await client.query('lock table database_layout, users, alerts, listings in access exclusive mode');
    await requireNobody(client);
    await setSessionSettings(client);
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
    await client.query(
      `insert into database_layout (layout, cluster_version) values ('citus', $1)
       on conflict (is_kept) do update set layout = excluded.layout, cluster_version = excluded.cluster_version`,
      [CLUSTER_VERSION],
    );
  });
  await finish(pool, say);
}
