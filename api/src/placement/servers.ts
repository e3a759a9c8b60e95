import type { Queryable } from '../base/database.ts';

/** A server of a cluster with rows of users. */
export interface Server {
  /** Its group in Citus. */
  number: number;
  host: string;
  port: number;
  isAway: boolean;
  /** Why it does not answer. */
  fault: string | null;
  /** Whether it has what each server needs, such as the copied tables: not where adding it was interrupted, or past LotWatch. */
  isWhole: boolean;
  /** The newest of its own epochs; null where it does not answer. */
  epoch: number | null;
}

/** Rows of some users, in all tables that are distributed by user. */
export interface Shard {
  id: number;
  host: string;
  port: number;
  /** null where its server does not answer. */
  bytes: number | null;
  /** Whether its server may give positions to its rows: not where it came by a move that raised no epoch. */
  isCounted: boolean | null;
}

export const nameOf = ({ host, port }: { host: string; port: number }): string => `${host}:${port}`;

/** What an operator does about a server that is not whole. */
export const howToComplete = (server: Server): string =>
  `${nameOf(server)} lacks tables that each server has: npm run -s shards -- add-node ${server.host} ${server.port}`;

/** The servers that have rows of users, or may get some. */
export async function readServers(db: Queryable): Promise<Server[]> {
  const { rows } = await db.query<Server>(
    `select not exists (
              select from pg_dist_partition p join pg_dist_shard s using (logicalrelid)
               where p.repmodel = 't' and not exists (
                 select from pg_dist_placement c where c.shardid = s.shardid and c.groupid = n.groupid)) as "isWhole",
            n.groupid as number, n.nodename as host, n.nodeport as port, r.success is not true as "isAway",
            case when r.success is not true then r.result end as fault, case when r.success then r.result::int8 end as epoch
       from run_command_on_all_nodes('select max(epoch) from match_epochs') r join pg_dist_node n using (nodeid)
      where n.groupid <> 0 and n.noderole = 'primary' order by n.groupid`,
  );
  return rows;
}

/** Asks the server of each shard whether it knows the newest epoch of the shard's positions, and has none below it. */
const IS_COUNTED = `
  select coalesce(bool_or(n.epoch is null or k.epoch is not null and n.epoch <= (select max(epoch) from match_epochs)), true)
    from (select max(epoch) as epoch from %s) n left join match_epochs k on k.epoch = n.epoch`;

export async function readShards(db: Queryable): Promise<Shard[]> {
  const { rows: counted } = await db.query<{ id: number; success: boolean; result: string }>(
    `select a.shardid as id, coalesce(r.success, false) as success, coalesce(r.result, '') as result
       from run_command_on_shards('shard_epochs', $1) r
       join pg_dist_shard e on e.shardid = r.shardid
       join pg_dist_shard a on a.shardminvalue = e.shardminvalue and a.logicalrelid = 'alerts'::regclass`,
    [IS_COUNTED],
  );
  const { rows: placed } = await db.query<Pick<Shard, 'id' | 'host' | 'port' | 'bytes'>>(
    `select a.shardid as id, p.nodename as host, p.nodeport as port, sum(s.shard_size)::int8 as bytes
       from pg_dist_shard a
       join pg_dist_shard_placement p on p.shardid = a.shardid
       left join (pg_dist_shard b join citus_shards s on s.shardid = b.shardid)
         on b.shardminvalue = a.shardminvalue and s.citus_table_type = 'distributed'
      where a.logicalrelid = 'alerts'::regclass
      group by 1, 2, 3 order by 1`,
  );
  const answers = new Map(counted.map(({ id, success, result }) => [id, success ? result === 't' : null]));
  return placed.map((shard) => ({ ...shard, isCounted: answers.get(shard.id) ?? null }));
}
