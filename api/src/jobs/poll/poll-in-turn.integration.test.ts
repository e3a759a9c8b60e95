import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { car, pollRig, type Row } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';

const rig = pollRig();
const { poll, source } = rig;

type Answer = (body: Buffer, response: ServerResponse) => unknown;

const half = (body: Buffer) => body.subarray(0, body.length / 2);
const part = (response: ServerResponse, bytes: Buffer, head: Record<string, string | number> = {}) =>
  response.writeHead(200, head).write(bytes);
const later = (act: () => unknown) => setTimeout(act, 30);

/** The faults of the server, one after another, and the error that each leaves on the source's row. */
const faults: [string, Answer, RegExp][] = [
  ['stops half-way', (body, response) => part(response, half(body)), /No whole answer within/],
  ['says nothing', () => {}, /No whole answer within/],
  ['resets', (_, response) => response.socket?.resetAndDestroy(), /closed the connection/],
  [
    'resets in the middle',
    (body, response) => {
      part(response, half(body));
      later(() => response.socket?.resetAndDestroy());
    },
    /broke off before its end/,
  ],
  ['asks to wait', (_, response) => response.writeHead(429, { 'retry-after': '120' }).end(), /answered 429/],
  ['fails', (_, response) => response.writeHead(500).end('<h1>oops</h1>'), /answered 500/],
  [
    'is cut',
    (body, response) => {
      part(response, half(body), { 'content-length': body.length });
      later(() => response.destroy());
    },
    /broke off before its end/,
  ],
  [
    'is cut while packed',
    (body, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body).subarray(0, -20)),
    /can not be unpacked/,
  ],
  [
    'promises more than it has',
    (body, response) => {
      part(response, body, { 'content-length': body.length + 99 });
      later(() => response.destroy());
    },
    /broke off before its end/,
  ],
  [
    'promises less than it has',
    (body, response) => response.writeHead(200, { 'content-length': half(body).length }).end(half(body)),
    /can't be read/,
  ],
  [
    'redirects inside',
    (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/items' }).end(),
    /inside the own network/,
  ],
  ['redirects in a loop', (_, response) => response.writeHead(301, { location: rig.url }).end(), /more than 5 times/],
  ['has no list', (_, response) => response.end('<html><body>Down for maintenance</body></html>'), /can't be read/],
];

/** Only these faults end by a timeout; with a short one for all, a busy machine would look like them. */
const neverWhole = new Set(['stops half-way', 'says nothing']);
const TIMEOUT_MS = 5000;

/** After these faults the records that arrived complete are stored. */
const keepsHalf = new Set([
  'stops half-way',
  'resets in the middle',
  'is cut',
  'is cut while packed',
  'promises more than it has',
]);

const shown = (rows: Row[]) => rows.map(({ id, price }) => `${id} ${price}`).sort();
const asItems = (rows: Row[]) => Buffer.from(JSON.stringify(rows));
const asFeed = (rows: Row[]) =>
  Buffer.from(
    [
      'vehicle_id,title,make,model,year,price,description',
      ...rows.map(({ id, title, price }) => `${id},${title},Toyota,Camry,2015,${price} USD,"one, owner"`),
      '',
    ].join('\n'),
  );

describe.each([
  ['newest-first items', { kind: 'marketplace-items', order: 'newest-first' }, asItems],
  ['appended items', { kind: 'marketplace-items', order: 'append' }, asItems],
  ['a feed', { kind: 'vehicle-feed' }, asFeed],
] as const)('%s', (_name, settings, write) => {
  it('lose no item and store none twice when their server fails in every way', async () => {
    const newest = !('order' in settings) || settings.order === 'newest-first';
    const paged = settings.kind === 'marketplace-items';
    let timeoutMs = TIMEOUT_MS;
    rig.deps.fetchPage = (page) => fetchPage({ ...page, timeoutMs, isPublic: (address) => address === '127.0.0.1' });
    await ensureSources(rig.db.pool, rig.settings({ ...settings, allowPrivateNetwork: false }));

    let answer: Answer | null = null;
    let version = 0;
    /** Which page of a read fails, the first or the second. */
    let failing = 1;
    rig.script = ({ offset, limit, message }, response) => {
      const etag = `"${version}"`;
      const body = write(paged ? rig.rows.slice(offset, offset + limit) : rig.rows);
      if (message.headers['if-none-match'] === etag) response.writeHead(304).end();
      else if (answer && (!paged || rig.requests.length >= failing)) answer(body, response);
      else response.writeHead(200, { etag }).end(body);
      return true;
    };
    const add = (count: number) => {
      version++;
      const more = Array.from({ length: count }, (_, index) => car(`c${rig.rows.length + index}`));
      rig.rows = newest ? [...more.reverse(), ...rig.rows] : [...rig.rows, ...more];
    };
    const listings = async () => {
      const rows = await rig.db.rows('select external_id as id, price, status, missed_reads from listings');
      expect(rows.filter(({ status, missed_reads }) => status !== 'for_sale' || missed_reads > 0)).toEqual([]);
      return rows.map(({ id, price }) => `${id} ${price}`).sort();
    };

    add(8);
    await poll();
    for (const [what, fault, message] of faults) {
      add(14);
      const before = await listings();
      answer = fault;
      failing = 3 - failing;
      timeoutMs = neverWhole.has(what) ? 300 : TIMEOUT_MS;
      await poll();
      const row = await source();
      expect([what, row.last_error, row.failures]).toEqual([what, expect.stringMatching(message), 1]);
      expect(row.seconds).toBeGreaterThan(what === 'asks to wait' ? 119 : 59);
      const after = await listings();
      expect(after).toEqual(expect.arrayContaining(before));
      if (!paged && keepsHalf.has(what)) expect(after.length).toBeGreaterThan(before.length + 5);

      answer = null;
      timeoutMs = TIMEOUT_MS;
      await poll();
      expect([what, await listings()]).toEqual([what, shown(rig.rows)]);
      expect(await source()).toMatchObject({ failures: 0, last_error: null });
      const asked = await poll();
      expect(asked).toEqual([paged && !newest ? rig.rows.length : 0]);
    }
    expect(await rig.db.rows('select 1 from listings where not announce')).toHaveLength(8);
    expect(await rig.db.rows('select 1 from price_changes')).toHaveLength(0);
  }, 60_000);
});
