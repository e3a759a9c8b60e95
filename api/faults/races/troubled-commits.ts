import { setTimeout as sleep } from 'node:timers/promises';
import type { Reach } from '../../lab/cluster-database.ts';
import type { Pool } from '../../src/base/database.ts';
import { type CommitProxy, type CommitTrouble, NO_TROUBLE, startCommitProxy } from '../system/commit-proxy.ts';

/** How often what is in doubt is looked for. */
const RECOVER_MS = 1_500;
/** A commit that is lost is made up for by the second search, at the latest. */
const NOTED_EARLY_MS = { late: 2_000, cut: 8_000 };

/** Puts a proxy before the first worker of a cluster, which delays some commits and loses others. */
export function troubledCommits(trouble: CommitTrouble) {
  let proxy: CommitProxy | undefined;
  /** Not while the database is made. */
  const disturbed: CommitTrouble = { ...trouble, ...NO_TROUBLE };
  let over = false;
  let recovering: Promise<void> = Promise.resolve();

  const reach: Reach = async (worker) => {
    if (proxy) return worker.port;
    proxy = await startCommitProxy(worker, disturbed);
    return proxy.port;
  };

  async function recoverUntilOver(pool: Pool): Promise<void> {
    while (!over) {
      // Where others write much, it may not get its lock in time, and is repeated.
      await pool.query('select recover_prepared_transactions()').catch(() => {});
      await sleep(RECOVER_MS);
    }
  }

  return {
    reach,
    /** How long after a transaction was prepared on a server it may be committed there. */
    notedEarlyMs: trouble.cut > 0 ? NOTED_EARLY_MS.cut : NOTED_EARLY_MS.late,
    counts: () => proxy?.counts ?? NO_TROUBLE,
    /** From now on commits are late or lost, and the coordinator commits what was prepared and lost again and again. */
    begin(pool: Pool) {
      Object.assign(disturbed, trouble);
      recovering = recoverUntilOver(pool);
    },
    async end() {
      over = true;
      await recovering;
    },
    [Symbol.dispose]() {
      proxy?.stop();
    },
  };
}
