import { describe, expect, it } from 'vitest';
import { carPage } from '../../../../lab/dealer-site.ts';
import { crashingStore } from '../../../../test/reading/poll-rig.ts';
import { siteCar, siteRig } from '../../../../test/reading/site-rig.ts';
import { retireAbsent } from '../../../intake/retire-listings.ts';
import type { PollDeps } from '../poll-sources-job.ts';

const rig = siteRig();
const cars = (count: number) => Array.from({ length: count }, (_, number) => siteCar(number));
const vins = (count: number) => cars(count).map(({ vin }) => vin);
const statuses = async () => Object.fromEntries(Object.entries(await rig.cars()).map(([id, [status]]) => [id, status]));

it('reads the pages of a site by its sitemaps, one request a second, and says who asks', async () => {
  rig.site.put(...cars(3));
  rig.site.pages.set('/about-us', '<h1>About us</h1>');
  await rig.add();
  const started = rig.clock();
  const row = await rig.read();
  expect(await rig.cars()).toEqual(Object.fromEntries(cars(3).map(({ vin, price }) => [vin, ['for_sale', price]])));
  const [listing] = await rig.db.rows('select city, state, url, seller, announce from listings order by external_id');
  expect(listing).toEqual({
    city: 'Boise',
    state: 'ID',
    url: `${rig.site.url}/used/${vins(1)[0]}`,
    seller: 'dealer',
    announce: false,
  });
  expect(rig.site.requests.map(({ path }) => path).slice(0, 3)).toEqual([
    '/robots.txt',
    '/sitemap.xml',
    '/cars.xml.gz',
  ]);
  const last = Math.max(...rig.site.requests.map(({ at }) => at));
  expect(last - started).toBeGreaterThan((rig.site.requests.length - 1) * 1000 - 50);
  expect(new Set(rig.site.requests.map(({ userAgent }) => userAgent))).toEqual(
    new Set(['LotWatch/1.0 (+https://lotwatch.example; help@lotwatch.example)']),
  );
  expect(row).toMatchObject({ failures: 0, last_error: null, first_read_done: true, cursor: { round: 1 } });
});

it('asks conditionally, stores only what has changed, and announces what is new', async () => {
  rig.site.put(...cars(2));
  await rig.add();
  await rig.read();
  rig.site.put(siteCar(1, { price: 6000 }), siteCar(2));
  rig.site.requests = [];
  await rig.read();
  expect(await rig.cars()).toMatchObject({
    [siteCar(1).vin]: ['for_sale', 6000],
    [siteCar(2).vin]: ['for_sale', 7200],
  });
  const answers = Object.fromEntries(rig.site.requests.map(({ path, status }) => [path, status]));
  expect(answers[`/used/${siteCar(0).vin}`]).toBe(304);
  expect(answers[`/used/${siteCar(1).vin}`]).toBe(200);
  expect(await rig.db.rows('select external_id from listings where announce order by external_id')).toEqual([
    { external_id: siteCar(1).vin },
    { external_id: siteCar(2).vin },
  ]);
});

it('believes a sitemap for a day that a page has not changed', async () => {
  rig.site.put(...cars(2));
  for (const vin of vins(2)) rig.site.changed.set(`/used/${vin}`, '2026-01-01');
  await rig.add();
  await rig.read();
  rig.site.asked();
  await rig.pass(3_600_000);
  await rig.read();
  expect(rig.site.asked()).toEqual([]);
  rig.site.changed.set(`/used/${vins(1)[0]}`, new Date(Date.now() + 60_000).toISOString());
  await rig.read();
  expect(rig.site.asked()).toEqual([`/used/${vins(1)[0]}`]);
  await rig.pass(25 * 3_600_000);
  await rig.read();
  expect(rig.site.asked()).toHaveLength(2);
});

describe('a car is no longer offered', () => {
  it('at once when its page is gone, or says that it is sold', async () => {
    rig.site.put(...cars(4));
    await rig.add();
    await rig.read();
    rig.site.fault = ({ url }, response) => url === `/used/${vins(1)[0]}` && Boolean(response.writeHead(410).end());
    rig.site.put(siteCar(1, { availability: 'SoldOut' }));
    await rig.read();
    expect(Object.values(await statuses())).toEqual(['gone', 'sold', 'for_sale', 'for_sale']);
    rig.site.fault = () => false;
    await rig.read();
    expect((await statuses())[siteCar(0).vin]).toBe('for_sale');
  });

  it('after two complete reads without it', async () => {
    rig.site.put(...cars(3));
    await rig.add();
    await rig.read();
    rig.site.pages.delete(`/used/${siteCar(0).vin}`);
    rig.site.pages.set(`/used/${siteCar(1).vin}`, '<h1>This car has found a new home</h1>');
    await rig.read();
    expect(Object.values(await statuses())).toEqual(['for_sale', 'for_sale', 'for_sale']);
    await rig.read();
    expect(Object.values(await statuses())).toEqual(['gone', 'gone', 'for_sale']);
  });

  it('not at once when many pages are gone together', async () => {
    rig.site.put(...cars(15));
    await rig.add();
    await rig.read();
    rig.site.fault = ({ url }, response) =>
      url !== `/used/${siteCar(0).vin}` && Boolean(url?.startsWith('/used/') && response.writeHead(404).end());
    const row = await rig.read();
    expect(row.last_error).toBe('14 of 15 pages with cars are gone at once.');
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['for_sale']));
    rig.site.fault = () => false;
    await rig.read();
    await rig.read();
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['for_sale']));
  });
});

it('stores a car of several pages once, as the page with the fewest cars shows it', async () => {
  rig.site.put(...cars(3));
  const list = cars(3)
    .map((car) => carPage({ ...car, price: 1500 }))
    .join('');
  rig.site.pages.set('/inventory/', list);
  rig.site.pages.set(`/used/again-${siteCar(0).vin}`, carPage(siteCar(0, { price: 1600 })));
  await rig.add();
  await rig.read();
  for (let reads = 0; reads < 2; reads++) {
    rig.site.pages.set('/inventory/', `${list}<p>${reads}</p>`);
    await rig.read();
    expect(await rig.cars()).toEqual(Object.fromEntries(cars(3).map(({ vin, price }) => [vin, ['for_sale', price]])));
  }
});

it('goes on where a killed read was, and loses and repeats nothing', async () => {
  rig.site.put(...cars(6));
  await rig.add();
  await expect(rig.pollOnce({ storeListings: crashingStore(3, 'stored') })).rejects.toThrow('killed');
  const before = rig.site.asked();
  expect(Object.keys(await rig.cars())).toHaveLength(4);
  await rig.pass(60_000);
  const row = await rig.read();
  const after = rig.site.requests.map(({ path }) => path);
  expect(after).not.toContain('/sitemap.xml');
  // Only the page that was stored when it was killed is asked for again.
  expect(before.filter((path) => after.includes(path))).toHaveLength(1);
  expect(Object.keys(await rig.cars())).toEqual(vins(6));
  expect(row).toMatchObject({ first_read_done: true, cursor: { round: 1 } });
  expect(await rig.db.rows('select from listings where announce')).toEqual([]);
});

it('counts a missed car once, where a reader is killed after it has counted', async () => {
  rig.site.put(...cars(3));
  await rig.add();
  await rig.read();
  const [path = ''] = rig.site.pages.keys();
  const page = rig.site.pages.get(path) ?? '';
  rig.site.pages.delete(path);
  const killed: PollDeps['retireAbsent'] = async (...given) => {
    await retireAbsent(...given);
    throw new Error('killed');
  };
  await expect(rig.pollOnce({ retireAbsent: killed })).rejects.toThrow('killed');
  rig.site.pages.set(path, page);
  expect(await rig.read()).toMatchObject({ failures: 0 });
  expect(Object.values(await statuses())).toEqual(['for_sale', 'for_sale', 'for_sale']);
});

it('leaves a page that kills its reader three times, and reads the others', async () => {
  rig.site.put(...cars(3));
  const [poison = ''] = vins(1);
  await rig.add();
  let kills = 0;
  let isKilled = false;
  const deps: Partial<PollDeps> = {
    fetchPage: (page) => {
      isKilled = page.url.endsWith(poison);
      return rig.deps.fetchPage(page);
    },
    // The first that the reader of a page asks for.
    now: () => {
      if (!isKilled) return rig.deps.now();
      isKilled = false;
      kills++;
      throw new Error('killed');
    },
  };
  for (let times = 0; times < 3; times++) await expect(rig.read(deps)).rejects.toThrow('killed');
  expect((await rig.read(deps)).last_error).toMatch(/^1 of 3 pages could not be read/);
  expect(Object.keys(await rig.cars())).toEqual(vins(3).slice(1));
  expect(kills).toBe(3);
});

it('stays within the site, its settings and the network that it may read', async () => {
  rig.site.put(...cars(3));
  rig.site.pages.set('/other', '');
  rig.site.fault = ({ url }, response) => {
    if (url === '/other') return Boolean(response.writeHead(302, { location: 'http://localhost:1/stolen' }).end());
    return url === `/used/${vins(3)[2]}` && Boolean(response.writeHead(301, { location: `/used/${vins(1)[0]}` }).end());
  };
  await rig.add();
  const row = await rig.read();
  expect(row.last_error).toMatch(/1 of 4 pages could not be read: .* redirects to another site, localhost:1\./);
  expect(Object.keys(await rig.cars())).toEqual(vins(2));
  await rig.add({ allowPrivateNetwork: false }, 'guarded');
  expect((await rig.read({}, 'guarded')).last_error).toMatch(/own network|private/);
});

it('gives other sources their turn every minute, and says what maxPages leaves out', async () => {
  rig.site.put(...cars(60));
  await rig.add({ maxPages: 55 });
  const first = await rig.pollOnce();
  expect(first).toMatchObject({ first_read_done: false, failures: 0, claimed_until: null });
  expect(first.seconds).toBeLessThan(1);
  const row = await rig.read();
  expect(Object.keys(await rig.cars())).toHaveLength(55);
  expect(row.last_error).toBe('The site lists 60 pages, of which 55 are read: raise maxPages, or narrow include.');
});

it('is tried by its first cars, and nothing of it is stored', async () => {
  rig.site.put(...cars(12));
  const tried = await rig.tried();
  expect(tried).toMatchObject({ error: null, hasMore: true });
  expect(tried.facts).toHaveLength(5);
  for (const table of ['listings', 'source_pages', 'sources']) {
    expect(await rig.db.rows(`select from ${table}`)).toEqual([]);
  }
  for (const path of rig.site.pages.keys()) rig.site.pages.set(path, '<h1>2015 Toyota Camry</h1>');
  expect((await rig.tried()).error).toContain('none of the first 8 pages has a car in schema.org markup');
});

it('reads named pages of a site alone, or beside those of a named sitemap', async () => {
  rig.site.put(...cars(4));
  const [first = ''] = vins(1);
  const pages = [`${rig.site.url}/used/${first}`];
  await rig.add({ pages });
  await rig.read();
  expect(rig.site.asked()).toEqual([`/used/${first}`]);
  await rig.add({ pages, sitemap: `${rig.site.url}/cars.xml.gz`, maxPages: 3 }, 'both');
  await rig.read({}, 'both');
  const asked = rig.site.asked();
  expect(asked[0]).toBe(`/used/${first}`);
  expect(new Set(asked).size).toBe(3);
});
