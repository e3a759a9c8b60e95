import { makePool, type Pool } from '../base/database.ts';
import { MAX_SERVERS, serverTables } from './position-functions.ts';
import { LayoutError, requireSettingsOf, setSessionSettings } from './prepare-layout.ts';
import { nameOf } from './servers.ts';

/**
 * Adds a server to the cluster, on which the extension is installed: makes the database there, and all that each server has.
 * No shard is on it afterwards, but each copied table.
 * @param url that of the database at the coordinator, whose role and password the server knows
 * @throws LayoutError
 */
export async function addServer(
  pool: Pool,
  url: string,
  host: string,
  port: number,
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await pool.query<{ database: string; next: number; known: boolean }>(
    `select current_database() as database, last_value::int4 + 1 as next,
            exists (select from pg_dist_node where nodename = $1 and nodeport = $2) as known from pg_dist_groupid_seq`,
    [host, port],
  );
  const { database = '', next = 0, known = false } = rows[0] ?? {};
  // One that is part of it already, as where this was interrupted, keeps its number.
  if (next >= MAX_SERVERS && !known)
    throw new LayoutError(
      'CITUS_SERVERS',
      `Citus would give number ${next} to this server. Ids of rows that begin with ${MAX_SERVERS} or more are too large, and numbers are not used again.`,
    );
  const of = (name: string) =>
    Object.assign(new URL(url), { hostname: host, port: String(port), pathname: `/${name}` }).href;
  await makeDatabase(of('postgres'), database, { host, port });
  const there = makePool(of(database), 1, 'lotwatch-shards');
  try {
    await there.query('create extension if not exists citus');
    await setSessionSettings(there);
    say(`${nameOf({ host, port })} has the database ${database}.`);
    await pool.query('select citus_add_node($1, $2)', [host, port]);
    await there.query(serverTables);
    say('It is part of the cluster. Copied tables are copied.');
    await pool.query("select replicate_reference_tables('block_writes')");
  } finally {
    await there.end();
  }
}

async function makeDatabase(url: string, name: string, server: { host: string; port: number }): Promise<void> {
  const admin = makePool(url, 1, 'lotwatch-shards');
  try {
    await requireSettingsOf(admin, nameOf(server));
    const { rows: known } = await admin.query('select from pg_database where datname = $1', [name]);
    if (known.length > 0) return;
    const { rows } = await admin.query<{ statement: string }>(
      "select format('create database %I template template0', $1::text) as statement",
      [name],
    );
    // The coordinator makes databases on servers that are part of it only.
    await admin.query(rows[0]?.statement ?? '');
  } finally {
    await admin.end();
  }
}
