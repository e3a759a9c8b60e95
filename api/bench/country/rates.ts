import { percentile } from '../../lab/percentile.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { makeOracle, type Oracle } from '../rig/oracle.ts';
import { makeNarrowMarket } from './narrow-market.ts';

export const LISTINGS_A_DAY = 5_000_000;

/** How many listings a day an alert finds. One that the sample has once counts as `step`. */
export interface Rates {
  step: number;
  mean: number;
  p50: number;
  p99: number;
  max: number;
}

/** An oracle that asks only the alerts of the listing's make, which is 15 times as fast. */
export function makeOracleByMake(alerts: readonly TestAlert[]): Oracle {
  const positions = new Map<string, number[]>();
  for (const [at, { make }] of alerts.entries()) {
    const known = positions.get(make);
    if (known) known.push(at);
    else positions.set(make, [at]);
  }
  const oracles = new Map(
    [...positions].map(([make, places]) => {
      const oracle = makeOracle(places.flatMap((at) => alerts[at] ?? []));
      return [make, { places, oracle }];
    }),
  );
  return {
    fittingAlerts(listing) {
      const found = oracles.get(listing.make);
      return found ? found.oracle.fittingAlerts(listing).map((at) => found.places[at] ?? 0) : [];
    },
  };
}

/** Measures by brute force what a sample of the market's alerts finds among a sample of a day's listings. */
export function measureRates(seed: number, sample: { alerts: number; listings: number }): Rates {
  const market = makeNarrowMarket(seed);
  const oracle = makeOracleByMake([...market.alerts(sample.alerts)]);
  const found = new Float64Array(sample.alerts);
  for (let n = 0; n < sample.listings; n += 1) {
    for (const at of oracle.fittingAlerts(market.listing())) found[at] = (found[at] ?? 0) + 1;
  }
  const aDay = [...found].map((count) => (count * LISTINGS_A_DAY) / sample.listings);
  return {
    step: LISTINGS_A_DAY / sample.listings,
    mean: Number((aDay.reduce((sum, one) => sum + one, 0) / aDay.length).toFixed(1)),
    p50: percentile(aDay, 0.5),
    p99: percentile(aDay, 0.99),
    max: percentile(aDay, 1),
  };
}
