import { limitIdleTime, type Queryable, SHORT_IDLE_MS } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { isAskedLeftOpen } from './filter-rules.ts';
import { askedAlerts, askedOf, distanceMiles, notStated, pairFits } from './match-rules.ts';

/** How many pairs a request may still reevaluate: searches and readers wait until the request commits. */
export interface ReevaluationBudget {
  left: number;
}
export const reevaluationBudget = (): ReevaluationBudget => ({ left: 2_000 });

/**
 * Reevaluates the newest shown pairs of an edited alert in the transaction of the edit, as many as the budget allows. A
 * pair that fits the new version keeps its position, so that readers by cursor neither miss it nor get it twice; the
 * others are hidden (version 0). The backfill finds what else fits and shows it at a new position. It must be called
 * last, and while the alert is locked.
 * @param before the version that was shown before the edit
 */
export async function reevaluatePairs(
  db: Queryable,
  alert: AlertCriteria & { id: number; userId: number; version: number },
  before: number,
  budget: ReevaluationBudget,
): Promise<void> {
  if (budget.left <= 0) return;
  // Searches for listings of these pairs wait until this transaction commits.
  await db.query(limitIdleTime(SHORT_IDLE_MS));
  // Pairs that a search has locked are left to the backfill, since waiting for them could deadlock.
  const { rows: reevaluated } = await db.query(
    `/* reevaluate-pairs */ with asked as materialized (${askedAlerts('$1')}), held as materialized (
       select listing_id from matches where alert_id = $2 and user_id = $5 and alert_version = $3
        order by position desc limit $4 for no key update skip locked
     ), reevaluated as materialized (
       select h.listing_id, l.*
         from asked c
        cross join held h
         left join lateral (
           select c.alert_version, ${distanceMiles} as distance_miles, ${notStated(isAskedLeftOpen)} as not_stated
             from listings l where l.id = h.listing_id and ${pairFits}
           offset 0) l on true
     )
     update matches m
        set alert_version = coalesce(r.alert_version, 0), distance_miles = coalesce(r.distance_miles, m.distance_miles),
            not_stated = coalesce(r.not_stated, m.not_stated)
       from reevaluated r where m.alert_id = $2 and m.user_id = $5 and m.listing_id = r.listing_id
    returning m.listing_id`,
    [JSON.stringify([askedOf(alert)]), alert.id, before, budget.left, alert.userId],
  );
  budget.left -= reevaluated.length;
}
