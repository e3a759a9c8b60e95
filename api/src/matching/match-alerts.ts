import { type Client, type CommitWith, inTransaction, type Pool, pipeline, SHORT_IDLE_MS } from '../base/database.ts';
import { isLockNotAvailable } from '../base/database-fault.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { alertCells } from '../domain/criteria/search-columns.ts';
import { criteriaColumns } from '../entities/criteria-columns.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';
import { isDistributed } from '../placement/layout.ts';
import { matchFreshAlertsSql, rematchAlertsSql } from './alert-search-sql.ts';
import { askedOf } from './match-rules.ts';
import {
  beginBackfill,
  beginMatching,
  insertOrUpsert,
  type Matched,
  mayBackfill,
  notifyMatches,
} from './match-transaction.ts';

const BATCH = 16;
/** Changed listings wait while a batch runs: after this time it takes no more alerts. */
const MAX_MS = 200;

interface Claimed extends AlertCriteria {
  id: number;
  userId: number;
  version: number;
  watches: boolean;
  /** Whether it has match rows. */
  known: boolean;
}

interface MatchedAlert extends Matched {
  /** Whether it fits more listings than an alert keeps. */
  isCapped: boolean;
  /** Whether it has to be searched for once more, as one with match rows. */
  needsMore: boolean;
}

interface Bounds {
  /** How long a stopped process may keep changed listings waiting. */
  idleMs?: number;
  /** After this time the batch takes no further alert and commits. */
  maxMs?: number;
}

/**
 * Backfills one batch of alerts that are new, edited or switched on: listings of the last 14 days that are still for sale
 * match and are shown, not announced, the newest ones that an alert keeps. Every earlier pair of the alert is evaluated again.
 * @returns how many alerts were handled; 0 also while another process backfills, which then continues, or where a server can't
 *   say yet what a search has written there
 */
export async function matchPendingAlerts(
  pool: Pool,
  limit = BATCH,
  { idleMs = SHORT_IDLE_MS, maxMs = MAX_MS }: Bounds = {},
): Promise<number> {
  try {
    return await insertOrUpsert((mayExist) =>
      inTransaction(
        pool,
        (client, commitWith) => matchBatch(client, commitWith, { limit, maxMs, mayExist }),
        beginMatching(idleMs),
      ),
    );
  } catch (error) {
    if (isDistributed() && isLockNotAvailable(error)) return 0;
    throw error;
  }
}

interface BatchOptions {
  limit: number;
  maxMs: number;
  mayExist: boolean;
}

async function matchBatch(client: Client, commitWith: CommitWith, options: BatchOptions): Promise<number> {
  const { limit, maxMs, mayExist } = options;
  const alerts = await claim(client, limit);
  if (alerts.length === 0) return 0;
  let until = 0;
  const matched: MatchedAlert[] = [];
  const done: Claimed[] = [];
  const begin = async (on: Client) => {
    await beginBackfill(
      on,
      alerts.map(({ userId }) => userId),
    );
    until = performance.now() + maxMs;
  };
  // Alerts are searched one after the other, since one may have thousands of pairs.
  for (const [at, alert] of alerts.entries()) {
    const [, found] = await pipeline(client, () => [
      at === 0 ? begin(client) : undefined,
      search(client, alert, mayExist),
    ]);
    matched.push(...found);
    done.push(alert);
    if (performance.now() >= until) break;
  }
  await commitWith(() => [clear(client, done, matched), notifyMatches(client, 'alerts', matched)]);
  return done.length;
}

async function claim(client: Client, limit: number): Promise<Claimed[]> {
  const { rows } = await client.query<Claimed>({
    name: 'match-alerts-claim',
    // "limit 1" keeps the look-up by index.
    text: `select a.id, a.user_id as "userId", a.version, ${criteriaColumns('a')},
                  a.is_active and a.expires_at > now() as watches,
                  (select true from matches m where m.alert_id = a.id and m.user_id = a.user_id limit 1) is not null as known
             from alerts a where a.pending_match and ${mayBackfill}
            order by a.id limit $1 for update of a skip locked`,
    values: [limit],
  });
  return rows;
}

/** Writes the alert's matches. @returns the alert if it fits any listing */
async function search(client: Client, alert: Claimed, mayExist: boolean): Promise<MatchedAlert[]> {
  const isKnown = alert.known || mayExist;
  const cells = alert.watches ? alertCells(alert).map((cell) => ({ id: alert.id, ...cell })) : [];
  const { rows } = await client.query<MatchedAlert>({
    name: `match-alerts-${isKnown ? 'again' : 'fresh'}`,
    text: isKnown ? rematchAlertsSql : matchFreshAlertsSql,
    values: [JSON.stringify([askedOf(alert)]), JSON.stringify(cells)],
  });
  return rows.some(({ needsMore }) => needsMore) ? search(client, alert, true) : rows;
}

async function clear(client: Client, done: readonly OwnedRow[], matched: readonly MatchedAlert[]): Promise<void> {
  const [ids, userIds] = keysOf(done);
  await client.query({
    name: 'match-alerts-clear',
    text: `update alerts set pending_match = false, is_capped = is_capped or id = any ($2::int8[])
            where id = any ($1::int8[]) and user_id = any ($3::int8[])`,
    values: [ids, matched.flatMap(({ id, isCapped }) => (isCapped ? id : [])), userIds],
  });
}
