import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ebayCar, ebayCars } from '../../../lab/ebay/ebay-cars.ts';
import { type EbayCall, EbayServer } from '../../../lab/ebay/ebay-server.ts';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { setUpServer } from '../../../test/set-up.ts';
import { SourceState } from '../../domain/source-health.ts';
import { ensureSources } from '../change-sources.ts';
import { readSourceStatus } from '../read-source-status.ts';
import { encryptSecrets } from '../source-secrets.ts';
import { parseSources } from '../source-settings.ts';

const NEWEST = new Date(Date.now() - 3_600_000);
const JSON_TYPE = { 'content-type': 'application/json' };
const rig = pollRig();
let ebay = new EbayServer();
const server = setUpServer((message, response) => ebay.answer(message, response));

/** A source that may make ten calls at once. */
beforeEach(async () => {
  ebay = new EbayServer();
  const { clientId, clientSecret } = ebay;
  const keys = { clientId, clientSecret, apiBase: server.url, allowPrivateNetwork: true };
  const settings = { name: 'lot', kind: 'ebay', ...keys, callsPerDay: 50, everySeconds: 86_400 };
  await ensureSources(rig.db.pool, encryptSecrets(rig.deps.encryption, parseSources(JSON.stringify([settings]), '/')));
});
afterEach(() => rig.db.pool.query('truncate source_accounts, source_details'));

async function poll(): Promise<string | null> {
  ebay.calls = [];
  await rig.poll();
  return (await rig.source()).last_error;
}
const counts = () => [ebay.callsOf('search').length, ebay.callsOf('item').length];
const listings = () => rig.db.rows('select * from listings order by listed_at desc, id');
const announced = async () => (await listings()).filter(({ announce }) => announce);
const withMileage = async () => (await listings()).map(({ mileage }) => mileage !== null);
const longSilent = () => rig.db.pool.query(`update sources set last_success_at = now() - interval '40 days'`);
const states = async () => (await readSourceStatus(rig.db.pool)).map(({ state }) => state);
const leave = (calls: number) =>
  rig.db.pool.query('update source_accounts set calls_left = $1, counted_at = now()', [calls]);
/** The search shows none of the cars. */
const showsNone = ({ kind }: EbayCall, response: ServerResponse): boolean =>
  kind === 'search' && Boolean(response.writeHead(200, JSON_TYPE).end('{"total": 0}'));

it('the quota is kept to over restarts, and waiting for it is no fault', async () => {
  ebay.cars = ebayCars(60, NEWEST);
  // Ten calls at once, of which half are kept for new cars.
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 5]);
  expect(await listings()).toHaveLength(60);
  ebay.cars = [...Array.from({ length: 9 }, (_, index) => ebayCar(100 + index, new Date())), ...ebay.cars];
  await longSilent();
  expect(await poll()).toMatch(
    /^Waiting for eBay's daily quota: the 50 calls a day are spread over the day\. The read goes on in 2\d\d min\.$/,
  );
  expect(counts()).toEqual([1, 3]);
  expect(await announced()).toHaveLength(3);
  expect(await rig.source()).toMatchObject({ failures: 0, first_read_done: true });
  expect((await rig.source()).seconds).toBeCloseTo(300, -2);
  expect(await states()).toEqual([SourceState.degraded]);
  // One call is free, but the read would end where it ended before.
  await leave(1.5);
  await longSilent();
  expect(await poll()).toMatch(/^Waiting for eBay/);
  expect(counts()).toEqual([0, 0]);
  expect(await states()).toEqual([SourceState.degraded]);
  await rig.db.pool.query(`update source_accounts set counted_at = now() - interval '1 day'`);
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 6]);
  expect(await announced()).toHaveLength(9);
  expect(await states()).toEqual([SourceState.healthy]);
});

it('the quota is used by later reads for the newest cars without details, down to half of the calls', async () => {
  ebay.cars = ebayCars(60, NEWEST);
  await poll();
  const upTo = (count: number) => Array.from({ length: 60 }, (_, index) => index < count);
  expect(await withMileage()).toEqual(upTo(5));
  await leave(10);
  // They are not among those that the search shows.
  ebay.script = showsNone;
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 5]);
  expect(await withMileage()).toEqual(upTo(10));
  const [, , , , , , car] = await listings();
  expect(car).toMatchObject({
    mileage: Number(ebay.cars[6]?.aspects.Mileage),
    trim: expect.any(String),
    price: expect.any(Number),
  });
  await leave(10);
  await poll();
  expect(await withMileage()).toEqual(upTo(15));
});

it('the quota is spent no longer when all cars have their details, and one whose answer is at fault holds up no other', async () => {
  ebay.cars = ebayCars(4, NEWEST);
  await poll();
  await rig.db.pool.query('truncate source_details');
  await rig.db.pool.query(`update listings set mileage = null, facts_hash = ''`);
  const [newest] = await listings();
  ebay.script = (call, response) =>
    showsNone(call, response) ||
    (call.kind === 'item' &&
      decodeURIComponent(call.url.pathname).endsWith(newest?.external_id) &&
      Boolean(response.writeHead(500, JSON_TYPE).end('{"errors":[]}')));
  await leave(10);
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 4]);
  expect(await withMileage()).toEqual([false, true, true, true]);
  await leave(10);
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 0]);
});
