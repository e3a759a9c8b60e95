import { makePool, type Pool, type Queryable } from '../base/database.ts';
import { prepareServers } from './distribute-tables.ts';
import { MAX_SERVERS } from './position-functions.ts';
import { LayoutError, requireCluster, requireServerSettings, requireSettingsOf } from './prepare-layout.ts';
import { nameOf } from './servers.ts';

interface Cluster {
  database: string;
  role: string;
  /** The role that owns the tables. */
  owner: string;
  isSuperuser: boolean;
  /** The number that Citus would give to a further server. */
  next: number;
  /** Whether the server is part of it already. */
  isKnown: boolean;
  /** What is copied to each server, such as "3 GB". */
  copied: string;
}

async function readCluster(db: Queryable, host: string, port: number): Promise<Cluster> {
  const { rows } = await db.query<Cluster>(
    `select current_database() as database, current_user as role, coalesce(pg_get_userbyid(users.relowner), '') as owner,
            coalesce(r.rolsuper, false) as "isSuperuser", numbers.last_value::int4 + 1 as next,
            exists (select from pg_dist_node where nodename = $1 and nodeport = $2) as "isKnown",
            coalesce((select pg_size_pretty(sum(pg_total_relation_size(shard_name(p.logicalrelid, s.shardid)::regclass)))
                        from pg_dist_partition p join pg_dist_shard s using (logicalrelid) where p.repmodel = 't'), '') as copied
       from pg_roles r cross join pg_class users cross join pg_dist_groupid_seq numbers
      where r.rolname = current_user and users.oid = 'users'::regclass`,
    [host, port],
  );
  if (!rows[0]) throw new Error('The role has no name.');
  return rows[0];
}

/** @throws LayoutError where the role can't add the server, with what another one has to do */
export function requireRights(
  { role, owner, isSuperuser, isKnown, database }: Omit<Cluster, 'next' | 'copied'>,
  host: string,
  port: number,
): void {
  // The other would own what the server has of its own, and the processes could not use it.
  if (role !== owner)
    throw new LayoutError(
      'CITUS_REFUSED',
      `The tables belong to ${owner}: set DATABASE_URL to the address for that role.`,
    );
  if (isSuperuser || isKnown) return;
  throw new LayoutError(
    'CITUS_REFUSED',
    `Only a superuser can add a server. As one, run on ${nameOf({ host, port })} "create database ${database} owner ${role}" and, ` +
      `in that database, "create extension citus"; then at the coordinator, in its database, "select citus_add_node('${host}', ${port})" and ` +
      `"grant execute on function replicate_reference_tables(citus.shard_transfer_mode) to ${role}". Then run this command again.`,
  );
}

/**
 * Adds a server to the cluster, on which the extension is installed: makes the database there, and all that each server has.
 * What only a superuser may do is left out where it is done already. No shard is on it afterwards, but each copied table.
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
  const cluster = await readCluster(pool, host, port);
  const { database, next, isKnown, copied } = cluster;
  // One that is part of it already, as where this was interrupted, keeps its number.
  if (next >= MAX_SERVERS && !isKnown)
    throw new LayoutError(
      'CITUS_SERVERS',
      `Citus would give number ${next} to this server. Ids of rows that begin with ${MAX_SERVERS} or more are too large, and numbers are not used again.`,
    );
  requireRights(cluster, host, port);
  if (!isKnown) {
    const of = (name: string) =>
      Object.assign(new URL(url), { hostname: host, port: String(port), pathname: `/${name}` }).href;
    await makeDatabase(of, database, { host, port });
    say(`${nameOf({ host, port })} has the database ${database}.`);
    await pool.query('select citus_add_node($1, $2)', [host, port]);
  }
  // Another one may have been added meanwhile, or past LotWatch.
  await requireCluster(pool);
  await requireServerSettings(pool);
  say(`It is part of the cluster. Copied tables are copied (${copied}), which nobody can write until then.`);
  await pool.query("select replicate_reference_tables('block_writes')");
  await prepareServers(pool);
}

async function withServer(url: string, work: (db: Queryable) => Promise<void>): Promise<void> {
  const pool = makePool(url, 1, 'lotwatch-shards');
  await work(pool).finally(() => pool.end());
}

/** The coordinator makes databases on servers that are part of it only. @param of gives the address of a database of the server */
async function makeDatabase(
  of: (database: string) => string,
  name: string,
  server: { host: string; port: number },
): Promise<void> {
  await withServer(of('postgres'), async (db) => {
    await requireSettingsOf(db, nameOf(server));
    const { rows: known } = await db.query('select from pg_database where datname = $1', [name]);
    if (known.length > 0) return;
    const { rows } = await db.query<{ statement: string }>(
      "select format('create database %I template template0', $1::text) as statement",
      [name],
    );
    await db.query(rows[0]?.statement ?? '');
  });
  await withServer(of(name), async (db) => void (await db.query('create extension if not exists citus')));
}
