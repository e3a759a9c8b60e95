/** @module-tag long */
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars, untilMatchesVisible } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';

const facts = { trim: 'EX-L', fuel: 'hybrid', drive: 'awd', body: 'wagon', titleStatus: 'rebuilt' };
let ana: Browser;
let alertId: number;
let stored: number[];

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert();
  stored = await storeCars(
    api.db.pool,
    Array.from({ length: 230 }, (_, at) => ({ title: `Car ${at}`, price: 5_000 + at, ...facts })),
  );
  await insertMatches(api.db.pool, alertId, stored);
});

const hostile = ['=HYPERLINK("http://x.example")', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '＝1', 'a, "b"\nc'];
const rowsOf = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[];
const csv = async (path: string, browser = ana) => {
  const answer = await browser.fetch(`/api${path}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString('utf8');
};

describe('the file of an alert', () => {
  it('has all matches in the order of the list, as a UTF-8 file for spreadsheets', async () => {
    const answer = await ana.fetch(`/api/listings/export?alertId=${alertId}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=lotwatch-matches.csv');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows = rowsOf(bytes.toString('utf8'));
    expect(rows.map((row) => row.Title)).toEqual(stored.map((_, at) => `Car ${at}`).toReversed());
    expect(rows[0]).toMatchObject({
      Year: '2018',
      Make: 'toyota',
      'Price (USD)': '5229',
      Trim: 'EX-L',
      Fuel: 'hybrid',
      Drive: 'awd',
      Body: 'wagon',
      'Title status': 'rebuilt',
      City: 'Pasadena',
      Status: 'for_sale',
      'Distance (miles)': '12.3',
      'Your note': '',
      'Matched at': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('is sorted and filtered as the list is', async () => {
    const cheapest = rowsOf(await csv(`/listings/export?alertId=${alertId}&sort=price`));
    expect(cheapest.map((row) => row.Title)).toEqual(stored.map((_, at) => `Car ${at}`));
    const none = await csv(`/listings/export?alertId=${alertId}&only=saved`);
    expect(none.split('\r\n')).toHaveLength(2);
    expect((await ana.fetch(`/api/listings/export?alertId=${alertId}&sort=shoe`)).status).toBe(400);
  });

  it('is for its owner alone', async () => {
    const { browser: ben } = await api.user('ben');
    expect((await ben.fetch(`/api/listings/export?alertId=${alertId}`)).status).toBe(404);
    const visitor = makeBrowser(api.url);
    expect((await visitor.fetch(`/api/listings/export?alertId=${alertId}`)).status).toBe(401);
    expect((await visitor.fetch('/api/listings/saved/export')).status).toBe(401);
  });
});

describe('the file of saved cars', () => {
  beforeAll(async () => {
    const ids = stored.slice(0, hostile.length);
    for (const [at, id] of ids.entries()) {
      await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(id) });
      await api.db.pool.query('update listings set title = $2 where id = $1', [id, hostile[at]]);
    }
    await ana.gql('mutation ($id: ID!) { noteOnListing(id: $id, note: "=1+1") { id } }', { id: String(ids[0]) });
  });

  it('has no cell that a spreadsheet runs as a formula', async () => {
    const rows = rowsOf(await csv('/listings/saved/export?sort=price'));
    expect(rows.map((row) => row.Title)).toEqual([...hostile.slice(0, 7).map((text) => `'${text}`), hostile[7]]);
    expect(rows[0]?.['Your note']).toBe("'=1+1");
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  it('has none for a spreadsheet that separates by semicolons or tabs', async () => {
    const titles = ['Camry;=HYPERLINK("http://x.example")', 'Camry\t+1', 'Camry; "@SUM(A1)', 'Camry;blue'];
    for (const [at, title] of titles.entries())
      await api.db.pool.query('update listings set title = $2 where id = $1', [stored[at], title]);
    const rows = rowsOf(await csv('/listings/saved/export?sort=price'));
    expect(rows.slice(0, 4).map((row) => row.Title)).toEqual([
      'Camry;\'=HYPERLINK("http://x.example")',
      "Camry\t'+1",
      'Camry; "\'@SUM(A1)',
      'Camry;blue',
    ]);
  });

  it('stays a whole file where a car was deleted meanwhile', async () => {
    await api.db.pool.query('delete from listings where id = $1', [stored[0]]);
    const rows = rowsOf(await csv('/listings/saved/export'));
    expect(rows).toHaveLength(hostile.length);
    expect(rows.at(-1)).toMatchObject({ Title: '', 'Saved at': expect.stringContaining('T') });
  });
});

it('is sent page by page as fast as it is read, and no further when its reader is gone', async () => {
  const { browser } = await api.user('slow');
  const slowAlert = await browser.createAlert();
  const ids: number[] = [];
  const page = Array.from({ length: 500 }, () => ({ title: 'long '.repeat(1_500) }));
  for (let count = 0; count < 6; count += 1) ids.push(...(await storeCars(api.db.pool, page)));
  await api.db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
     select unnest($1::int8[]), id, user_id, 1, 1, true from alerts where id = $2`,
    [ids, slowAlert],
  );
  await untilMatchesVisible(api.db.pool);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const pagesRead = () => query.mock.calls.filter(([text]) => String(text).includes('from match_bounds()')).length;
  const answer = await browser.fetch(`/api/listings/export?alertId=${slowAlert}`);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await reader?.cancel();
  // Until the buffers of both ends are full; all would be 30 pages.
  expect(pagesRead()).toBeGreaterThan(0);
  expect(pagesRead()).toBeLessThan(20);
  query.mockRestore();
});

it('is refused after 30 files in an hour', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on' } });
  const { browser } = await limited.user('eager');
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await browser.fetch('/api/listings/saved/export')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  const refused = await browser.fetch('/api/listings/saved/export');
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
  await limited.close();
});
