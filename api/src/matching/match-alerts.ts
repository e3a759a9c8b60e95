import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { alertMakeKeys, alertSearch } from '../domain/criteria/alert-search.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { matchAlertsSql } from './alert-search-sql.ts';
import { lockMatching } from './match-lock.ts';
import { tellMatches } from './tell-matches.ts';

const BATCH = 16;

interface Claimed extends AlertCriteria {
  id: number;
  version: number;
  watches: boolean;
}

/**
 * Looks back for one batch of alerts that are new, edited or switched on: listings of the last 14 days that are still
 * for sale match, shown and not announced; every pair the alert ever had is judged anew.
 * Returns how many alerts were handled.
 */
export async function matchPendingAlerts(pool: Pool, limit = BATCH): Promise<number> {
  return inTransaction(pool, (client) => matchBatch(client, limit));
}

async function matchBatch(client: Client, limit: number): Promise<number> {
  await lockMatching(client, 'alerts');
  const alerts = await claim(client, limit);
  if (alerts.length === 0) return 0;
  const asked = alerts.map((alert) => ({ ...alert, ...alertSearch(alert) }));
  const cells = alerts
    .filter(({ watches }) => watches)
    .flatMap((alert) => alertMakeKeys(alert).map((key) => ({ id: alert.id, key })));
  const { rows } = await client.query<{ ids: number[] }>({
    name: 'match-alerts-search',
    text: matchAlertsSql,
    values: [JSON.stringify(asked), JSON.stringify(cells)],
  });
  await client.query('update alerts set pending_match = false where id = any ($1::int8[])', [
    alerts.map(({ id }) => id),
  ]);
  await tellMatches(client, 'alerts', rows[0]?.ids ?? []);
  return alerts.length;
}

async function claim(client: Client, limit: number): Promise<Claimed[]> {
  const { rows } = await client.query<Claimed>({
    name: 'match-alerts-claim',
    text: `select id, version, make, model, year_min as "yearMin", year_max as "yearMax", price_min as "priceMin",
                  price_max as "priceMax", color, only_with_images as "onlyWithImages", lat, lng, radius,
                  is_active and expires_at > now() as watches
             from alerts where pending_match order by id limit $1 for update skip locked`,
    values: [limit],
  });
  return rows;
}
