import { type Client, type Finish, inOneGo, inTransaction, type Pool, SHORT_IDLE_MS } from '../base/database.ts';
import { alertKeys, alertMakeKeys } from '../domain/criteria/alert-search.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { askedOf } from '../entities/shared/match-rules.ts';
import { beginMatching, lockLookBack, mayLookBack } from './match-lock.ts';
import { type Matched, notifyMatches } from './notify-matches.ts';
import { matchAlertsAgainSql, matchFreshAlertsSql } from './search/alert-search-sql.ts';

const BATCH = 16;
/** Listings wait for a batch: after so long it takes no more alerts. */
const LONGEST_MS = 200;

interface Claimed extends AlertCriteria {
  id: number;
  version: number;
  watches: boolean;
  /** Whether it has match rows. */
  known: boolean;
}

interface Bounds {
  /** How long a process that is stopped in the middle may hold up all matching. */
  idleMs?: number;
  /** After this time the batch takes no further alert and commits. */
  longestMs?: number;
}

/**
 * Looks back for one batch of alerts that are new, edited or switched on: listings of the last 14 days that are still
 * for sale match, shown and not announced; every pair the alert ever had is judged anew.
 * Returns how many alerts were handled; 0 also while somebody else looks back, who then goes on.
 */
export async function matchPendingAlerts(
  pool: Pool,
  limit = BATCH,
  { idleMs = SHORT_IDLE_MS, longestMs = LONGEST_MS }: Bounds = {},
): Promise<number> {
  return inTransaction(pool, (client, finish) => matchBatch(client, finish, limit, longestMs), beginMatching(idleMs));
}

async function matchBatch(client: Client, finish: Finish, limit: number, longestMs: number): Promise<number> {
  const [isLocked, alerts] = await inOneGo(client, () => [lockLookBack(client), claim(client, limit)]);
  // Alerts without the lock came between the two statements: the next call takes it.
  if (!isLocked || alerts.length === 0) return alerts.length;
  const until = performance.now() + longestMs;
  const matched: Matched[] = [];
  const done: number[] = [];
  // One after the other: an alert may have 100,000s of pairs.
  for (const alert of alerts) {
    matched.push(...(await search(client, alert)));
    done.push(alert.id);
    if (performance.now() >= until) break;
  }
  await finish(() => [clear(client, done), notifyMatches(client, 'alerts', matched)]);
  return done.length;
}

async function claim(client: Client, limit: number): Promise<Claimed[]> {
  const { rows } = await client.query<Claimed>({
    name: 'match-alerts-claim',
    // "limit 1" keeps the look-up by index.
    text: `select a.id, a.version, a.make, a.model, a.year_min as "yearMin", a.year_max as "yearMax",
                  a.price_min as "priceMin", a.price_max as "priceMax", a.color,
                  a.only_with_images as "onlyWithImages", a.lat, a.lng, a.radius,
                  a.is_active and a.expires_at > now() as watches,
                  (select true from matches m where m.alert_id = a.id limit 1) is not null as known
             from alerts a where a.pending_match and ${mayLookBack}
            order by a.id limit $1 for update of a skip locked`,
    values: [limit],
  });
  return rows;
}

/** The alert, if it has matches now. Nobody writes pairs meanwhile, so that new ones need no second look. */
async function search(client: Client, alert: Claimed): Promise<Matched[]> {
  const cells = alert.watches ? lookBackCells(alert) : [];
  const { rows } = await client.query<Matched>({
    name: `match-alerts-${alert.known ? 'again' : 'fresh'}`,
    text: alert.known ? matchAlertsAgainSql : matchFreshAlertsSql,
    values: [JSON.stringify([askedOf(alert)]), JSON.stringify(cells)],
  });
  return rows;
}

function lookBackCells(alert: Claimed): { id: number; makeKey: string; modelKey: string | null }[] {
  const modelKeys = alert.model ? alertKeys(alert) : [];
  return alertMakeKeys(alert).map((makeKey, at) => ({ id: alert.id, makeKey, modelKey: modelKeys[at] ?? null }));
}

async function clear(client: Client, ids: readonly number[]): Promise<void> {
  await client.query({
    name: 'match-alerts-clear',
    text: 'update alerts set pending_match = false where id = any ($1::int8[])',
    values: [ids],
  });
}
