/** @module-tag long */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { makeTestDatabase } from '../../test/database.ts';
import { makeMarket } from '../market/market.ts';
import { checkPairs } from '../rig/check-pairs.ts';
import { makeOracle } from '../rig/oracle.ts';
import { measureForward } from './forward.ts';
import { measureMatching } from './match.ts';

const SEED = 5;
let db: ThrowAway;

beforeEach(async () => {
  const { close, ...made } = await makeTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-small-bench-'));
  chmodSync(folder, 0o755);
  await seedPlans(made.pool);
  const remove = async () => {
    await close();
    rmSync(folder, { recursive: true });
  };
  db = { ...made, folder, serverUrls: [made.url], [Symbol.asyncDispose]: remove };
});
afterEach(() => db[Symbol.asyncDispose]());

it('measures matching, and its oracle finds an extra and a missing pair', async () => {
  const size = { alerts: 12_000, listings: 192, seed: SEED };
  const { line, missed } = await measureMatching(db, size);
  expect(missed).toEqual([]);
  expect(line).toMatchObject({ bench: 'match', alerts: 12_000, listings: 192, missing: 0, extra: 0 });
  for (const name of ['matchesPerListing', 'listingsPerSecond', 'rowsPerSecond', 'ratio', 'speedup']) {
    expect(line[name]).toBeGreaterThan(0);
  }
  expect(line.limit).toMatchObject({ rowsPerSecond: expect.any(Number) });
  expect(line.withNotifications).toMatchObject({ ratio: expect.any(Number) });
  expect(line.growth).toMatchObject({
    fixedMicros: expect.any(Number),
    steps: [{ alerts: 10_000 }, { alerts: 12_000 }],
  });

  const market = makeMarket(SEED);
  // The last step leaves the alerts of which a quarter has filters.
  const plain = Array.from({ length: size.alerts }, market.alert);
  const oracle = makeOracle(plain.map((alert, at) => (at % 4 === 0 ? market.filtered(alert) : alert)));
  const listings = Array.from({ length: size.listings }, market.listing).map(market.stated);
  const { rows } = await db.pool.query<{ first: number }>('select min(id) as first from listings');
  const first = rows[0]?.first ?? 0;
  await db.pool.query('delete from matches where ctid in (select ctid from matches limit 2)');
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced) values ($1, 20000, 1, 1, 0, false)`,
    [first],
  );
  expect(await checkPairs(db.pool, oracle, listings, first)).toEqual({ missing: 2, extra: 1 });
}, 60_000);

it('measures backfills, compared with the oracle', async () => {
  const { line } = await measureForward(db, { alerts: 60, listings: 6_000, seed: SEED });
  expect(line).toMatchObject({ bench: 'forward', listings: 6_000, alerts: 60, missing: 0, extra: 0 });
  for (const name of ['matchesPerAlert', 'p50Ms', 'p99Ms']) expect(line[name]).toBeGreaterThan(0);
}, 60_000);
