import { expect, it } from 'vitest';
import { carPage } from '../../../../lab/dealer-site.ts';
import { siteCar, siteRig } from '../../../../test/reading/site-rig.ts';

const rig = siteRig();
const plain = '<h1>2015 Toyota Camry</h1>';
const dayMs = 86_400_000;
const cars = (count: number) => Array.from({ length: count }, (_, number) => siteCar(number));
const missed = () =>
  rig.db.rows(`select external_id from listings where missed_reads > 0 or status <> 'for_sale' order by 1`);

it('cars of pages that a fault left without markup are kept by a worker of an earlier version', async () => {
  rig.site.put(...cars(20));
  await rig.add();
  await rig.read();
  for (const { vin } of cars(12)) rig.site.pages.set(`/used/${vin}`, plain);
  for (let reads = 0; reads < 3; reads++) {
    expect((await rig.read()).last_error).toMatch(/the site has changed: 8 of 20 pages/);
    // As it lists the pages of a read that is made again.
    await rig.db.pool.query(`update source_pages set had_cars = ids <> '{}', state = 'listed', tries = 0`);
    await rig.db.pool.query(`update sources set cursor = '{"round": 2, "listed": true}'`);
  }
  rig.site.put(...cars(20));
  expect(await rig.read()).toMatchObject({ failures: 0, last_error: null });
  expect(await missed()).toEqual([]);
});

it('a read that is made again asks for pages in full, as their date may be the same without markup', async () => {
  rig.site.put(...cars(4));
  rig.site.fault = ({ url = '', headers }, response) => {
    if (!url.startsWith('/used/')) return false;
    const isKnown = headers['if-modified-since'] !== undefined;
    const head = { 'content-type': 'text/html', 'last-modified': 'Tue, 06 Jan 2026 08:00:00 GMT' };
    return Boolean(response.writeHead(isKnown ? 304 : 200, head).end(isKnown ? '' : rig.site.pages.get(url)));
  };
  await rig.add();
  await rig.read();
  for (const path of rig.site.pages.keys()) rig.site.pages.set(path, plain);
  await rig.pass(8 * dayMs);
  expect((await rig.read()).last_error).toMatch(/the site has changed: 0 of 4 pages/);
  rig.site.put(...cars(4).map((car) => ({ ...car, price: 6000 })));
  expect(await rig.read()).toMatchObject({ failures: 0, last_error: null });
  expect(await rig.cars()).toEqual(Object.fromEntries(cars(4).map(({ vin }) => [vin, ['for_sale', 6000]])));
});

it('a page of which only the beginning can be read keeps its cars, and the health names it', async () => {
  const [first, second] = cars(2).map((car) => carPage(car));
  rig.site.put(...cars(4).slice(2));
  rig.site.pages.set('/inventory/', `${first}${second}`);
  await rig.add();
  await rig.read();
  rig.site.pages.set('/inventory/', `${first}${'<br>'.repeat(150_000)}${second}`);
  for (let reads = 0; reads < 3; reads++) {
    rig.site.requests = [];
    expect((await rig.read()).last_error).toMatch(
      /^1 of 3 pages could not be read: \/inventory\/ has too many elements/,
    );
    expect(rig.site.requests.filter(({ path }) => path === '/inventory/')).toHaveLength(3);
  }
  expect(await missed()).toEqual([]);
  expect(Object.keys(await rig.cars())).toHaveLength(4);
});
