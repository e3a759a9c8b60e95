import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answerJson, cars, crashingStore, pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';

const rig = pollRig();
const { poll, settings, source, stored } = rig;

it.each([
  ['a message', { error: 'busy' }],
  ['words', ['down', 'for', 'maintenance']],
])('records an error for %s, which is not a list, and stores none of it', async (_, body) => {
  await ensureSources(rig.db.pool, settings());
  rig.script = (_request, response) => answerJson(response, body);
  await poll();
  expect(await source()).toMatchObject({
    first_read_done: false,
    failures: 1,
    last_error: expect.stringMatching(/no items/),
  });
  expect(await rig.db.rows('select 1 from quarantine')).toHaveLength(0);
});

it('records why a feed of nothing but NULs can not be read', async () => {
  await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed' }));
  rig.script = (_request, response) => Boolean(response.end(Buffer.alloc(5000)));
  await poll();
  expect(await source()).toMatchObject({
    failures: 1,
    last_error: expect.stringMatching(/names no column vehicle_id/),
  });
});

it('quarantines each car of a list without ids', async () => {
  await ensureSources(rig.db.pool, settings());
  const vehicle = { '@type': 'Car', name: '2015 Toyota Camry', price: 9000 };
  rig.script = ({ offset }, response) =>
    answerJson(response, offset === 0 ? [vehicle, { ...vehicle, price: 8000 }] : []);
  await poll();
  expect(await source()).toMatchObject({ first_read_done: true, failures: 0 });
  expect(await rig.db.rows('select code from quarantine')).toEqual([{ code: 'NO_ID' }, { code: 'NO_ID' }]);
});

describe('an interrupted read', () => {
  it('keeps what it stored, announces nothing if it is the first read, and is continued at the next poll', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(25);
    rig.script = ({ offset }, response) => offset === 20 && Boolean(response.writeHead(500).end('oops'));
    await poll();
    expect(await stored()).toHaveLength(20);
    expect(await source()).toMatchObject({ first_read_done: false, failures: 1, etag: null, last_success_at: null });
    expect((await source()).last_error).toMatch(/answered 500/);

    rig.script = () => false;
    expect(await poll()).toEqual([0, 10, 20, 25]);
    expect((await stored()).map(({ announce }) => announce)).toEqual(Array(25).fill(false));
    expect(await source()).toMatchObject({ first_read_done: true, failures: 0, last_error: null });
  });

  it('leaves no gap, since a known page above it does not end the next read', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(10);
    await poll();
    rig.rows = [...cars(35, 10), ...rig.rows];
    rig.script = ({ offset }, response) => offset === 20 && Boolean(response.writeHead(503).end());
    await poll();
    expect(await stored()).toHaveLength(30);
    rig.script = () => false;
    rig.rows = [...cars(4, 45), ...rig.rows];
    expect(await poll()).toEqual([0, 10, 20, 30, 40]);
    expect(await stored()).toHaveLength(49);
    expect(await poll()).toEqual([0]);
  });

  it('continues after a crash between two pages', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(10);
    await poll();
    rig.rows = [...cars(30, 10), ...rig.rows];
    await expect(poll({ storeListings: crashingStore() })).rejects.toThrow('killed');
    expect(await source()).toMatchObject({ failures: 0, cursor: { reach: 20 } });
    expect((await source()).seconds).toBeGreaterThan(50);
    expect(await poll()).toEqual([0, 10, 20, 30, 40]);
    expect(await stored()).toHaveLength(40);
  });

  it.each([0, 1, 2, 3])(
    'leaves no gap when the worker dies after page %d is stored, and again while it reads newer pages',
    async (page) => {
      await ensureSources(rig.db.pool, settings());
      rig.rows = cars(10);
      await poll();
      rig.rows = [...cars(50, 10), ...rig.rows];
      await expect(poll({ storeListings: crashingStore(page, 'stored') })).rejects.toThrow('killed');
      rig.rows = [...cars(10, 60), ...rig.rows];
      await expect(poll({ storeListings: crashingStore(0, 'stored') })).rejects.toThrow('killed');
      await poll();
      expect(await stored()).toHaveLength(70);
      expect(await poll()).toEqual([0]);
    },
  );

  it.each([
    [
      'a cut body',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': '999' }).write('[{"id":'),
      /broke off/,
    ],
    [
      'a short length',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': '9' }).end('[{"id":"c'),
      /can't be read/,
    ],
    ['no JSON', (response: ServerResponse) => response.end('<html>'), /can't be read/],
    ['silence', () => {}, /within 1 s/],
    ['too much', (response: ServerResponse) => response.end(Buffer.alloc(1_000_001, ' ')), /larger than/],
  ])('%s on the second page infers nothing', async (name, answer, message) => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(25);
    await poll();
    rig.rows = [...cars(10, 25), ...rig.rows];
    rig.script = ({ offset }, response) => {
      if (offset !== 10) return false;
      answer(response);
      if (name === 'a cut body') setTimeout(() => response.destroy(), 20);
      return true;
    };
    await poll();
    expect(await stored()).toHaveLength(35);
    expect(await rig.db.rows(`select 1 from listings where status <> 'for_sale'`)).toHaveLength(0);
    const row = await source();
    expect(row.last_error).toMatch(message);
    expect(row.failures).toBe(1);
    expect(row.last_success_at).not.toBeNull();
  });
});

/** The seconds until the next read, rounded up by what has passed of them since. */
const delay = async () => Math.ceil((await source()).seconds / 30) * 30;

describe('backoff', () => {
  it('doubles up to a quarter of an hour, and ends with a successful read', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.script = (_, response) => Boolean(response.writeHead(500).end());
    const delays: number[] = [];
    for (let failures = 1; failures <= 7; failures++) {
      await poll();
      delays.push(await delay());
    }
    expect(delays).toEqual([60, 120, 240, 480, 900, 900, 900]);
    expect((await source()).failures).toBe(7);
    rig.script = () => false;
    await poll();
    expect(await source()).toMatchObject({ failures: 0, last_error: null });
    expect(await delay()).toBe(60);
  });

  it('waits as long as Retry-After says, within limits', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.script = (_, response) => Boolean(response.writeHead(429, { 'retry-after': '300' }).end());
    await poll();
    expect(await delay()).toBe(300);
    expect((await source()).last_error).toMatch(/answered 429/);
    await rig.db.pool.query('update sources set failures = 0');
    rig.script = (_, response) => Boolean(response.writeHead(503, { 'retry-after': '86400' }).end());
    await poll({ random: () => 0.99 });
    expect((await source()).seconds).toBeLessThanOrEqual(1125);
    expect((await source()).seconds).toBeGreaterThan(900);
  });

  it('refuses an address in a private network unless the settings allow it', async () => {
    await ensureSources(rig.db.pool, settings({ allowPrivateNetwork: false }));
    rig.rows = cars(3);
    expect(await poll()).toEqual([]);
    expect((await source()).last_error).toMatch(/inside the own network/);
  });
});
