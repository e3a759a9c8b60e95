import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { gazetteer } from '../../../test/reading/marketplace-items.ts';
import { crashingStore, pollRig } from '../../../test/reading/poll-rig.ts';
import { setUpFolder } from '../../../test/set-up.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { parseMarketplacePage } from '../../sources/marketplace-items/read-marketplace-items.ts';
import { ingestPush } from '../ingest-push.ts';

const rig = pollRig();
const { poll, settings, source, stored } = rig;
const feedSource = (more = {}) => ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed', ...more }));

const folder = setUpFolder();

const header = 'vehicle_id,title,price,mileage.value';
const row = (id: string, price = 15_000) =>
  `${id},2017 Ford Fusion SE ${id},${price} USD,${40_000 + Number(id.slice(1))}`;
const feed = (...ids: string[]) => `${[header, ...ids.map((id) => row(id))].join('\n')}\n`;

/** What the source answers from now on. */
function answer(body: string | Buffer, head: Record<string, string> = {}) {
  rig.script = (_request, response) =>
    Boolean(response.writeHead(200, { 'content-type': 'text/csv', ...head }).end(body));
}

async function statuses(): Promise<Record<string, string>> {
  const rows = await rig.db.rows('select external_id, status from listings order by external_id');
  return Object.fromEntries(rows.map(({ external_id, status }) => [external_id, status]));
}

it('shows the listings of the first read, announces those of later ones, and requests the whole feed at once', async () => {
  await feedSource();
  answer(feed('v1', 'v2'));
  await poll();
  expect(rig.requests).toEqual([{ offset: 0, headers: expect.anything() }]);
  answer(feed('v1', 'v2', 'v3'));
  await poll();
  expect((await stored()).map(({ external_id, announce }) => [external_id, announce])).toEqual([
    ['v1', false],
    ['v2', false],
    ['v3', true],
  ]);
});

it('marks a car as gone after two complete reads without it, and offers it again when it is back', async () => {
  await feedSource();
  answer(feed('v1', 'v2'));
  await poll();
  answer(feed('v1'));
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale' });
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'gone' });
  answer(feed('v1', 'v2'));
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale' });
});

it('resets the count of missed reads of a car that is shown again, unchanged', async () => {
  await feedSource();
  const missed = () => rig.db.rows('select missed_reads from listings order by external_id');
  answer(feed('v1', 'v2'));
  await poll();
  for (let rounds = 0; rounds < 3; rounds++) {
    answer(feed('v1'));
    await poll();
    expect(await missed()).toEqual([{ missed_reads: 0 }, { missed_reads: 1 }]);
    answer(feed('v1', 'v2'));
    await poll();
    expect(await missed()).toEqual([{ missed_reads: 0 }, { missed_reads: 0 }]);
  }
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale' });
});

it('keeps a car whose row is present but quarantined', async () => {
  await feedSource();
  answer(feed('v1', 'v2', 'v3'));
  await poll();
  answer(`${header}\n${row('v1')}\n${row('v2', -5)}\n${row('v3')}\n${row('v3')}\n`);
  await poll();
  await poll();
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale', v3: 'for_sale' });
  const rows = await rig.db.rows('select code, external_id from quarantine order by code');
  expect(rows).toEqual([
    { code: 'BAD_PRICE', external_id: 'v2' },
    { code: 'DUPLICATE_ID', external_id: 'v3' },
  ]);
});

it('marks no car as missed after a read that failed or was truncated', async () => {
  await feedSource();
  answer(feed('v1', 'v2', 'v3'));
  await poll();
  const whole = feed('v1', 'v4', 'v2', 'v3');
  answer(whole.slice(0, whole.indexOf('v2') + 5));
  for (let reads = 0; reads < 3; reads++) await poll();
  expect(await source()).toMatchObject({
    failures: 3,
    last_error: expect.stringMatching(/ends in the middle of a row/),
  });
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale', v3: 'for_sale', v4: 'for_sale' });

  rig.script = (_request, response) => {
    response.writeHead(200, { 'content-length': '5000' }).write(feed('v1'), () => response.destroy());
    return true;
  };
  for (let reads = 0; reads < 3; reads++) await poll();
  answer('');
  for (let reads = 0; reads < 3; reads++) await poll();
  answer('<html>Sign in</html>');
  for (let reads = 0; reads < 3; reads++) await poll();
  expect(await source()).toMatchObject({ failures: 12, last_error: expect.stringMatching(/web page/) });
  expect(Object.values(await statuses())).toEqual(Array(4).fill('for_sale'));
});

it('counts an unchanged read as complete', async () => {
  await feedSource();
  answer(feed('v1', 'v2'));
  await poll();
  rig.script = ({ message }, response) =>
    Boolean(
      message.headers['if-none-match'] === '"2"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"2"' }).end(feed('v1')),
    );
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'for_sale' });
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'gone' });
  await poll();
  expect(await statuses()).toEqual({ v1: 'for_sale', v2: 'gone' });
  expect(await source()).toMatchObject({ failures: 0, last_error: null });
});

it('loses no car and marks none as gone when the worker dies in the middle of a feed', async () => {
  await feedSource();
  const ids = Array.from({ length: 550 }, (_, index) => `v${index}`);
  answer(feed(...ids), { etag: '"1"' });
  await poll();
  const next = [...ids.slice(1), 'v2000'];
  answer(feed(...next), { etag: '"2"' });
  for (let deaths = 0; deaths < 3; deaths++) {
    await expect(poll({ storeListings: crashingStore() })).rejects.toThrow('killed');
  }
  expect(await statuses()).toMatchObject({ v0: 'for_sale', v1: 'for_sale' });
  expect(await source()).toMatchObject({ etag: '"1"' });
  await expect(
    poll({
      retireAbsent: async () => {
        throw new Error('killed');
      },
    }),
  ).rejects.toThrow('killed');
  expect(await source()).toMatchObject({ etag: '"1"' });
  await poll();
  expect(await statuses()).toMatchObject({ v0: 'for_sale', v2000: 'for_sale' });
  await poll();
  expect(await statuses()).toMatchObject({ v0: 'gone', v1: 'for_sale', v2000: 'for_sale' });
  expect(Object.keys(await statuses())).toHaveLength(551);
});

it.each(['meta-example.tsv', 'meta-example.csv', 'meta-example-image-array.csv', 'meta-example.xml'])(
  'reads Meta’s example %s with the same result over HTTP, from a file, plain, compressed, and pushed as JSON',
  async (name) => {
    const bytes = readFileSync(new URL(`../../../test/fixtures/vehicle-feeds/${name}`, import.meta.url));
    const path = join(folder, name);
    writeFileSync(path, bytes);
    writeFileSync(`${path}.gz`, gzipSync(bytes));
    const taken: unknown[] = [];
    const take = async (isFilled = true) => {
      await poll();
      const rows = await rig.db.rows(
        `select external_id, title, make, model, year, price, mileage, vin, transmission, color, condition, city, state,
                round(lat) as lat, round(lng) as lng, images, url, listed_at, status from listings`,
      );
      expect(await source()).toMatchObject({ failures: 0, first_read_done: isFilled });
      await rig.db.pool.query('truncate sources, listings, listings_to_match');
      taken.push(rows);
    };
    await feedSource();
    answer(bytes);
    await take();
    await feedSource();
    answer(gzipSync(bytes), { 'content-type': 'application/gzip' });
    await take();
    for (const file of [path, `${path}.gz`]) {
      await feedSource({ url: undefined, file });
      await take();
    }
    if (name.endsWith('.tsv')) {
      const [names = [], cells = []] = String(bytes)
        .split('\n')
        .map((line) => line.split('\t'));
      const item = Object.fromEntries(names.map((column, index) => [column, cells[index]]));
      const parsePage = (text: string, now: Date) => parseMarketplacePage(text, { gazetteer, now });
      await feedSource();
      await ingestPush({ pool: rig.db.pool, parsePage, now: () => new Date() }, 'pushed', JSON.stringify([item]));
      rig.script = (_request, response) => Boolean(response.writeHead(200).end('vehicle_id\n'));
      await take(false);
    }
    const one = {
      ...{ external_id: 'i2', title: '2017 Ford Fusion SE', make: 'ford', model: 'fusion', year: 2017, price: 16_000 },
      ...{ mileage: 932, vin: '1FADP5AU6DL536022', transmission: 'automatic', color: 'white', condition: 'Excellent' },
      ...{
        city: 'Watsonville',
        state: 'CA',
        lat: 37,
        lng: -122,
        url: 'http://www.example.com/test',
        status: 'for_sale',
      },
    };
    expect(taken).toEqual(Array(taken.length).fill([expect.objectContaining(one)]));
    expect(new Set(taken.map((rows) => JSON.stringify(rows))).size).toBe(1);
  },
);
