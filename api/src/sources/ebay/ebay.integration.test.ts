import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EbayCar, ebayCar, ebayCars } from '../../../lab/ebay/ebay-cars.ts';
import { EbayServer } from '../../../lab/ebay/ebay-server.ts';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { type Prism, startStrictPrism } from '../../../test/rest/prism.ts';
import { databaseTexts } from '../../../test/rights/database-texts.ts';
import { setUpServer } from '../../../test/set-up.ts';
import { ensureSources } from '../change-sources.ts';
import { encryptSecrets } from '../source-secrets.ts';
import { parseSources } from '../source-settings.ts';
import { trySource } from '../try-source.ts';

const DESCRIPTION = fileURLToPath(new URL('../../../test/fixtures/ebay/browse.json', import.meta.url));
const NEWEST = new Date(Date.now() - 3_600_000);
const rig = pollRig();
let ebay = new EbayServer();
const server = setUpServer((message, response) => ebay.answer(message, response));
let prism: Prism;
beforeAll(async () => {
  prism = await startStrictPrism(DESCRIPTION, server.url);
}, 100_000);
afterAll(() => prism?.stop());
beforeEach(() => {
  ebay = new EbayServer();
  ebay.cars = ebayCars(5, NEWEST);
});
afterEach(() => rig.db.pool.query('truncate source_accounts, source_details'));

/** Between Prism, which refuses what deviates from the description, and the described server. */
const settings = (more: object = {}) =>
  parseSources(
    JSON.stringify([
      {
        name: 'lot',
        kind: 'ebay',
        clientId: ebay.clientId,
        clientSecret: ebay.clientSecret,
        apiBase: prism.url,
        allowPrivateNetwork: true,
        ...more,
      },
    ]),
    '/',
  );
const begin = (more: object = {}) => ensureSources(rig.db.pool, encryptSecrets(rig.deps.encryption, settings(more)));
const listings = () => rig.db.rows('select * from listings order by listed_at desc, id');
/** Cars that were listed before, whose details were read then. */
async function knownCars(count: number): Promise<void> {
  ebay.cars = ebayCars(count, NEWEST);
  const ids = ebay.cars.map(({ id }) => `v1|${200_000_000_000 + id}|0`);
  await rig.db.pool.query(
    `insert into source_details (source, external_id, details) select 'lot', id, '{}' from unnest($1::text[]) as id`,
    [ids],
  );
}
const counts = () => [ebay.callsOf('token').length, ebay.callsOf('search').length, ebay.callsOf('item').length];
async function poll(): Promise<string | null> {
  ebay.calls = [];
  await rig.poll();
  return (await rig.source()).last_error;
}

it('reads cars with their details, and asks for each only once', async () => {
  await begin();
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([1, 1, 5]);
  const [car] = ebay.cars as [EbayCar];
  const [newest] = await rig.db.rows('select * from listings order by listed_at desc limit 1');
  expect(newest).toMatchObject({
    external_id: `v1|${200_000_000_000 + car.id}|0`,
    title: car.title,
    make: 'chevrolet',
    model: 'corvette',
    year: Number(car.aspects.Year),
    price: Number.parseInt(car.price ?? '', 10),
    mileage: Number(car.aspects.Mileage),
    city: car.city,
    url: `https://www.ebay.com/itm/${200_000_000_000 + car.id}`,
    listed_at: car.listedAt,
    announce: false,
  });
  expect(newest?.images).toHaveLength(2);
  expect(newest).toMatchObject({ state: expect.stringMatching(/^[A-Z]{2}$/), title_status: 'clean' });

  ebay.cars.unshift(ebayCar(6, new Date()));
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([0, 1, 1]);
  expect((await listings()).map(({ announce }) => announce)).toEqual([true, false, false, false, false, false]);
  const lastChange = () => rig.db.rows('select max(changed_at) as at from listings');
  const before = await lastChange();
  expect(await poll()).toBeNull();
  expect(counts()).toEqual([0, 1, 0]);
  expect(await lastChange()).toEqual(before);
});

it('reads all pages first, and later until a page is known', async () => {
  await knownCars(450);
  await begin();
  expect(await poll()).toBeNull();
  expect(ebay.callsOf('search').map(({ url }) => url.searchParams.get('offset'))).toEqual(['0', '200', '400']);
  expect(await listings()).toHaveLength(450);
  expect(await poll()).toBeNull();
  expect(ebay.callsOf('search')).toHaveLength(1);
  await rig.db.pool.query(`update sources set cursor = jsonb_set(cursor, '{wholeAt}', '"2020-01-01T00:00:00Z"')`);
  ebay.cars = ebay.cars.map((car) => (car.id === 7 ? { ...car, price: '9000.00' } : car));
  expect(await poll()).toBeNull();
  expect(ebay.callsOf('search')).toHaveLength(3);
  expect((await listings()).filter(({ price }) => price === 9000)).toHaveLength(1);
});

it('takes no bid and no foreign amount for a price', async () => {
  const [a, b, c] = ebayCars(3, NEWEST) as [EbayCar, EbayCar, EbayCar];
  const { price: _, ...auction } = a;
  ebay.cars = [
    { ...auction, bid: '510.00' },
    { ...b, price: '8000.00', bid: '600.00' },
    { ...c, price: '7000.00', currency: 'EUR' },
  ];
  await begin();
  expect(await poll()).toBeNull();
  expect((await listings()).map(({ price }) => price)).toEqual([null, 8000, null]);
});

it('asks near a ZIP', async () => {
  ebay.cars = ebayCars(30, NEWEST);
  await begin({ zip: '78701', radiusMiles: 60 });
  expect(await poll()).toBeNull();
  const cities = await rig.db.rows('select distinct city from listings');
  expect(cities).toEqual([{ city: 'Austin' }]);
});

it('keeps its secret and its token encrypted', async () => {
  await begin();
  await poll();
  const texts = await databaseTexts(rig.db.pool);
  expect(texts.some((text) => text.includes('described-client'))).toBe(true);
  expect(texts.filter((text) => text.includes('described-secret') || text.includes('v^1.1'))).toEqual([]);
});

describe('when something is wrong, it loses nothing and stores nothing twice:', () => {
  const whole = async (said: RegExp) => {
    expect(await poll()).toMatch(said);
    ebay.script = () => false;
    expect(await poll()).toBeNull();
    const ids = (await listings()).map(({ external_id }) => external_id);
    expect(ids).toHaveLength(ebay.cars.length);
    expect(new Set(ids).size).toBe(ids.length);
  };

  it('429 with Retry-After', async () => {
    await begin();
    ebay.script = ({ kind }, response) =>
      kind === 'search' &&
      Boolean(
        response.writeHead(429, { 'retry-after': '600', 'content-type': 'application/json' }).end('{"errors":[]}'),
      );
    expect(await poll()).toBe('eBay answered 429 to the search: too many calls were made with these keys');
    expect((await rig.source()).seconds).toBeGreaterThan(590);
    await whole(/429/);
  });

  it('an expired token', async () => {
    await begin();
    await poll();
    ebay.expireTokens();
    ebay.cars.unshift(ebayCar(6, new Date()));
    expect(await poll()).toBeNull();
    expect(counts()).toEqual([1, 2, 1]);
    expect(await listings()).toHaveLength(6);
  });

  it('wrong keys', async () => {
    await begin({ clientSecret: 'another' });
    expect(await poll()).toBe('eBay answered 401 to the request for a token: client authentication failed');
  });

  it.each([
    ['an empty page', { total: 450 }, /page at 200 is empty, although the search has 450 items/],
    ['another shape', { total: 450, itemSummaries: [{ id: 'x', name: 'a car' }] }, /no item has an itemId/],
  ])('%s', async (_what, body, said) => {
    await knownCars(450);
    await begin();
    ebay.script = ({ url }, response) =>
      url.searchParams.get('offset') === '200' &&
      Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
    await whole(said);
  });

  it('a list that became an object, which Prism does not let through', async () => {
    await begin({ apiBase: server.url });
    ebay.script = ({ kind }, response) =>
      kind === 'search' && Boolean(response.writeHead(200).end('{"total": 5, "itemSummaries": {"0": {}}}'));
    await whole(/another shape: itemSummaries is no list/);
  });

  it('a body that is cut off', async () => {
    await begin({ apiBase: server.url });
    ebay.script = ({ kind }, response) => {
      if (kind !== 'search') return false;
      response.writeHead(200, { 'content-length': '5000' }).write('{"total": 5, "itemSummaries": [{"itemId": "v1|1|0"');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    await whole(/broke off before its end/);
  });

  it('a car that two pages list, and one that a page lists twice', async () => {
    await knownCars(250);
    await begin();
    ebay.script = ({ url }) => {
      // A new car comes in while the pages are read, so that the last one of the first page is on the second one too.
      if (url.searchParams.get('offset') === '200') ebay.cars.unshift(ebayCar(900, new Date()));
      return false;
    };
    await poll();
    ebay.script = () => false;
    ebay.cars.splice(1, 0, ebay.cars[0] as EbayCar);
    await poll();
    const ids = (await listings()).map(({ external_id }) => external_id);
    expect(ids).toHaveLength(251);
    expect(new Set(ids).size).toBe(251);
  });

  it('details that fail halfway', async () => {
    await begin();
    let asked = 0;
    ebay.script = ({ kind }, response) => {
      if (kind !== 'item' || asked++ < 2) return false;
      return Boolean(response.writeHead(500, { 'content-type': 'application/json' }).end('{"errors":[]}'));
    };
    await whole(/eBay answered 500 to the question for an item. Before that, 4 records were read/);
  });

  it('details that are no JSON, so that what was read before is kept', async () => {
    await begin({ apiBase: server.url });
    let asked = 0;
    ebay.script = ({ kind }, response) =>
      kind === 'item' && asked++ >= 2 && Boolean(response.writeHead(200).end('<html>'));
    await whole(/is no JSON\. Before that, 4 records were read/);
  });

  it('a car that ended before its details were read', async () => {
    await begin();
    ebay.script = ({ kind, url }, response) =>
      kind === 'item' &&
      url.pathname.includes('200000000003') &&
      Boolean(response.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[]}'));
    expect(await poll()).toBeNull();
    expect(await listings()).toHaveLength(4);
    expect(await poll()).toBeNull();
    expect(counts()).toEqual([0, 1, 0]);
  });
});

it.each([
  [{ callsPerDay: 1000 }, /everySeconds: must be at least 144, as callsPerDay is 1000/],
  [{ callsPerDay: 3 }, /callsPerDay: must be at least 50/],
  [{ zip: '78701' }, /zip and radiusMiles are set together/],
])('refuses settings that it does not allow: %j', (more, fault) => {
  expect(() => settings(more)).toThrow(fault);
});

it('is tried with few calls, and nothing is stored', async () => {
  ebay.cars = ebayCars(450, NEWEST);
  ebay.cars[1] = { ...(ebay.cars[1] as EbayCar), title: 'Set of 4 wheels and tires', aspects: {} };
  const [given] = settings();
  const tried = await trySource(given as never, { ...rig.deps, pool: rig.db.pool });
  expect(tried).toMatchObject({ error: null });
  expect(tried.facts).toHaveLength(5);
  expect(tried.rejections).toMatchObject([{ code: 'NOT_A_CAR' }]);
  expect(tried.facts[0]?.mileageMiles).toBe(Number(ebay.cars[0]?.aspects.Mileage));
  expect(counts()).toEqual([1, 1, 10]);
  expect(await listings()).toEqual([]);
  expect(await rig.db.rows('select from source_details')).toEqual([]);
});
