import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import { isConflict, isLockNotAvailable } from '../base/database-fault.ts';
import { decideDoubts } from './decide-doubts.ts';
import { LayoutError } from './prepare-layout.ts';
import { howToComplete, nameOf, readServers, readShards, type Server, type Shard } from './servers.ts';

/** How a shard's rows get to their new server: by replication while they are written, or while writes wait. */
export type Transfer = 'force_logical' | 'block_writes';

type Progress = (line: string) => void;

const TRIES = 20;
const PAUSE_MS = 500;

/** Runs a statement on one server, in a transaction of its own. @throws LayoutError with what the server says */
async function onServer(pool: Pool, { host, port }: Pick<Server, 'host' | 'port'>, statement: string): Promise<string> {
  const { rows } = await pool.query<{ success: boolean; result: string }>(
    "select coalesce(success, false) as success, coalesce(result, '') as result from master_run_on_worker(array[$1], array[$2::int4], array[$3], false)",
    [host, port, statement],
  );
  const [answer] = rows;
  if (!answer?.success) throw new LayoutError('CITUS_REFUSED', `${nameOf({ host, port })} says: ${answer?.result}`);
  return answer.result;
}

/** All epochs of all servers, as JSON. @throws LayoutError where one does not answer */
async function readEpochs(pool: Pool): Promise<object[]> {
  const { rows } = await pool.query<{ success: boolean; result: string; server: string }>(
    `select coalesce(r.success, false) as success, coalesce(r.result, '') as result, n.nodename || ':' || n.nodeport as server
       from run_command_on_all_nodes('select json_agg(e) from match_epochs e') r join pg_dist_node n using (nodeid)`,
  );
  const away = rows.find(({ success }) => !success);
  if (away) throw new LayoutError('CITUS_AWAY', `${away.server} does not answer: ${away.result}`);
  return rows.flatMap(({ result }) => JSON.parse(result) as object[]);
}

/**
 * Lets a server count positions above those of all others, which it then knows. It waits for the transactions that write
 * positions there, a second at a time, since those that come later wait behind it.
 */
export async function raiseEpoch(pool: Pool, server: Pick<Server, 'host' | 'port'>): Promise<number> {
  await decideDoubts(pool);
  const statement = `select raise_match_epoch('${JSON.stringify(await readEpochs(pool))}')`;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const epoch = await onServer(pool, server, statement);
    if (epoch !== '') return Number(epoch);
    await sleep(PAUSE_MS);
  }
  throw new LayoutError(
    'CITUS_REFUSED',
    `Transactions at ${nameOf(server)} that write matches do not end, so that it can begin no epoch: try again later.`,
  );
}

/** @throws LayoutError where there is no such shard */
async function findShard(pool: Pool, wanted: { shard: number } | { user: number }): Promise<Shard> {
  const { rows } = await pool.query<{ id: number | null }>(
    "select get_shard_id_for_distribution_column('alerts', id) as id from users where id = $1",
    ['user' in wanted ? wanted.user : 0],
  );
  const id = 'shard' in wanted ? wanted.shard : rows[0]?.id;
  const found = (await readShards(pool)).find((shard) => shard.id === id);
  if (found) return found;
  throw new LayoutError(
    'CITUS_REFUSED',
    'user' in wanted ? 'There is no such user.' : 'There is no such shard: see status.',
  );
}

/**
 * A transaction that has written to the shard may wait for the move, which waits for it; Citus then ends the younger one. Its locks
 * leave a moment after it has said so.
 */
async function copyShard(pool: Pool, { id, ...from }: Shard, to: Server, transfer: Transfer): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const values = [id, from.host, from.port, to.host, to.port, transfer];
      await pool.query('select citus_move_shard_placement($1, $2, $3, $4, $5, $6)', values);
      return;
    } catch (error) {
      if (tries === TRIES || !(isConflict(error) || isLockNotAvailable(error))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Moves the rows of a shard, in all tables, to another server. Readers by cursor go on: that server first begins an epoch
 * above all others. Where the shard is there already, as after a move past LotWatch, its server may write positions again.
 * @param target "host:port"
 * @throws LayoutError
 */
export async function moveShard(
  pool: Pool,
  wanted: { shard: number } | { user: number },
  target: string,
  { transfer = 'force_logical', say = () => {} }: { transfer?: Transfer; say?: Progress } = {},
): Promise<void> {
  const shard = await findShard(pool, wanted);
  const server = (await readServers(pool)).find((one) => nameOf(one) === target);
  if (!server)
    throw new LayoutError('CITUS_REFUSED', `${target} is no server of the cluster that can have shards: see status.`);
  if (!server.isWhole) throw new LayoutError('CITUS_REFUSED', howToComplete(server));
  say(`${target} counts in epoch ${await raiseEpoch(pool, server)} now, above all servers.`);
  if (nameOf(shard) === target) {
    say(`Shard ${shard.id} is there already.`);
  } else {
    say(`Shard ${shard.id} is copied from ${nameOf(shard)}.`);
    await copyShard(pool, shard, server, transfer);
  }
  // A restart of the former server meanwhile would have begun an epoch that this one does not know.
  const isCounted = async () => (await readShards(pool)).find(({ id }) => id === shard.id)?.isCounted;
  if (!(await isCounted())) await raiseEpoch(pool, server);
  if (!(await isCounted()))
    throw new LayoutError(
      'CITUS_REFUSED',
      `Shard ${shard.id} is at ${target}, which can't count its positions: see status.`,
    );
  say(`Shard ${shard.id} is at ${target}.`);
}
