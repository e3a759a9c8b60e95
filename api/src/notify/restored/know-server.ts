import { locks } from '../../base/advisory-lock.ts';
import { inTransaction, type Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { holdMessages } from './mark-restored.ts';
import { readServer, recordServer } from './running-server.ts';

/** Pools of processes with DATABASE_SYNCHRONOUS. */
const synchronous = new WeakSet<Pool>();

interface KnownServer {
  systemIdentifier: string;
  timeline: number;
  isSynchronous: boolean;
  knownAt: Date;
}

/**
 * Finds out whether the running server is the one that this database knew last, after a start or a recovery. If it is another
 * one, such as a promoted standby, it may lack the last commits of that one, and with them what was sent: then messages are
 * held, in the same transaction. Not where nothing was claimed before a standby had it.
 */
export async function knowServer(pool: Pool, log: Log, declared?: boolean): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [locks.knownServer]);
    const server = await readServer(client);
    if (server.isKnown && (declared ?? server.isSynchronous) === server.isSynchronous) return;
    const { rows } = await client.query<KnownServer>(
      `select system_identifier as "systemIdentifier", timeline, is_synchronous as "isSynchronous", known_at as "knownAt"
         from known_servers order by id desc limit 1`,
    );
    const [known] = rows;
    const isOther = known && (known.systemIdentifier !== server.systemIdentifier || known.timeline !== server.timeline);
    if (isOther && known.isSynchronous && synchronous.has(pool)) {
      log.info('the database server is another one, and had every claim', { timeline: server.timeline });
    } else if (isOther) {
      // What a copy from a dump has replayed is not known; everything is there that it had when it was first seen.
      const restoredTo = server.replayedUntil ?? known.knownAt;
      await holdMessages(client, { restoredTo, lost: undefined, isComplete: false });
      log.warn('the database server is another one and may lack commits: messages are held', {
        restoredTo: restoredTo.toISOString(),
        timeline: server.timeline,
        formerTimeline: known.timeline,
      });
    }
    await recordServer(client, { ...server, isSynchronous: declared ?? known?.isSynchronous ?? false });
  });
}

/**
 * Declares whether messages may leave only once a standby has their claims (DATABASE_SYNCHRONOUS), for all processes of the
 * database. A commit that a standby has acknowledged proves that it has everything before.
 */
export async function declareSynchronous(pool: Pool, log: Log, isSynchronous: boolean): Promise<void> {
  if (isSynchronous) synchronous.add(pool);
  await knowServer(pool, log, isSynchronous);
}
