import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { answerJson, pollRig, type RigSettings } from '../../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../../sources/change-sources.ts';

const rig = pollRig();
const [example] = JSON.parse(
  readFileSync(new URL('../../../../docs/examples/sources/apify.json', import.meta.url), 'utf8'),
) as [RigSettings & { url: string; header: { name: string; value: string } }];

/** An item as Apify's scraper of Facebook Marketplace writes it. Dataset items are stored oldest first. */
const item = (id: number, price = 9000) => ({
  id: String(1_000_000_000 + id),
  itemUrl: `https://www.facebook.com/marketplace/item/${1_000_000_000 + id}/`,
  listingTitle: '2003 Ford Crown Victoria · LX Sedan 4D',
  listingPrice: { amount: `${price}.00`, currency: 'USD' },
  locationText: { text: 'Wilson, NC' },
  location: { latitude: 35.72, longitude: -77.92 },
  '#debug': { requestId: 'x' },
});

let dataset: object[] = [];
let token = 'Bearer YOUR-APIFY-TOKEN';
let paths: string[] = [];

const refuse = (response: ServerResponse, status: number, type: string, message: string, head = {}): true => {
  response.writeHead(status, { 'content-type': 'application/json', ...head });
  response.end(JSON.stringify({ error: { type, message } }));
  return true;
};

/** A dataset as Apify describes it. Source: docs.apify.com/api/v2/dataset-items-get */
function answerAsApify(
  message: { url?: string | undefined; headers: { authorization?: string | undefined } },
  response: ServerResponse,
) {
  const url = new URL(message.url ?? '/', 'http://x');
  paths.push(`${url.pathname}${url.search}`);
  if (message.headers.authorization !== token) {
    return refuse(response, 401, 'user-or-token-not-found', 'User was not found or authentication token is not valid');
  }
  const isTrue = (name: string) => ['1', 'true'].includes(url.searchParams.get(name) ?? '');
  const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
  const ordered = isTrue('desc') ? dataset.toReversed() : dataset;
  const page = ordered.slice(offset, limit ? (offset ?? 0) + limit : undefined);
  // `clean` leaves out hidden fields, and then what is empty; a page may be shorter than its limit.
  const cleaned = page.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !name.startsWith('#'))));
  return answerJson(response, isTrue('clean') ? cleaned.filter((one) => Object.keys(one).length > 0) : page, {
    'x-apify-pagination-total': String(dataset.length),
    'x-apify-pagination-offset': String(offset),
    'x-apify-pagination-limit': String(limit),
  });
}

function configure(more: Partial<RigSettings> = {}) {
  const { pathname, search } = new URL(example.url);
  const { name: _, ...settings } = example;
  return ensureSources(
    rig.db.pool,
    rig.settings({
      ...settings,
      url: new URL(pathname + search, rig.url).href,
      pageSize: 10,
      ...more,
    } as Partial<RigSettings>),
  );
}

beforeEach(async () => {
  token = example.header.value;
  paths = [];
  rig.script = ({ message }, response) => answerAsApify(message, response);
  await configure();
});

const ids = async () => (await rig.stored()).map(({ external_id }) => Number(external_id) - 1_000_000_000);

it('a dataset that never had items is no fault', async () => {
  dataset = [];
  await rig.poll();
  expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
});

it('a dataset is read to its end, then from its newest page until nothing is new, with the token in a header', async () => {
  dataset = [...Array.from({ length: 24 }, (_, index) => item(index)), { '#error': true }];
  expect(await rig.poll()).toEqual([0, 9, 19, 25]);
  expect((await ids()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index));
  dataset = [...dataset, item(24), item(25)];
  expect(await rig.poll()).toEqual([0, 9]);
  expect((await ids()).slice(-2).toSorted()).toEqual([24, 25]);
  expect(paths[0]).toBe('/v2/datasets/YOUR-DATASET/items?format=json&clean=true&desc=true&offset=0&limit=10');
  expect(paths.join()).not.toContain('TOKEN');
  expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
});

it('a run that lists its cars in another order is read to its end where any order is set', async () => {
  await configure({ order: 'any' });
  dataset = Array.from({ length: 30 }, (_, index) => item(index));
  await rig.poll();
  // The next run found known cars last, which come first.
  dataset = [...Array.from({ length: 5 }, (_, index) => item(40 + index)), ...dataset];
  expect(await rig.poll()).toEqual([0, 10, 20, 30, 35]);
  expect((await ids()).slice(-5).toSorted()).toEqual([40, 41, 42, 43, 44]);
});

it('faults in turn lose no item and store none twice, and the health says what happened', async () => {
  dataset = Array.from({ length: 12 }, (_, index) => item(index));
  await rig.poll();
  dataset = [...dataset, item(12), item(13)];
  const healthy = rig.script;
  const errors: (string | null)[] = [];
  for (const fault of [
    (response: ServerResponse) =>
      refuse(response, 429, 'rate-limit-exceeded', 'You have exceeded the rate limit.', { 'retry-after': '90' }),
    (response: ServerResponse) => refuse(response, 401, 'user-or-token-not-found', 'User was not found'),
    (response: ServerResponse) => answerJson(response, { data: { message: 'moved' } }),
    (response: ServerResponse) => {
      const body = JSON.stringify([item(13), item(12)]);
      response.writeHead(200, { 'content-length': body.length }).write(body.slice(0, -40));
      setImmediate(() => response.destroy());
      return true;
    },
  ]) {
    rig.script = (_, response) => fault(response);
    await rig.poll();
    const { last_error, seconds } = await rig.source();
    errors.push(last_error);
    if (errors.length === 1) expect(seconds).toBeGreaterThan(80);
  }
  expect(errors).toEqual([
    expect.stringMatching(/answered 429/),
    expect.stringMatching(/answered 401/),
    expect.stringMatching(/The page holds no items/),
    expect.stringMatching(/broke off before its end\. Before that, 1 record was read\./),
  ]);
  rig.script = ({ message }, response) =>
    message.headers['if-none-match'] === '"empty"'
      ? Boolean(response.writeHead(304).end())
      : answerJson(response, [], { etag: '"empty"' });
  for (let read = 0; read < 2; read++) {
    await rig.poll();
    expect(await rig.source()).toMatchObject({
      failures: 0,
      last_error: 'It answers without items, although it had some. Check whether its address still leads to them.',
    });
  }
  // The scraper met one car on two pages, with another price.
  dataset = [...dataset, item(13, 8500)];
  rig.script = healthy;
  await rig.poll();
  expect((await ids()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, index) => index));
  expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
  expect(await rig.db.rows('select code from quarantine')).toEqual([{ code: 'DUPLICATE_ID' }]);
  expect((await rig.stored()).find(({ external_id }) => external_id === '1000000013')?.price).toBe(8500);
});
