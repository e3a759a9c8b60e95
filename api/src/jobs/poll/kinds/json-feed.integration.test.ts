import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerJson, pollRig, type RigSettings } from '../../../../test/reading/poll-rig.ts';
import { databaseTexts } from '../../../../test/rights/database-texts.ts';
import { autoDev, autoDevListing, marketCheck, marketCheckListing } from '../../../../test/servers/listing-apis.ts';
import { makeLog } from '../../../base/log.ts';
import { ensureSources } from '../../../sources/change-sources.ts';

import { parseSources } from '../../../sources/source-settings.ts';
import { trySource } from '../../../sources/try-source.ts';

const rig = pollRig();

/** Adds a source as its example file has it, but at this test's server. */
async function configure(example: string, more: object = {}) {
  const text = readFileSync(new URL(`../../../../docs/examples/sources/${example}.json`, import.meta.url), 'utf8');
  const [settings] = JSON.parse(text) as { url: string }[];
  const { pathname, search } = new URL(settings?.url ?? '');
  const here = { name: 'lot', url: new URL(pathname + search, rig.url).href, everySeconds: 60 };
  const given = { ...settings, ...here, pauseMs: 0, ...more } as unknown as Partial<RigSettings>;
  await ensureSources(rig.db.pool, rig.settings(given));
}

/** Reads once. @param script answers some requests in place of the API. @returns the error of the source's health */
async function read(script?: (response: ServerResponse, nth: number) => boolean): Promise<string | null> {
  let nth = 0;
  rig.script = ({ message }, response) => script?.(response, nth++) === true || api.answer(message, response);
  await rig.poll();
  return (await rig.source()).last_error;
}

let api = marketCheck('');
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const listings = () =>
  rig.db.rows('select external_id as id, status, price, missed_reads as missed from listings order by external_id');
const status = async () => Object.fromEntries((await listings()).map(({ id, status: is }) => [id, is]));

const cut = (body: object) => (response: ServerResponse) => {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, -20));
  setImmediate(() => response.destroy());
  return true;
};
const refuse =
  (code: number, head: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    Boolean(response.writeHead(code, head).end('{"message": "no"}'));

describe('MarketCheck, by its example file', () => {
  beforeEach(async () => {
    api = marketCheck('YOUR-MARKETCHECK-KEY');
    await configure('json-feed-marketcheck');
  });

  it('waits between two pages as the reader is told to', async () => {
    await configure('json-feed-marketcheck', { pauseMs: 60_000 });
    api.cars = range(120).map((id) => marketCheckListing(id));
    const waits: number[] = [];
    rig.script = ({ message }, response) => api.answer(message, response);
    await rig.poll({ wait: async (ms) => void waits.push(ms) });
    expect(waits).toEqual([60_000, 60_000]);
  });

  it('is read page by page to its end, and no row or log line holds the key', async () => {
    api.cars = range(120).map((id) => marketCheckListing(id));
    const logged: string[] = [];
    expect(await read()).toBeNull();
    expect(api.paths.map((path) => path.replace(/.*start/, 'start'))).toEqual([
      'start=0&api_key=YOUR-MARKETCHECK-KEY',
      'start=50&api_key=YOUR-MARKETCHECK-KEY',
      'start=100&api_key=YOUR-MARKETCHECK-KEY',
    ]);
    expect(await rig.db.row("select * from listings where external_id = '1HGCV1F30KA000007-2b1c9d0e'")).toMatchObject({
      title: 'Used 2019 Honda Accord Sport',
      make: 'honda',
      model: 'accord',
      year: 2019,
      price: 18_007,
      mileage: 41_200,
      vin: '1HGCV1F30KA000007',
      transmission: 'automatic',
      fuel: 'gas',
      drive: 'fwd',
      body: 'sedan',
      seller: 'dealer',
      color: 'white',
      condition: 'Used',
      city: 'Austin',
      state: 'TX',
      images: ['https://img.example/7-1.jpg', 'https://img.example/7-2.jpg'],
      url: 'https://dealer.example/used/7',
      listed_at: new Date(1_779_000_000_000),
    });
    expect(await listings()).toHaveLength(120);
    rig.script = (_, response) => refuse(401)(response);
    await rig.poll({ log: makeLog('test', (line) => logged.push(line)) });
    expect(logged.length).toBeGreaterThan(0);
    const texts = [...(await databaseTexts(rig.db.pool)), ...logged];
    expect(texts.filter((text) => text.includes('YOUR-MARKETCHECK-KEY'))).toEqual([]);
  });

  it('takes a car as gone that two whole reads lack, and none after a read that was not whole', async () => {
    api.cars = range(3).map((id) => marketCheckListing(id));
    await read();
    api.cars = api.cars.slice(0, 2);
    expect(await read()).toBeNull();
    expect((await listings()).map(({ missed }) => missed)).toEqual([0, 0, 1]);
    const partial = { num_found: 3, listings: [marketCheckListing(0)] };
    expect(
      await read((response, nth) => answerJson(response, nth === 0 ? partial : { ...partial, listings: [] })),
    ).toBe(
      "The source can't be read: The pages hold 1 item, but the answer says that there are 3 items: no car is taken as gone.",
    );
    expect((await listings()).map(({ missed }) => missed)).toEqual([0, 0, 1]);
    await read();
    expect(Object.values(await status())).toEqual(['for_sale', 'for_sale', 'gone']);
  });

  it('faults in turn lose no car and store none twice, and the health says what happened', async () => {
    api.cars = range(60).map((id) => marketCheckListing(id));
    await read();
    const before = await listings();
    api.cars = [...api.cars, ...range(5).map((id) => marketCheckListing(60 + id))];
    const found = { num_found: 65 };
    const ten = range(10);
    const faults: [(response: ServerResponse, nth: number) => boolean, RegExp][] = [
      [(response, nth) => nth === 1 && refuse(429, { 'retry-after': '90' })(response), /answered 429/],
      [refuse(401), /answered 401/],
      [
        (response) => answerJson(response, { ...found, listings: [] }),
        /lists no items, but says that there are 65 items/,
      ],
      [(response) => answerJson(response, { results: [] }), /nothing at items \(listings\), but results/],
      [(response) => answerJson(response, { listings: null, error: 'x' }), /nothing at items/],
      [
        (response) => answerJson(response, { listings: ten.map((id) => ({ uid: id, name: 'x' })) }),
        /at id \(id\) or vin/,
      ],
      [
        (response) => answerJson(response, { listings: ten.map((id) => marketCheckListing(id, { price: undefined })) }),
        /None of the 10 items has anything at price \(price\)/,
      ],
      [
        (response) => Boolean(response.writeHead(200).end(`{"listings":[${'[],'.repeat(250_000)}[]]}`)),
        /The answer has more than 500,000 values: ask for smaller pages/,
      ],
      [cut({ ...found, listings: api.cars }), /broke off before its end/],
      [(response) => Boolean(response.writeHead(200).end('{"listings": [')), /not valid JSON/],
      [(response) => Boolean(response.writeHead(200).end('<html>Log in</html>')), /a web page, not with JSON/],
    ];
    for (const [fault, words] of faults) {
      expect(await read(fault)).toMatch(words);
      expect((await listings()).slice(0, 60)).toEqual(before);
    }
    expect((await rig.source()).failures).toBe(faults.length);
    // The last page lists a car of the first one again, with another price.
    const twice = [...api.cars, marketCheckListing(3, { price: 1_500 })];
    api.cars = twice;
    expect(await read()).toBeNull();
    expect(await listings()).toHaveLength(65);
    expect((await listings()).slice(0, 60)).toEqual(before);
    expect(await rig.db.rows('select code from quarantine')).toEqual([{ code: 'DUPLICATE_ID' }]);
    expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
  });

  it('an empty list is believed where the total says so, and a search that is too wide is said to be', async () => {
    api.cars = range(2).map((id) => marketCheckListing(id));
    await read();
    api.cars = [];
    await read();
    await read();
    expect(Object.values(await status())).toEqual(['gone', 'gone']);
    await configure('json-feed-marketcheck', { maxPages: 2 });
    api.cars = range(101).map((id) => marketCheckListing(id));
    expect(await read()).toMatch(/There are more than 2 pages, so that no car is taken as gone: see maxPages/);
    expect(await listings()).toHaveLength(101 - 1);
  });
});

describe('Auto.dev, by its example file', () => {
  const vins = async () => (await listings()).map(({ id }) => Number(String(id).slice(-6)));
  beforeEach(async () => {
    api = autoDev('YOUR-AUTO-DEV-KEY');
    await configure('json-feed-auto-dev');
  });

  it('is read to its end once, and then until a whole page is known', async () => {
    api.cars = range(50).map((id) => autoDevListing(50 - id));
    expect(await read()).toBeNull();
    expect(api.paths).toEqual([
      '/listings?zip=78701&distance=50&sort=createdAt.desc&limit=100',
      '/listings?page=2&limit=20&sort=createdAt.desc',
      '/listings?page=3&limit=20&sort=createdAt.desc',
    ]);
    expect(await rig.db.row('select * from listings order by external_id')).toMatchObject({
      external_id: '3TMCZ5AN0PM000001',
      title: '2023 Toyota Tacoma TRD Off Road',
      price: 40_001,
      mileage: 18_500,
      fuel: 'gas',
      drive: '4wd',
      body: 'truck',
      city: 'Austin',
      seller: 'dealer',
      images: ['https://img.example/1.jpg'],
      url: null,
    });
    api.paths = [];
    api.cars = [autoDevListing(51), ...api.cars];
    await read();
    expect(api.paths).toHaveLength(2);
    expect(await vins()).toEqual(range(51).map((id) => id + 1));
    expect(await rig.db.rows('select count(*)::int as count from listings where announce')).toEqual([{ count: 1 }]);
  });

  it('a read that breaks off is made up for, also below what is known by then', async () => {
    api.cars = range(20).map((id) => autoDevListing(100 - id));
    await read();
    api.cars = [...range(70).map((id) => autoDevListing(200 - id)), ...api.cars];
    expect(await read((response, nth) => nth === 2 && refuse(503)(response))).toMatch(/answered 503/);
    expect(await listings()).toHaveLength(60);
    expect(await read()).toBeNull();
    expect(await listings()).toHaveLength(90);
    expect(await rig.source()).toMatchObject({ cursor: {} });
  });

  it('follows no link to another site, and none in a circle', async () => {
    api.cars = range(20).map((id) => autoDevListing(id));
    const page = (next: string) => (response: ServerResponse) =>
      answerJson(response, { data: api.cars, links: { next } });
    expect(await read(page('https://evil.example/listings'))).toMatch(/The next page is at evil\.example, but only/);
    expect(await listings()).toHaveLength(20);
    api.paths = [];
    let asked = 0;
    expect(await read((response) => page(`/listings?page=${asked++}`)(response))).toBeNull();
    expect(asked).toBe(2);
    await configure('json-feed-auto-dev', { order: 'any' });
    // Two pages that each name the other as the next one.
    asked = 0;
    const circle = (response: ServerResponse, nth: number) => {
      asked = nth;
      return answerJson(response, { data: [autoDevListing(nth)], links: { next: `/listings?page=${nth % 2}` } });
    };
    expect(await read(circle)).toBeNull();
    expect(asked).toBe(2);
  });
});

it('a source without paging is asked once, with its constants and its own names', async () => {
  await configure('json-feed-auto-dev', {
    paging: undefined,
    items: '$',
    fields: { id: 'n', make: 'brand', model: 'type', price: 'cost', images: 'pics[*].src', url: 'page', sold: 'gone' },
    constants: { location: 'Austin, TX', year: 2018 },
  });
  const cars = [
    { n: 1, brand: 'Honda', type: 'Civic', cost: '$9,500', pics: [{ src: '/a.jpg' }], page: '/cars/1' },
    { n: 2, brand: 'Honda', type: 'Fit', gone: true },
  ];
  let asked = 0;
  expect(await read((response) => Boolean(++asked) && answerJson(response, cars))).toBeNull();
  expect(asked).toBe(1);
  const { origin } = new URL(rig.url);
  expect(await rig.db.rows('select * from listings order by external_id')).toMatchObject([
    { title: '2018 Honda Civic', price: 9_500, city: 'Austin', images: [`${origin}/a.jpg`], url: `${origin}/cars/1` },
    { title: '2018 Honda Fit', price: null, status: 'sold' },
  ]);
});

it('is tried before it is saved: its first cars and rejections, or the error in words', async () => {
  api = marketCheck('YOUR-MARKETCHECK-KEY');
  api.cars = [marketCheckListing(0, { price: -1 }), ...range(60).map((id) => marketCheckListing(id + 1))];
  rig.script = ({ message }, response) => api.answer(message, response);
  const text = readFileSync(
    new URL('../../../../docs/examples/sources/json-feed-marketcheck.json', import.meta.url),
    'utf8',
  );
  const at = (key: string) => {
    const [source] = parseSources(
      text
        .replace('https://api.marketcheck.com', new URL(rig.url).origin)
        .replace('YOUR-MARKETCHECK-KEY', key)
        .replace('"kind"', '"allowPrivateNetwork": true, "kind"'),
      '/',
    );
    if (!source) throw new Error('no source');
    return trySource(source, rig.deps);
  };
  const tried = await at('YOUR-MARKETCHECK-KEY');
  expect([tried.error, tried.facts.length, tried.rejections.map(({ code }) => code)]).toEqual([null, 5, ['BAD_PRICE']]);
  expect(api.paths).toHaveLength(1);
  expect(await at('a wrong key')).toMatchObject({ facts: [], error: expect.stringMatching(/answered 401/) });
  expect(await listings()).toEqual([]);
});
