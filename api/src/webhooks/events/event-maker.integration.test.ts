import { beforeEach, expect, it } from 'vitest';
import { onCluster } from '../../../test/database.ts';
import { storeCars, untilMatchesVisible } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { LOCAL_WEBHOOKS, makeDealer, makeWebhook } from '../../../test/webhooks/dealer.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';
import { type EventMaker, makeEventMaker } from './event-maker.ts';

const DEALERS = 5;
let maker: EventMaker;
const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
  for (let made = 0; made < DEALERS; made += 1) await makeWebhook(await makeDealer(api));
});
beforeEach(async () => {
  maker = makeEventMaker(api.db.pool, { buyersAPage: 2 });
  while (await maker.round());
  await api.db.pool.query('delete from webhook_events');
});

/** Matches cars. Returns the payloads of NOTIFY about them. */
async function matchCars(count: number): Promise<string[]> {
  const ids = await storeCars(
    api.db.pool,
    Array.from({ length: count }, () => ({})),
  );
  while ((await matchPendingListings(api.db.pool)) > 0);
  return (
    await api.db.rows(
      `select json_build_object('position', position::text, 'listings', json_agg(distinct listing_id))::text as notice
       from matches where listing_id = any($1) group by position`,
      [ids],
    )
  ).map(({ notice }) => notice);
}
const events = async () => (await api.db.pool.query('select from webhook_events')).rowCount;
/** Runs as many rounds as a cycle through all buyers takes. */
const oneCycle = async () => {
  for (let round = 0; round < Math.ceil((DEALERS + 1) / 2); round += 1) await maker.round();
};

it('makes the events of a notice in one round, whichever buyers are read, and none twice', async () => {
  const notices = await matchCars(3);
  await untilMatchesVisible(api.db.pool);
  for (const notice of [...notices, ...notices]) maker.notify(notice);
  await maker.round();
  expect(await events()).toBe(3 * DEALERS);
  await oneCycle();
  expect(await events()).toBe(3 * DEALERS);
});

it('finds matches without a notice when their buyers are read', async () => {
  await matchCars(3);
  await untilMatchesVisible(api.db.pool);
  await maker.round();
  expect(await events()).toBeLessThan(3 * DEALERS);
  await oneCycle();
  expect(await events()).toBe(3 * DEALERS);
});

it('waits for an older transaction that still runs, and then makes the events that it held back', async () => {
  const older = await api.db.pool.connect();
  // On each server that has rows.
  await older.query(
    onCluster ? 'begin; update shards_here set shard_id = shard_id' : 'begin; select pg_current_xact_id()',
  );
  for (const notice of await matchCars(2)) maker.notify(notice);
  await maker.round();
  expect(await events()).toBe(0);
  await older.query('commit');
  older.release();
  await untilMatchesVisible(api.db.pool);
  await maker.round();
  expect(await events()).toBe(2 * DEALERS);
});

it('reads all buyers again after a malformed notice, and after a failure', async () => {
  await matchCars(2);
  await untilMatchesVisible(api.db.pool);
  maker.notify('{"position": 1, "list');
  let rounds = 1;
  while (await maker.round()) rounds += 1;
  expect([rounds, await events()]).toEqual([3, 2 * DEALERS]);

  for (const notice of await matchCars(1)) maker.notify(notice);
  await untilMatchesVisible(api.db.pool);
  await api.db.pool.query('alter table webhook_events rename to webhook_events_away');
  await expect(maker.round()).rejects.toThrow();
  await api.db.pool.query('alter table webhook_events_away rename to webhook_events');
  while (await maker.round());
  expect(await events()).toBe(3 * DEALERS);
});
