import type { Pool } from '../../src/base/database.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import { makeOracleByMake } from './rates.ts';

/** Compares the pairs of the first alerts with the brute-force oracle. */
export async function checkSample(
  pool: Pool,
  alerts: readonly TestAlert[],
  listings: ReadonlyMap<number, TestListing>,
): Promise<{ checked: number; missing: number; extra: number }> {
  const oracle = makeOracleByMake(alerts);
  const expected = new Set<string>();
  for (const [id, listing] of listings) {
    for (const at of oracle.fittingAlerts(listing)) expected.add(`${at + 1} ${id}`);
  }
  const { rows } = await pool.query<{ pair: string }>(
    "select alert_id || ' ' || listing_id as pair from matches where alert_id <= $1",
    [alerts.length],
  );
  const found = new Set(rows.map(({ pair }) => pair));
  return {
    checked: expected.size,
    missing: [...expected].filter((pair) => !found.has(pair)).length,
    extra: [...found].filter((pair) => !expected.has(pair)).length + rows.length - found.size,
  };
}
