import { progress } from '../../lab/command-line.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { makeMarket } from '../market/market.ts';
import { checkPairs } from '../rig/check-pairs.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';
import { makeOracle } from '../rig/oracle.ts';
import { timeAgainstLimit } from './against-limit.ts';
import { timeSearch } from './growth.ts';

/** Every so many alerts one has filters. */
const ONE_IN = 4;
const ROUNDS = 3;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const swap = `
  alter table alert_cells rename to other_cells;
  alter table spare_cells rename to alert_cells;
  alter table other_cells rename to spare_cells;`;

/**
 * Compares the search among alerts of which a quarter has filters with the search among the same alerts without filters, in
 * turns. Checks the pairs of the filtered ones. The tables are emptied and filled.
 */
export async function measureFilters(
  db: ThrowAway,
  { alerts: count, listings: listingCount, seed }: { alerts: number; listings: number; seed: number },
) {
  const market = makeMarket(seed);
  const plain = Array.from({ length: count }, market.alert);
  const alerts = plain.map((alert, at) => (at % ONE_IN === 0 ? market.filtered(alert) : alert));
  const listings = Array.from({ length: listingCount }, market.listing).map(market.stated);
  progress(`Loading ${count} alerts, a quarter with filters, and the same without …`);
  const empty =
    'truncate users, alerts, alert_cells, listings, listings_to_match, matches, notifications restart identity cascade';
  await db.pool.query(empty);
  await loadAlerts(db, plain);
  await db.pool.query(
    'alter table alert_cells rename to spare_cells; create table alert_cells (like spare_cells including all)',
  );
  await db.pool.query('truncate users, alerts restart identity cascade');
  await loadAlerts(db, alerts);
  const first = await loadListings(db, listings, { pending: false });
  const ids = listings.map((_, at) => first + at);
  const oracle = makeOracle(alerts);
  const micros = { without: [] as number[], withFilters: [] as number[] };
  const perListing = { without: 0, withFilters: 0 };
  const round = async (name: keyof typeof micros) => {
    const batches = await timeSearch(db.pool, ids);
    micros[name].push((batches.reduce((sum, { ms }) => sum + ms, 0) * 1_000) / ids.length);
    perListing[name] = batches.reduce((sum, { matches }) => sum + matches, 0) / ids.length;
  };
  progress('Searching with and without filters in turns …');
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    await round('withFilters');
    await db.pool.query(swap);
    await round('without');
    await db.pool.query(swap);
    // The first turn loads both into memory.
    if (turn === 0) for (const times of Object.values(micros)) times.length = 0;
  }
  progress('Matching with filters …');
  const matches = await timeAgainstLimit(db, { ids, withNotifications: false });
  const faults = await checkPairs(db.pool, oracle, listings, first);
  await db.pool.query('drop table spare_cells');
  const [without, withFilters] = [median(micros.without), median(micros.withFilters)];
  return {
    matchesPerListing: {
      without: Number(perListing.without.toFixed(1)),
      withFilters: Number(perListing.withFilters.toFixed(1)),
    },
    microsPerListing: { without: Number(without.toFixed(1)), withFilters: Number(withFilters.toFixed(1)) },
    slower: Number((withFilters / without - 1).toFixed(3)),
    matching: {
      listingsPerSecond: matches.listingsPerSecond,
      rowsPerSecond: matches.rowsPerSecond,
      ratio: matches.ratio,
    },
    ...faults,
  };
}
