import type { Pool } from '../../src/base/database.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import type { Oracle } from './oracle.ts';

interface PairFaults {
  missing: number;
  extra: number;
}

/** Compares every pair in `matches` with the oracle. @param first the id of the first listing; the others follow */
export async function checkPairs(
  pool: Pool,
  oracle: Oracle,
  listings: readonly TestListing[],
  first: number,
): Promise<PairFaults> {
  const faults = { missing: 0, extra: 0 };
  for (const [at, listing] of listings.entries()) {
    const { rows } = await pool.query<{ id: number }>({
      name: 'pairs-of-listing',
      text: 'select alert_id as id from matches where listing_id = $1',
      values: [first + at],
    });
    const fitting = new Set(oracle.fittingAlerts(listing));
    const found = new Set(rows.map(({ id }) => id - 1));
    faults.missing += [...fitting].filter((alert) => !found.has(alert)).length;
    faults.extra += [...found].filter((alert) => !fitting.has(alert)).length + rows.length - found.size;
  }
  return faults;
}
