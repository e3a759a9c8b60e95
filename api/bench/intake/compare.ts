import type { Pool } from '../../src/base/database.ts';
import type { Oracle } from '../rig/oracle.ts';
import type { SentCar } from './item-stream.ts';

/** The differences between the database, the sent items and the oracle. */
export interface Differences {
  /** Pairs that fit and are not shown. */
  missing: number;
  /** Pairs that are shown and do not fit, and hidden ones that never did. */
  extra: number;
  listingsMissing: number;
  matches: number;
}

interface Stored {
  shown: Set<number>;
  hidden: Set<number>;
}

async function readStored(pool: Pool, source: string): Promise<Map<string, Stored>> {
  const { rows } = await pool.query<{ id: string; shown: number[]; hidden: number[] }>(
    `select l.external_id as id,
            coalesce(array_agg(m.alert_id::int4) filter (where m.alert_version = a.version), '{}') as shown,
            coalesce(array_agg(m.alert_id::int4) filter (where m.alert_version <> a.version), '{}') as hidden
       from listings l left join matches m on m.listing_id = l.id left join alerts a on a.id = m.alert_id
      where l.source = $1 group by l.id`,
    [source],
  );
  return new Map(rows.map(({ id, shown, hidden }) => [id, { shown: new Set(shown), hidden: new Set(hidden) }]));
}

/**
 * Compares every pair with the facts of its sender. The pairs of a car that was sold before its search may exist or not.
 * Alerts have the ids from 1 on, in the oracle's order.
 */
export async function compareMatches(
  pool: Pool,
  source: string,
  cars: readonly SentCar[],
  oracle: Oracle,
): Promise<Differences> {
  const stored = await readStored(pool, source);
  const found: Differences = { missing: 0, extra: 0, listingsMissing: 0, matches: 0 };
  for (const { externalId, versions, isSold } of cars) {
    const pairs = stored.get(externalId);
    if (!pairs) {
      found.listingsMissing += 1;
      continue;
    }
    const ever = versions.map((facts) => oracle.fittingAlerts(facts).map((at) => at + 1));
    const last = new Set(ever.at(-1));
    const any = new Set(ever.flat());
    found.matches += pairs.shown.size + pairs.hidden.size;
    if (!isSold) found.missing += [...last].filter((alert) => !pairs.shown.has(alert)).length;
    found.extra += [...pairs.shown].filter((alert) => !(isSold ? any : last).has(alert)).length;
    found.extra += [...pairs.hidden].filter((alert) => !any.has(alert)).length;
  }
  return found;
}
