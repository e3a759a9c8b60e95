import { describe, expect, it } from 'vitest';
import { carPage } from '../../../../lab/dealer-site.ts';
import { crashingStore } from '../../../../test/reading/poll-rig.ts';
import { siteCar, siteRig } from '../../../../test/reading/site-rig.ts';
import { LeaseLost } from '../../../sources/claim-source.ts';
import { fetchPage, type PageRequest } from '../../../vendors/web-fetch.ts';

const rig = siteRig();
const cars = (count: number) => Array.from({ length: count }, (_, number) => siteCar(number));
const vins = (count: number) => cars(count).map(({ vin }) => vin);
const statuses = async () => Object.fromEntries(Object.entries(await rig.cars()).map(([id, [status]]) => [id, status]));

describe('what a site allows', () => {
  it('a robots.txt that forbids pages is obeyed, for our name before all others', async () => {
    rig.site.put(...cars(4));
    rig.site.robots = `User-agent: *\nDisallow: /\n\nUser-agent: LotWatch\nDisallow: /used/${vins(1)[0]}\nAllow: /\nSitemap: {site}/cars.xml.gz`;
    await rig.add();
    await rig.read();
    expect(Object.keys(await rig.cars())).toEqual(vins(4).slice(1));
    expect(rig.site.requests.map(({ path }) => path)).not.toContain('/sitemap.xml');
    rig.site.robots = 'User-agent: *\nDisallow: /';
    await rig.pass(2 * 3_600_000);
    rig.site.requests = [];
    const row = await rig.read();
    expect(row.last_error).toMatch(/robots.txt forbids/);
    expect(rig.site.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
    expect(Object.values(await statuses())).toEqual(['for_sale', 'for_sale', 'for_sale']);
  });

  it.each([500, 503])('nothing is read where robots.txt answers %i', async (status) => {
    rig.site.put(...cars(2));
    rig.site.fault = ({ url }, response) => url === '/robots.txt' && Boolean(response.writeHead(status).end());
    await rig.add();
    await rig.pollOnce();
    await rig.pass(600_000);
    const row = await rig.pollOnce();
    expect(row.last_error).toContain(`answered ${status}`);
    expect(new Set(rig.site.requests.map(({ path }) => path))).toEqual(new Set(['/robots.txt']));
  });

  it('a crawl delay is kept, by two sources of one site together, and other sources have their turn meanwhile', async () => {
    rig.site.put(...cars(4));
    rig.site.robots = 'User-agent: *\nCrawl-delay: 30';
    await rig.add({ include: [`/used/${vins(1)[0]}`] }, 'one');
    await rig.add({ exclude: [`/used/${vins(1)[0]}`] }, 'two');
    const started = rig.clock();
    const left = new Set(['one', 'two']);
    for (let polls = 0; polls < 30 && left.size > 0; polls++) {
      const rows = [];
      for (const name of left) rows.push(await rig.pollOnce({}, name));
      for (const { name, first_read_done } of rows) if (first_read_done) left.delete(name);
      await rig.pass(Math.max(0, Math.min(...rows.map(({ seconds }) => seconds), 30)) * 1000);
    }
    expect(left.size).toBe(0);
    const last = Math.max(...rig.site.requests.map(({ at }) => at));
    expect(last - started).toBeGreaterThan((rig.site.requests.length - 1) * 30_000 - 30_000);
    expect(rig.waits.every((ms) => ms <= 30_000)).toBe(true);
    expect(Object.keys(await rig.cars())).toEqual(vins(4));
  });

  it('a site that asks to wait is given the time, and the read goes on', async () => {
    rig.site.put(...cars(3));
    await rig.add();
    let refusals = 1;
    rig.site.fault = ({ url }, response) =>
      url === `/used/${vins(2)[1]}` &&
      refusals-- > 0 &&
      Boolean(response.writeHead(429, { 'retry-after': '120' }).end());
    const row = await rig.pollOnce();
    expect(row).toMatchObject({ failures: 0, first_read_done: false });
    expect(row.last_error).toContain('answered 429. The read goes on in 120 s.');
    expect(row.seconds).toBeGreaterThan(110);
    const asked = rig.site.requests.length;
    await rig.pollOnce();
    expect(rig.site.requests).toHaveLength(asked);
    await rig.pass(121_000);
    expect(await rig.read()).toMatchObject({ last_error: null, first_read_done: true });
    expect(Object.keys(await rig.cars())).toEqual(vins(3));
  });
});

describe('a fault infers nothing', () => {
  it.each<[string, (path: string) => void, RegExp]>([
    ['an empty sitemap', () => rig.site.pages.clear(), /lists no pages/],
    [
      'markup that is gone',
      () => {
        for (const path of rig.site.pages.keys())
          rig.site.pages.set(path, '<script type="application/ld+json">{"@type":"WebPage"}</script>');
      },
      /the site has changed: 0 of 5 pages have a car in their markup, and 5 had one before/,
    ],
    [
      'a sitemap that is cut',
      () => {
        rig.site.fault = ({ url }, response) => {
          if (url !== '/cars.xml.gz') return false;
          response.writeHead(200, { 'content-length': 5000 }).write('<urlset><url><loc>');
          response.destroy();
          return true;
        };
      },
      /broke off|closed the connection/,
    ],
    [
      'a site that is down',
      () => {
        rig.site.fault = (_request, response) => Boolean(response.writeHead(502).end());
      },
      /answered 502/,
    ],
  ])('%s', async (_what, happens, message) => {
    rig.site.put(...cars(5));
    await rig.add();
    await rig.read();
    happens('');
    for (let reads = 0; reads < 3; reads++) {
      await rig.pass(2 * 3_600_000);
      expect((await rig.read()).last_error).toMatch(message);
    }
    expect(Object.values(await statuses())).toEqual(Array(5).fill('for_sale'));
  });

  it('pages that break off or fail keep their cars, and the health says so', async () => {
    rig.site.put(...cars(4));
    await rig.add();
    await rig.read();
    rig.site.fault = ({ url }, response) => {
      if (url === `/used/${vins(1)[0]}`) return Boolean(response.writeHead(500).end());
      if (url !== `/used/${vins(2)[1]}`) return false;
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-length': 5000 })
        .write(carPage(siteCar(9)).slice(0, 300));
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    for (let reads = 0; reads < 3; reads++) {
      expect((await rig.read()).last_error).toMatch(/^2 of 4 pages could not be read: /);
    }
    expect(await statuses()).toEqual(Object.fromEntries(vins(4).map((vin) => [vin, 'for_sale'])));
  });

  it('a site without markup of cars is refused with words', async () => {
    for (let page = 0; page < 30; page++) rig.site.pages.set(`/used/${page}`, '<h1>2015 Toyota Camry</h1>');
    await rig.add();
    expect((await rig.read()).last_error).toBe(
      "The source can't be read: none of the first 20 pages has a car in schema.org markup (Car or Vehicle, with an Offer). " +
        'Say what the addresses of the cars begin with (include), or ask the dealer for such markup or for a feed.',
    );
    expect(rig.site.requests.filter(({ path }) => path.startsWith('/used/'))).toHaveLength(20);
  });
});

describe('a read that can’t say which cars there are is made again', () => {
  const [plain, hourMs] = ['<h1>2015 Toyota Camry</h1>', 3_600_000];

  it('after markup was gone for one read, and retires nothing', async () => {
    rig.site.put(...cars(5));
    for (const vin of vins(5)) rig.site.changed.set(`/used/${vin}`, '2026-01-01');
    await rig.add();
    await rig.read();
    await rig.pass(25 * hourMs);
    for (const path of rig.site.pages.keys()) rig.site.pages.set(path, plain);
    for (let reads = 0; reads < 2; reads++)
      expect((await rig.read()).last_error).toMatch(/0 of 5 pages have a car in their markup, and 5 had one before/);
    rig.site.put(...cars(5).map((car) => ({ ...car, price: 6000 })));
    await rig.pass(hourMs);
    expect(await rig.read()).toMatchObject({ failures: 0, last_error: null });
    expect(await rig.cars()).toEqual(Object.fromEntries(vins(5).map((vin) => [vin, ['for_sale', 6000]])));
    expect(await rig.db.rows('select from listings where missed_reads > 0')).toEqual([]);
  });

  it('after the sitemap has lost pages meanwhile, whose cars are missed', async () => {
    rig.site.put(...cars(5));
    await rig.add();
    await rig.read();
    for (const path of rig.site.pages.keys()) rig.site.pages.set(path, plain);
    await rig.read();
    rig.site.pages.clear();
    rig.site.put(...cars(4));
    await rig.read();
    expect(await rig.db.rows('select external_id from listings where missed_reads > 0')).toEqual([
      { external_id: siteCar(4).vin },
    ]);
  });

  it('after the first pages had no car, or none could be read', async () => {
    for (let page = 0; page < 30; page++) rig.site.pages.set(`/used/${page}`, plain);
    await rig.add();
    expect((await rig.read()).last_error).toContain('none of the first 20 pages has a car');
    rig.site.pages.clear();
    rig.site.put(...cars(4));
    rig.site.fault = ({ url }, response) => Boolean(url?.startsWith('/used/') && response.writeHead(403).end());
    expect((await rig.read()).last_error).toMatch(/no page could be read: .* answered 403/);
    rig.site.fault = () => false;
    expect(await rig.read()).toMatchObject({ failures: 0, first_read_done: true });
    expect(Object.keys(await rig.cars())).toEqual(vins(4));
  });
});

describe('what a site asks for has bounds', () => {
  it('a crawl delay of a minute, and a wait of a day', async () => {
    rig.site.put(...cars(2));
    rig.site.robots = 'User-agent: *\nCrawl-delay: 1e12';
    await rig.add();
    await rig.read();
    expect(Object.keys(await rig.cars())).toEqual(vins(2));
    expect(Math.max(...rig.waits)).toBeLessThanOrEqual(60_000);
    await rig.pass(3_600_000);
    rig.site.fault = ({ url }, response) =>
      Boolean(url?.startsWith('/used/') && response.writeHead(429, { 'retry-after': '9'.repeat(30) }).end());
    let row = await rig.pollOnce();
    for (let polls = 0; polls < 5 && row.seconds < 3_600; polls++) {
      await rig.pass(row.seconds * 1000);
      row = await rig.pollOnce();
    }
    expect(row.last_error).toContain('The read goes on in 86400 s.');
    // A wait that an earlier version has stored.
    await rig.db.pool.query(`update site_hosts set next_at = now() + interval '1000 years'`);
    row = await rig.pollOnce();
    expect(row.seconds).toBeGreaterThan(86_000);
    expect(row.seconds).toBeLessThanOrEqual(86_400);
  });

  it('a robots.txt with too many rules is refused, and nothing is read', async () => {
    rig.site.put(...cars(2));
    rig.site.robots = `User-agent: *\n${Array.from({ length: 501 }, (_, rule) => `Disallow: /${rule}`).join('\n')}`;
    await rig.add();
    expect((await rig.read()).last_error).toContain('more than 500 rules');
    expect(rig.site.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
  });
});

describe('the list of a site’s pages', () => {
  it('is made again when it is lost', async () => {
    rig.site.put(...cars(3));
    await rig.add();
    await expect(rig.pollOnce({ storeListings: crashingStore(1) })).rejects.toThrow('killed');
    await rig.db.pool.query('delete from source_pages');
    expect(await rig.read()).toMatchObject({ failures: 0, first_read_done: true });
    expect(Object.keys(await rig.cars())).toEqual(vins(3));
  });

  it('is not changed by a reader that has lost the source', async () => {
    rig.site.put(...cars(3));
    await rig.add();
    const reached = Promise.withResolvers<void>();
    let answer = () => {};
    rig.site.fault = ({ url }, response) => {
      if (url !== '/cars.xml.gz') return false;
      rig.site.fault = () => false;
      answer = () => void response.writeHead(200).end(`${rig.site.url}/stale`);
      reached.resolve();
      return true;
    };
    const patient = { leaseMs: 120_000, fetchPage: (page: PageRequest) => fetchPage({ ...page, timeoutMs: 60_000 }) };
    const first = rig.pollOnce(patient).catch((error: unknown) => error);
    await reached.promise;
    await rig.db.pool.query(`update sources set claimed_until = now() - interval '1 s'`);
    expect(await rig.read()).toMatchObject({ first_read_done: true });
    const storedPages = () => rig.db.rows('select * from source_pages order by url');
    const before = await storedPages();
    answer();
    expect(await first).toBeInstanceOf(LeaseLost);
    expect(await storedPages()).toEqual(before);
    expect(before).toHaveLength(3);
  });
});
