import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { decideDoubts } from './decide-doubts.ts';
import { isDistributed } from './layout.ts';
import { readLayout } from './prepare-layout.ts';
import { nameOf, readShards } from './servers.ts';

const CHECK_MS = 5_000;
/** A server that has not let anybody connect for so long is away, as one whose network drops what it gets. */
const CONNECT_MS = 3_000;
/** Shards are moved seldom, and each is asked. */
const CHECKS_A_LOOK_AT_SHARDS = 12;

async function readAway(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ server: string }>(
    `select n.nodename || ':' || n.nodeport as server
       from (select set_config('citus.node_connection_timeout', '${CONNECT_MS}', true) as ms offset 0) limits
      cross join lateral run_command_on_all_nodes(case when limits.ms is not null then 'select 1' end) r
       join pg_dist_node n using (nodeid)
      where not r.success and n.noderole = 'primary' order by 1`,
  );
  return rows.map(({ server }) => server);
}

const ASK_MS = 2_000;

/**
 * Waits until all servers of a cluster answer, without which nothing can be written that is copied to them. It says so once.
 * @param onWait is called again and again
 */
export async function untilServersAnswer(
  db: Queryable,
  log: Log,
  onWait: () => Promise<void>,
  askMs = ASK_MS,
): Promise<void> {
  if ((await readLayout(db)) !== 'citus') return;
  for (let told = false; ; told = true) {
    const servers = await readAway(db);
    if (servers.length === 0) return;
    if (!told) log.error('servers of the cluster do not answer: the worker waits for them', { servers });
    await onWait();
    await sleep(askMs);
  }
}

interface Watch {
  log: Log;
  /** Gets the servers that do not answer. */
  onAway(servers: readonly string[]): void;
  checkMs?: number;
}

/**
 * Looks which servers of the cluster do not answer, and which shards were moved past LotWatch, and says each change once. It
 * decides the transactions that the coordinator has left in doubt on a server, for which readers and others wait. Nothing else
 * has to be done when a server comes back: what failed meanwhile is tried again as after any fault of the database.
 * @returns a function that ends it
 */
export function watchServers(db: Queryable, { log, onAway, checkMs = CHECK_MS }: Watch): () => Promise<void> {
  let away: string[] = [];
  let moved: string[] = [];
  let checks = 0;
  let mayDecide = true;
  let checking: Promise<void> | undefined;

  async function decide(): Promise<void> {
    if (!mayDecide) return;
    const decided = await decideDoubts(db);
    mayDecide = decided !== 'refused';
    if (!mayDecide)
      log.warn(
        'the role may not decide transactions in doubt, which Citus then does within citus.recover_2pc_interval',
      );
    if (typeof decided === 'number' && decided > 0)
      log.info('transactions in doubt were decided', { transactions: decided });
  }

  async function check(): Promise<void> {
    const now = await readAway(db);
    for (const server of now.filter((one) => !away.includes(one)))
      log.error(
        'a server of the cluster does not answer: no listing is stored or matched, and its users read nothing',
        { server },
      );
    for (const server of away.filter((one) => !now.includes(one)))
      log.info('a server of the cluster answers again', { server });
    away = now;
    onAway(now);
    await decide();
    if (checks++ % CHECKS_A_LOOK_AT_SHARDS !== 0 || now.length > 0) return;
    const foreign = (await readShards(db)).filter(({ isCounted }) => isCounted === false);
    const names = foreign.map((shard) => `${shard.id} ${nameOf(shard)}`);
    for (const shard of names.filter((one) => !moved.includes(one)))
      log.error('a shard was moved past LotWatch, and takes no matches: npm run -s shards -- status', { shard });
    moved = names;
  }

  // The coordinator itself may be away, which others notice.
  const start = () => {
    // One that takes longer than the pause is not followed by those that it has kept waiting, for which a stop would wait too.
    checking ??= check()
      .catch((error: unknown) => log.warn('the servers of the cluster can not be asked', { error }))
      .finally(() => {
        checking = undefined;
      });
  };
  start();
  const timer = setInterval(start, checkMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await checking;
  };
}

/** The same where the tables are distributed; nothing on one server. */
export const watchCluster = (db: Queryable, watch: Watch): (() => Promise<void>) =>
  isDistributed() ? watchServers(db, watch) : async () => {};
