import { afterAll, beforeAll, expect, it } from 'vitest';
import { startListener } from '../../src/base/listener.ts';
import { silentLog } from '../../src/base/log.ts';
import { ingestPush } from '../../src/jobs/ingest-push.ts';
import { bindJobs } from '../../src/jobs/job.ts';
import { backfillAlertsJob, matchListingsJob } from '../../src/jobs/matching-jobs.ts';
import { startJobs } from '../../src/jobs/schedule/agenda.ts';
import { parseMarketplacePage } from '../../src/sources/marketplace-items/read-marketplace-items.ts';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { gazetteer } from '../../test/reading/marketplace-items.ts';
import { makeMarket } from '../market/market.ts';
import { makeOracle } from '../rig/oracle.ts';
import { compareMatches } from './compare.ts';
import { ItemStream, type SentCar } from './item-stream.ts';
import { SOURCE, untilMatched } from './load.ts';

const SEED = 3;
let db: TestDatabase;
const market = makeMarket(SEED);
const alerts = Array.from({ length: 3_000 }, () => market.alert());
const oracle = makeOracle(alerts);
const stream = new ItemStream(market, SEED);
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  db = await makeTestDatabase();
  const [userId = 0] = await insertUsers(db.pool);
  await insertAlerts(db.pool, userId, alerts);
  const listener = await startListener(db.url, silentLog);
  const parts = { pool: db.pool, signal: new AbortController().signal };
  const shared = { database: db.url, mongoUrl: undefined, listener, log: silentLog };
  const jobs = await startJobs({ ...shared, jobs: bindJobs([matchListingsJob, backfillAlertsJob], parts) });
  closing.push(
    () => jobs.close(),
    () => listener.close(),
    () => db.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

const parsePage = (text: string, now: Date) => parseMarketplacePage(text, { gazetteer, now });
const compare = () => compareMatches(db.pool, SOURCE, stream.cars, oracle);

it('stores and matches what two workers push, with the pairs of the oracle', async () => {
  const worker = async () => {
    for (let body = 0; body < 14; body += 1) {
      const { text, counts } = stream.next(100);
      const answer = await ingestPush({ pool: db.pool, parsePage, now: () => new Date() }, SOURCE, text);
      expect(answer).toMatchObject(counts);
    }
  };
  await Promise.all([worker(), worker()]);
  await untilMatched(db.pool);
  const found = await compare();
  expect(found).toMatchObject({ missing: 0, extra: 0, listingsMissing: 0 });
  expect(found.matches).toBeGreaterThan(500);
  const versions = stream.cars.filter(({ versions }) => versions.length > 1);
  expect(versions.length).toBeGreaterThan(20);
  const row = await db.row('select count(*)::int4 as linked from listings where car_id <> id');
  expect(row.linked).toBeGreaterThan(stream.relists / 2);
});

it('finds a missing pair, an extra one and a missing listing', async () => {
  const fits = (car: SentCar) => car.versions.slice(-1).flatMap((facts) => oracle.fittingAlerts(facts));
  const car = stream.cars.find((one) => !one.isSold && fits(one).length > 0);
  const { rowCount } = await db.pool.query(
    'delete from matches m using listings l where l.id = m.listing_id and l.external_id = $1 and m.alert_id = $2',
    [car?.externalId, car && (fits(car)[0] ?? 0) + 1],
  );
  expect(rowCount).toBe(1);
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
     select l.id, a.id, a.user_id, 1, 1, false from listings l, alerts a
      where a.make <> l.make order by l.id, a.id limit 1`,
  );
  expect(await compare()).toMatchObject({ missing: 1, extra: 1, listingsMissing: 0 });
  await db.pool.query('delete from listings where id = (select max(id) from listings)');
  expect((await compare()).listingsMissing).toBe(1);
});
