import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { storeCars } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { allocateForApi } from '../../base/connections.ts';
import { readSettings } from '../../base/settings/settings.ts';
import { makeRateLimits } from '../../http/limits/rate-limits.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';

const api = setUpApi();

/** Previews that wait for the lock on the listings, as others may. */
const waiting = `select query from pg_locks join pg_stat_activity using (pid)
  where not granted and relation = 'listings'::regclass and query like '%asked as materialized%'
    and database = (select oid from pg_database where datname = current_database())`;

async function untilWaiting(expected: number): Promise<void> {
  let found: unknown[] = [];
  for (let tries = 0; tries < 500; tries += 1) {
    found = await api.db.rows(waiting);
    if (found.length === expected) return;
    await sleep(20);
  }
  throw new Error(`never did ${expected} statements wait, but ${JSON.stringify(found)}`);
}

/** As many as a process has connections for statements. */
const CALLERS = allocateForApi(readSettings({}).databaseConnections).statements;

it('counts of previews take a third of the connections, and end on the server when their callers leave', async () => {
  const { browser } = await api.user('ana');
  const input = { make: 'toyota', location: 'Los Angeles, CA', radius: 50 };
  const query = 'query ($input: AlertInput!) { previewAlert(input: $input) { matchCount } }';
  const blocker = await api.db.pool.connect();
  try {
    await blocker.query('begin; lock table listings in access exclusive mode');
    const leaving = new AbortController();
    const ask = () =>
      browser.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { input } }),
        signal: leaving.signal,
      });
    const left = Promise.allSettled(Array.from({ length: CALLERS }, ask));
    await untilWaiting(Math.floor(CALLERS / 3));
    expect((await browser.gql('{ me { username } }')).data.me.username).toBe('ana');
    leaving.abort();
    expect((await left).map(({ status }) => status)).toEqual(Array(CALLERS).fill('rejected'));
    await untilWaiting(0);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect((await browser.gql(query, { input })).data.previewAlert.matchCount).toBe(0);
});

it('distances of samples are those to a rounded point, which do not betray the exact one', async () => {
  const { browser } = await api.user('ben');
  const cars = [
    { lat: 34.141_7, lng: -118.148_3 },
    { lat: 34.142_7, lng: -118.147_5 },
  ];
  await storeCars(api.db.pool, cars);
  while ((await matchPendingListings(api.db.pool)) > 0);
  const input = { make: 'toyota', location: 'Los Angeles, CA', radius: 50 };
  const query = 'query ($input: AlertInput!) { previewAlert(input: $input) { sampleDistances } }';
  const { sampleDistances } = (await browser.gql(query, { input })).data.previewAlert;
  expect(sampleDistances).toEqual([8.3, 8.3]);
});

it('each user may ask for 300 previews a minute', async () => {
  const env = { RATE_LIMITS: 'on' };
  const limited = await makeTestApi({ db: api.db, env });
  onTestFinished(() => limited.close());
  const [{ browser, id }, other] = [await limited.user('cleo'), await limited.user('dan')];
  const limits = makeRateLimits(api.db.pool, readSettings(env).rateLimits);
  for (let asked = 0; asked < 299; asked += 1) await limits.preview(id);
  const input = { make: 'toyota', location: 'Los Angeles, CA', radius: 50 };
  const query = 'query ($input: AlertInput!) { previewAlert(input: $input) { matchCount } }';
  expect((await browser.gql(query, { input })).errors).toEqual([]);
  const refused = await browser.gql(query, { input });
  expect(refused).toMatchObject({ status: 429, errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other.browser.gql(query, { input })).errors).toEqual([]);
  expect((await browser.gql('{ me { username } }')).data.me.username).toBe('cleo');
});
