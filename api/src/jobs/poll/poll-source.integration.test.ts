import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerJson, car, cars, crashingStore, pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { untilNextPoll } from '../../sources/claim-source.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';
import { pollDueSources, pollSource } from './poll-sources-job.ts';

const rig = pollRig();
const { due, poll, settings, source, stored } = rig;

describe('a newest-first source', () => {
  it('is first read to its end without announcements, and later until a page is known, with announcements', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(25);
    expect(await poll()).toEqual([0, 10, 20, 25]);
    expect((await stored()).map(({ announce }) => announce)).toEqual(Array(25).fill(false));
    expect(await source()).toMatchObject({ first_read_done: true, cursor: {}, failures: 0, last_error: null });

    rig.rows = [...cars(3, 25), ...rig.rows];
    expect(await poll()).toEqual([0, 10]);
    const all = await stored();
    expect(all.slice(25)).toMatchObject([{ announce: true }, { announce: true }, { announce: true }]);
    expect(await poll()).toEqual([0]);
    expect(await stored()).toHaveLength(28);
  });

  it('is read on after a page with one changed price', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(30);
    await poll();
    rig.rows = rig.rows.map((row, index) => (index === 4 ? { ...row, price: 8000 } : row));
    expect(await poll()).toEqual([0, 10]);
    expect((await stored()).filter(({ price }) => price === 8000)).toHaveLength(1);
  });

  it('is read for 20 pages at most', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(300);
    expect(await poll()).toHaveLength(20);
    expect(await stored()).toHaveLength(200);
    expect((await source()).first_read_done).toBe(true);
  });

  it('counts a page as known although it has a bad record', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = [car('bad', -1), ...cars(30)];
    await poll();
    expect(await poll()).toEqual([0]);
    expect(await rig.db.rows('select code from quarantine')).toEqual([{ code: 'BAD_PRICE' }]);
  });

  it('is read with one request when its server does not page', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.script = (_, response) => answerJson(response, cars(25));
    expect(await poll()).toEqual([0]);
    expect(await stored()).toHaveLength(25);
    rig.script = (_, response) => answerJson(response, cars(10));
    await rig.db.pool.query('update sources set first_read_done = false');
    expect(await poll()).toEqual([0, 10]);
  });
});

describe('conditional requests', () => {
  it('send the validators of the last complete read, and count 304 as unchanged', async () => {
    await ensureSources(rig.db.pool, settings({ header: { name: 'x-token', value: 's3cret' } }));
    rig.rows = cars(5);
    rig.script = ({ message, offset }, response) => {
      const etag = '"v1"';
      if (message.headers['if-none-match'] === etag) return Boolean(response.writeHead(304).end());
      return answerJson(response, rig.rows.slice(offset), { etag, 'last-modified': 'Sat, 01 Jan 2026 00:00:00 GMT' });
    };
    await poll();
    expect(rig.requests[0]?.headers['x-token']).toBe('s3cret');
    expect((await source()).etag).toBe('"v1"');
    expect(await poll()).toEqual([0]);
    expect(rig.requests[0]?.headers['if-modified-since']).toBe('Sat, 01 Jan 2026 00:00:00 GMT');
    expect(await source()).toMatchObject({ failures: 0, etag: '"v1"', first_read_done: true });
  });

  it('send no validators of an interrupted read', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(25);
    rig.script = ({ offset }, response) =>
      offset === 0
        ? answerJson(response, rig.rows.slice(0, 10), { etag: '"v1"' })
        : Boolean(response.writeHead(500).end());
    await poll();
    expect((await source()).etag).toBeNull();
    await poll();
    expect(rig.requests[0]?.headers['if-none-match']).toBeUndefined();
  });
});

describe('an append source', () => {
  it('is read from its offset on, also after a crash, and is announced from the second read on', async () => {
    await ensureSources(rig.db.pool, settings({ order: 'append' }));
    rig.rows = cars(25).reverse();
    await expect(poll({ storeListings: crashingStore() })).rejects.toThrow('killed');
    expect((await source()).cursor).toEqual({ offset: 10 });
    expect(await poll()).toEqual([10, 20, 25]);
    expect(await source()).toMatchObject({ cursor: { offset: 25 }, first_read_done: true });
    rig.rows.push(car('new'));
    expect(await poll()).toEqual([25, 26]);
    const all = await stored();
    expect(all.map(({ external_id: id }) => id).sort()).toEqual(rig.rows.map(({ id }) => id).sort());
    expect(all.filter(({ announce }) => announce)).toEqual([expect.objectContaining({ external_id: 'new' })]);
  });

  it('is read from its offset on if it is a file, and from the start when the file was replaced', async () => {
    const file = join(tmpdir(), `lotwatch-items-${process.pid}.json`);
    await ensureSources(rig.db.pool, settings({ order: 'append', url: undefined, file }));
    await poll();
    expect((await source()).last_error).toMatch(/file can't be read/);
    await writeFile(file, JSON.stringify(cars(12)));
    await poll();
    await writeFile(file, JSON.stringify([...cars(12), car('n1'), car('n2')]));
    await poll();
    expect(await stored()).toHaveLength(14);
    expect(await source()).toMatchObject({ cursor: { offset: 14 }, failures: 0 });
    await writeFile(file, JSON.stringify([car('fresh')]));
    await poll();
    expect(await stored()).toHaveLength(15);
  });
});

it('measures the lag of new listings, but not of those that a new source already had', async () => {
  await ensureSources(rig.db.pool, settings());
  rig.rows = [car('old', 9000, Date.now() - 90 * 86_400_000)];
  await poll();
  expect((await source()).lag_ms).toBeNull();
  rig.rows = [
    car('a', 1, Date.now() - 1000),
    car('b', 1, Date.now() - 3000),
    car('c', 1, Date.now() - 60_000),
    ...rig.rows,
  ];
  await poll();
  const lag = (await source()).lag_ms ?? 0;
  expect(lag).toBeGreaterThanOrEqual(3000);
  expect(lag).toBeLessThan(6000);
});

describe('many workers', () => {
  it('read one due source once', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    let running = 0;
    let most = 0;
    rig.script = ({ offset }, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        answerJson(response, rig.rows.slice(offset));
      }, 50);
      return true;
    };
    const polled = await Promise.all(Array.from({ length: 8 }, () => pollDueSources(rig.deps)));
    expect(polled.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(most).toBe(1);
    expect(await pollDueSources(rig.deps)).toBe(0);
    expect(await untilNextPoll(rig.db.pool)).toBeGreaterThan(50_000);
  });

  it('do not read a source that is not due', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    rig.requests = [];
    expect(await pollSource(rig.deps, 'lot')).toBe(false);
    expect(rig.requests).toEqual([]);
  });

  it('do not read a source a second time while its read takes longer than its interval', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    let respond = () => {};
    const reached = new Promise<void>((resolve) => {
      rig.script = ({ offset }, response) => {
        respond = () => answerJson(response, rig.rows.slice(offset));
        resolve();
        return true;
      };
    });
    const first = pollSource(rig.deps, 'lot');
    await reached;
    await due();
    expect(await pollSource(rig.deps, 'lot')).toBe(false);
    rig.script = () => false;
    respond();
    expect(await first).toBe(true);
    expect(await stored()).toHaveLength(5);
  });

  it('read other sources while one is slow', async () => {
    await ensureSources(rig.db.pool, [
      ...settings(),
      ...['slow', 'quick'].flatMap((name) => settings({ name, url: rig.url.replace('items', name) })),
    ]);
    rig.rows = cars(5);
    const stop = new AbortController();
    const patient = { ...rig.deps, fetchPage, signal: stop.signal };
    rig.script = ({ message }) => message.url?.startsWith('/slow') ?? false;
    expect(await pollDueSources(patient)).toBe(2);
    await due();
    const start = performance.now();
    await pollDueSources(patient);
    expect((await source()).seconds).toBeGreaterThan(50);
    expect(performance.now() - start).toBeLessThan(10_000);
    stop.abort();
    await expect.poll(() => rig.db.pool.totalCount - rig.db.pool.idleCount).toBe(0);
    expect(await rig.db.rows(`select failures from sources where name = 'slow'`)).toEqual([{ failures: 0 }]);
  });

  it('release their claim after every kind of failure', async () => {
    await ensureSources(rig.db.pool, settings());
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).resolves.toEqual([0]);
    rig.rows = cars(2);
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
    expect(await source()).toMatchObject({ failures: 0, last_error: expect.stringMatching(/the error is in its log/) });
    expect(await rig.db.rows('select 1 from sources where claimed_until is not null')).toHaveLength(0);
    await due();
    expect(await pollDueSources(rig.deps)).toBe(1);
    expect(await stored()).toHaveLength(2);
  });
});
