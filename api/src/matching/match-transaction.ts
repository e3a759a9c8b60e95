import { locks, waitForSearches } from '../base/advisory-lock.ts';
import { channels } from '../base/channels.ts';
import { type Client, limitIdleTime, pipeline, type Queryable } from '../base/database.ts';
import { isUniqueViolation } from '../base/database-fault.ts';
import { beginForFew } from '../placement/layout.ts';
import {
  beginBackfillOnServers,
  keepBackfillsOutOnServers,
  waitForSearchesOnServers,
} from '../placement/server-locks.ts';

/** Begins a transaction of matching. A stopped process blocks the others for no longer than `idleMs`. */
export const beginMatching = (idleMs: number): string => `${beginForFew()}; ${limitIdleTime(idleMs)}`;

/**
 * Matches a batch with plain inserts, which are faster. Where a pair exists after all, the batch is repeated with upserts.
 * @param match a transaction; it is told whether pairs may exist
 */
export async function insertOrUpsert(match: (mayExist: boolean) => Promise<number>): Promise<number> {
  try {
    return await match(false);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return match(true);
  }
}

/** SQL: false while another transaction backfills. */
export const mayBackfill = `pg_try_advisory_xact_lock(${locks.backfiller})`;

/**
 * Makes searches of changed listings wait for the backfill of claimed alerts, after those searches have ended that may not
 * see these alerts: the backfill leaves to them the listings whose marks it finds.
 * @param users those of the alerts
 * @throws an error for which `isLockNotAvailable`, where a server can't say yet what a search has written there
 */
export async function beginBackfill(client: Client, users: readonly number[]): Promise<void> {
  await pipeline(client, () => [
    waitForSearches(client),
    waitForSearchesOnServers(client, users),
    // Not shared, as searches of the version before take only this lock.
    client.query({ name: 'lock-backfill', text: `select pg_advisory_xact_lock(${locks.backfill})` }),
    beginBackfillOnServers(client, users),
  ]);
}

/**
 * Keeps backfills out until the transaction ends. @param waits for the one that runs
 * @returns false where one runs, and this does not wait, or where a server has not committed one that is over
 */
export async function keepBackfillsOut(client: Client, waits: boolean): Promise<boolean> {
  const { rows } = await client.query<{ kept: boolean }>(
    waits
      ? {
          name: 'wait-for-backfill',
          text: `select pg_advisory_xact_lock_shared(${locks.backfill}) is not null as kept`,
        }
      : { name: 'keep-backfills-out', text: `select pg_try_advisory_xact_lock_shared(${locks.backfill}) as kept` },
  );
  return (rows[0]?.kept ?? false) && (await keepBackfillsOutOnServers(client));
}

/** NOTIFY takes 8,000 bytes; an id has at most 16 digits and a comma. */
const IDS_PER_MESSAGE = 400;

/** A listing or an alert, and the position of its match rows that a transaction wrote. */
export interface Matched {
  id: number;
  position: string;
}

/** Notifies the API processes, once the transaction commits, of the match rows that it wrote. */
export async function notifyMatches(client: Queryable, side: 'listings' | 'alerts', matched: readonly Matched[]) {
  // Rows on several servers have as many positions.
  const parts = [...Map.groupBy(matched, ({ position }) => position)].flatMap(([position, group]) => {
    const ids = group.map(({ id }) => id);
    const starts = Array.from({ length: Math.ceil(ids.length / IDS_PER_MESSAGE) }, (_, part) => part * IDS_PER_MESSAGE);
    return starts.map((start) => ({ position, ids: JSON.stringify(ids.slice(start, start + IDS_PER_MESSAGE)) }));
  });
  const text = `select pg_notify($1, json_build_object('position', $2::text, $3::text, $4::json)::text)`;
  await Promise.all(
    parts.map(({ position, ids }) =>
      client.query({ name: 'notify-matches', text, values: [channels.matches, position, side, ids] }),
    ),
  );
}

/** Wakes the worker for waiting notifications. */
export async function wakeSender(client: Queryable): Promise<void> {
  await client.query({ name: 'wake-sender', text: `select pg_notify('${channels.work}', 'send')` });
}
