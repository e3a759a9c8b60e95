import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { buildFacts, storePage } from '../../../test/factories.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../../test/matching/match-rows.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';
import { purgeListingsJob } from './clean-up-job.ts';

const OLD = 1_200;

let alertId: number;

const db = setUpDatabase(async () => {
  const [userId = 0] = await insertUsers(db.pool);
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
});
beforeEach(async () => {
  await db.pool.query('truncate listings, listings_to_match, matches, notifications, cleanup_positions');
  await db.pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, status, pending_match, last_seen_at)
     select 'test', 'old-' || n, '', 'toyota', 'x', case when n % 2 = 0 then 'gone' else 'for_sale' end, false, now() - interval '100 days'
       from generate_series(1, ${OLD}) n`,
  );
});

function job() {
  const logged: unknown[] = [];
  const log = { info: (_: string, fields?: object) => logged.push(fields), warn() {}, error() {} };
  const { signal } = new AbortController();
  return { logged, run: () => purgeListingsJob.run({ pool: db.pool, signal, log }) };
}

it('logs how many listings were purged, and nothing when none were', async () => {
  const purge = job();
  const outcome = await purge.run();
  expect(outcome?.nextInMs).toBeGreaterThan(3_500_000);
  await purge.run();
  expect(purge.logged).toEqual([
    { step: 'unseen-listings', removed: OLD / 2 },
    { step: 'old-listings', removed: OLD },
  ]);
});

it('loses no car that comes back, and no match, while its old listing leaves', async () => {
  let over = false;
  const matching = (async () => {
    while (!over) if ((await matchPendingListings(db.pool)) === 0) await sleep(2);
  })();
  const purging = Promise.all([job().run(), job().run()]);
  const back = Array.from({ length: OLD / 4 }, (_, n) => buildFacts({ externalId: `old-${n * 4 + 1}` }));
  for (let start = 0; start < back.length; start += 20) {
    await storePage(db.pool, 'test', back.slice(start, start + 20));
  }
  await purging;
  over = true;
  await matching;
  while ((await matchPendingListings(db.pool)) > 0);
  await db.pool.query('update cleanup_positions set due_at = now()');
  await job().run();
  const rows = await db.rows(
    `select l.external_id from listings l join matches m on m.listing_id = l.id and m.alert_id = $1
      where l.status = 'for_sale' order by l.id`,
    [alertId],
  );
  expect(rows.map((row) => row.external_id)).toHaveLength(back.length);
  const counted = await db.pool.query(
    `select (select count(*) from listings) as listings,
            (select count(*) from matches m where not exists (select from listings l where l.id = m.listing_id)) as stray`,
  );
  expect(counted.rows).toEqual([{ listings: back.length, stray: 0 }]);
});
