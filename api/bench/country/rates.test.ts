import { expect, it } from 'vitest';
import { makeOracle } from '../rig/oracle.ts';
import { makeNarrowMarket } from './narrow-market.ts';
import { makeOracleByMake, measureRates } from './rates.ts';

it('an alert of the country finds about 20 listings a day, and one in a hundred more than ten times as many', () => {
  const { mean, p99, max } = measureRates(1, { alerts: 3_000, listings: 30_000 });
  expect(mean).toBeGreaterThan(14);
  expect(mean).toBeLessThan(28);
  expect(p99).toBeGreaterThan(150);
  expect(max).toBeGreaterThan(1_000);
}, 30_000);

it('the oracle by make finds what the oracle of all finds', () => {
  const market = makeNarrowMarket(2);
  const alerts = [...market.alerts(4_000)];
  const [byMake, all] = [makeOracleByMake(alerts), makeOracle(alerts)];
  let pairs = 0;
  for (let n = 0; n < 1_000; n += 1) {
    const listing = market.listing();
    const found = byMake.fittingAlerts(listing);
    expect(found).toEqual(all.fittingAlerts(listing));
    pairs += found.length;
  }
  expect(pairs).toBeGreaterThan(0);
});

it('makes the same alerts each time', () => {
  const market = makeNarrowMarket(7);
  expect([...market.alerts(50)]).toEqual([...market.alerts(60)].slice(0, 50));
});
