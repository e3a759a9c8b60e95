import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Expected, exampleText, marketplaceExamples } from '../../../test/reading/marketplace-examples.ts';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { parseMarketplacePage } from '../../sources/marketplace-items/read-marketplace-items.ts';
import { ingestPush } from '../ingest-push.ts';
import { pollSource } from './poll-sources-job.ts';

const rig = pollRig();
beforeEach(() => {
  rig.deps.now = () => now;
});

const push = (text: string, source = 'pushed') =>
  ingestPush(
    { pool: rig.db.pool, parsePage: (body, at) => parseMarketplacePage(body, { gazetteer, now: at }), now: () => now },
    source,
    text,
  );

async function stored(source: string) {
  return rig.db.rows(
    `select external_id as "externalId", title, make, model, year, price, mileage as "mileageMiles", transmission,
            color, condition, city, state, lat, lng, images, url, listed_at as "listedAt", status
       from listings where source = $1 order by external_id`,
    [source],
  );
}

async function quarantinedRecords(source: string) {
  return rig.db.rows(
    `select code, reason, external_id as "externalId" from quarantine where source = $1 order by code, external_id, id`,
    [source],
  );
}

const isCode = (row: Expected) => typeof row === 'string';

describe.each(marketplaceExamples)('$file', ({ file, rows }) => {
  const text = exampleText(file);
  const path = fileURLToPath(new URL(`../../../test/fixtures/marketplace-examples/${file}`, import.meta.url));
  const expectedRows = rows.flatMap((row) => (isCode(row) ? [] : row));
  const expectedCodes = rows.flatMap((row) => (isCode(row) ? row : [])).sort();

  async function expectAll(source: string) {
    const listings = await stored(source);
    expect(listings).toHaveLength(expectedRows.length);
    for (const row of expectedRows) {
      expect(listings.find(({ externalId }) => externalId === row.externalId)).toMatchObject(row);
    }
    expect((await quarantinedRecords(source)).map(({ code }) => code)).toEqual(expectedCodes);
  }

  it('gives the expected result for each row when it is pushed', async () => {
    const { results, rejected } = await push(text);
    expect(results.map(({ code, facts }) => code ?? facts)).toEqual(
      rows.map((row) => (isCode(row) ? row : expect.objectContaining(row))),
    );
    expect(rejected).toBe(expectedCodes.length);
    await expectAll('pushed');
  });

  it('gives the same result over HTTP, from a file, and pushed line by line', async () => {
    rig.script = ({ offset }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(offset === 0 ? text : '[]');
      return true;
    };
    const [overHttp] = rig.settings({ name: 'http', pageSize: 100 });
    const [fromFile] = rig.settings({ name: 'file', url: undefined, file: path });
    if (!overHttp || !fromFile) throw new Error('no settings');
    await ensureSources(rig.db.pool, [overHttp, fromFile]);
    await pollSource(rig.deps, 'http');
    await pollSource(rig.deps, 'file');
    await push(text);
    const lines = (JSON.parse(text) as unknown[]).map((item) => JSON.stringify(item)).join('\n');
    await push(lines, 'lines');

    await expectAll('http');
    for (const way of ['file', 'pushed', 'lines']) {
      expect(await stored(way)).toEqual(await stored('http'));
      expect(await quarantinedRecords(way)).toEqual(await quarantinedRecords('http'));
    }
  });
});

it('keeps the first of two records with one id, however often the page is read', async () => {
  const item = (price: number) => ({ id: 'twice', title: '2015 Toyota Camry', price });
  const body = JSON.stringify([item(9000), item(8500), item(9000)]);
  const statuses = async () => (await push(body)).results.map(({ status, code }) => code ?? status);
  expect(await statuses()).toEqual(['accepted', 'DUPLICATE_ID', 'unchanged']);
  expect(await statuses()).toEqual(['unchanged', 'DUPLICATE_ID', 'unchanged']);
  expect(await stored('pushed')).toMatchObject([{ externalId: 'twice', price: 9000 }]);
  expect(await quarantinedRecords('pushed')).toMatchObject([{ code: 'DUPLICATE_ID', externalId: 'twice' }]);
  const { rowCount } = await rig.db.pool.query('select from price_changes');
  expect(rowCount).toBe(0);
});
