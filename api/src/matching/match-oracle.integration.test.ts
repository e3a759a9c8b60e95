import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestDatabase, onCluster, type TestDatabase } from '../../test/database.ts';
import {
  insertAlerts,
  insertListings,
  insertUsers,
  type TestAlert,
  type TestListing,
} from '../../test/matching/match-rows.ts';
import { makeWorld, oracleFits, oraclePairs } from '../../test/matching/match-world.ts';
import { fits, notStatedBits, verdictsFor } from '../domain/criteria/criteria.ts';
import { shownMiles } from '../domain/places/place.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

/** The alerts are theirs, so that those of a cluster lie on several servers. */
const USERS = 8;

/** @param count the number of alerts, and of listings */
function agreesWithTheOracle(count: number): void {
  const world = makeWorld(20_260);
  const alerts: TestAlert[] = Array.from({ length: count }, () => world.alert());
  const listings: TestListing[] = Array.from({ length: count }, () => world.listing(alerts));

  const ofEach = Math.ceil(count / USERS);
  const orLong = (ms: number) => (onCluster && count > 2_000 ? 900_000 : ms);

  let db: TestDatabase;
  let expected: Set<string>;
  let alertIndex: Map<number, number>;
  let listingIndex: Map<number, number>;

  beforeAll(async () => {
    db = await makeTestDatabase();
    const alertIds: number[] = [];
    const userIds = await insertUsers(db.pool, USERS);
    for (const [at, userId] of userIds.entries())
      alertIds.push(...(await insertAlerts(db.pool, userId, alerts.slice(at * ofEach, (at + 1) * ofEach))));
    const listingIds = await insertListings(db.pool, listings);
    alertIndex = new Map(alertIds.map((id, index) => [id, index]));
    listingIndex = new Map(listingIds.map((id, index) => [id, index]));
    // Some cells are as an api of the version before writes them, or of alerts whose conditions are too long for the index.
    await db.pool.query("update alert_cells set conditions = '' where alert_id % 3 = 0");
    expected = oraclePairs(alerts, listings);
  }, orLong(120_000));
  afterAll(() => db.close());

  async function foundPairs(): Promise<string[]> {
    return (
      await db.rows(
        `select m.listing_id as l, m.alert_id as a from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id
        where m.alert_version = a.version`,
      )
    ).map(({ l, a }) => `${listingIndex.get(l)}:${alertIndex.get(a)}`);
  }

  /** Compares the mark of pairs for which a filter is not stated with the verdicts of the domain. */
  async function expectMarks(): Promise<void> {
    const rows = await db.rows(
      `select listing_id as l, alert_id as a, not_stated & ${notStatedBits.filters} <> 0 as marked from matches limit 20000`,
    );
    const wrong = rows.filter(({ l, a, marked }) => {
      const [alert, listing] = [alerts[alertIndex.get(a) ?? -1], listings[listingIndex.get(l) ?? -1]];
      if (!alert || !listing) return true;
      return (
        verdictsFor(alert, listing)
          .slice(7)
          .some(({ verdict }) => verdict === 'not_stated') !== marked
      );
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(rows.filter(({ marked }) => marked).length).toBeGreaterThan(count / 200);
  }

  /** Compares the stored distances with those of the domain, whose arithmetic may round one of thousands to another tenth. */
  async function expectDistances(): Promise<void> {
    const rows = await db.rows(
      'select listing_id as l, alert_id as a, distance_miles as miles from matches limit 20000',
    );
    const differences = rows.map(({ l, a, miles }) => {
      const [alert, listing] = [alerts[alertIndex.get(a) ?? -1], listings[listingIndex.get(l) ?? -1]];
      if (!alert || listing?.lat == null || listing.lng == null) return Number.NaN;
      return Math.abs(shownMiles(alert, { lat: listing.lat, lng: listing.lng }) - miles);
    });
    expect(Math.max(...differences)).toBeLessThan(0.11);
    expect(differences.filter((difference) => difference > 1e-6).length).toBeLessThan(1 + rows.length / 1_000);
  }

  function describePair(pair: string) {
    const [l, a] = pair.split(':').map(Number);
    return JSON.stringify({ alert: alerts[a ?? -1], listing: listings[l ?? -1] });
  }

  async function expectOraclesPairs(): Promise<void> {
    const found = await foundPairs();
    const foundSet = new Set(found);
    expect(found.length).toBe(foundSet.size);
    const beyond = (some: Set<string>, others: Set<string>) =>
      [...some]
        .filter((pair) => !others.has(pair))
        .slice(0, 3)
        .map(describePair);
    expect({ missing: beyond(expected, foundSet), extra: beyond(foundSet, expected) }).toEqual({
      missing: [],
      extra: [],
    });
  }

  it('has enough pairs at borders, poles and ±180°', () => {
    const matched = [...expected].map((pair) => alerts[Number(pair.split(':')[1])]);
    expect(expected.size).toBeGreaterThan(count ** 2 / 1_000);
    expect(matched.filter((alert) => Math.abs(alert?.lat ?? 0) > 89).length).toBeGreaterThan(count ** 2 / 100_000);
    expect(matched.filter((alert) => Math.abs(alert?.lng ?? 0) > 179).length).toBeGreaterThan(count ** 2 / 100_000);
  });

  it(
    'finds the oracle’s pairs from the listings',
    async () => {
      while ((await matchPendingListings(db.pool)) > 0);
      await expectOraclesPairs();
      await expectMarks();
      await expectDistances();
    },
    orLong(60_000),
  );

  it(
    'finds the oracle’s pairs from the alerts',
    async () => {
      await db.pool.query('truncate matches');
      await db.pool.query('update alerts set pending_match = true');
      while ((await matchPendingAlerts(db.pool)) > 0);
      await expectOraclesPairs();
      await expectMarks();
      await expectDistances();
    },
    orLong(60_000),
  );

  it('decides like the oracle in the domain', () => {
    const wrong: string[] = [];
    let judged = 0;
    for (const pair of expected) {
      const [l, a] = pair.split(':').map(Number);
      const [alert, listing] = [alerts[a ?? -1], listings[l ?? -1]];
      if (alert && listing && !fits(verdictsFor(alert, listing))) wrong.push(describePair(pair));
      judged += 1;
      if (judged >= 50_000) break;
    }
    for (let n = 0; n < 150_000; n += 1) {
      const [alert, listing] = [world.pick(alerts), world.pick(listings)];
      if (fits(verdictsFor(alert, listing)) !== oracleFits(alert, listing)) {
        wrong.push(JSON.stringify({ alert, listing }));
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });
}

describe('1,500 listings and as many alerts', () => agreesWithTheOracle(1_500));
describe('10,000 listings and as many alerts', { tags: 'long' }, () => agreesWithTheOracle(10_000));
