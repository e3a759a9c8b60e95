import type { Pool } from '../../base/database.ts';
import type { BillingParts } from '../billing-parts.ts';
import { deleteOldLeases } from '../state/user-turns.ts';
import { bidFarewell } from './farewells.ts';
import { reconcile, warnOfGraceEnd } from './reconcile.ts';
import { settleEvents } from './settle-events.ts';

/**
 * All that waits to be done about payments: events, farewells, second looks, warnings.
 * @returns milliseconds until something is due again; null when nothing waits
 */
export async function settleDuePayments(parts: BillingParts, pool: Pool): Promise<number | null> {
  const { payments } = parts;
  if (!payments) return null;
  const paid = { ...parts, payments };
  await settleEvents(paid, pool);
  await bidFarewell(paid, pool);
  await reconcile(paid, pool);
  await warnOfGraceEnd(paid, pool);
  await deleteOldLeases(pool);
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from least(
        (select min(next_try_at) from billing_events where settled_at is null),
        (select min(next_try_at) from billing_farewells),
        (select min(next_look_at) from billing_customers)) - now()) * 1000)::float8 as ms`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(0, ms);
}
