import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { silentLog } from '../base/log.ts';
import { ListingStatus, type ParsedRecord } from '../domain/listing-facts.ts';
import { storeListings } from '../intake/store-listings.ts';
import { untilNextPoll } from '../sources/claim-source.ts';
import { ensureSources } from '../sources/ensure-sources.ts';
import { parseSources, type SourceSettings } from '../sources/source-settings.ts';
import { fetchPage } from '../vendors/web-fetch.ts';
import { type PollDeps, pollDueSources, pollSource } from './poll-source.ts';

interface Row {
  id: string;
  price: number;
  listedAt?: number;
}

type Script = (
  request: { offset: number; limit: number; message: IncomingMessage },
  response: ServerResponse,
) => boolean;

let db: TestDatabase;
let rows: Row[];
let asked: { offset: number; headers: IncomingMessage['headers'] }[];
/** Answers instead of the list when it returns true. */
let script: Script;
let deps: PollDeps;
let url: string;

const car = (id: string, price = 9000, listedAt?: number): Row => ({ id, price, ...(listedAt && { listedAt }) });
const cars = (count: number, from = 0) => Array.from({ length: count }, (_, index) => car(`c${from + count - index}`));
const json = (response: ServerResponse, body: unknown, head: Record<string, string> = {}) => {
  response.writeHead(200, { 'content-type': 'application/json', ...head }).end(JSON.stringify(body));
  return true;
};

const server = createServer((message, response) => {
  const { searchParams } = new URL(message.url ?? '/', 'http://x');
  const offset = Number(searchParams.get('offset'));
  const limit = Number(searchParams.get('limit'));
  asked.push({ offset, headers: message.headers });
  if (script({ offset, limit, message }, response)) return;
  json(response, rows.slice(offset, offset + limit));
});

function parsePage(text: string): ParsedRecord[] {
  return (JSON.parse(text) as Row[]).map(({ id, price, listedAt }) =>
    price < 0
      ? { rejection: { externalId: id, code: 'BAD_PRICE', reason: 'below zero', record: id } }
      : {
          facts: {
            externalId: id,
            title: `2015 Toyota Camry ${id}`,
            make: 'toyota',
            model: 'camry',
            year: 2015,
            price,
            mileageMiles: 50_000,
            transmission: null,
            color: null,
            condition: null,
            city: 'Pasadena',
            state: 'CA',
            lat: 34.1,
            lng: -118.1,
            images: [],
            url: null,
            listedAt: listedAt ? new Date(listedAt) : null,
            status: ListingStatus.forSale,
          },
        },
  );
}

const settings = (more: Partial<SourceSettings> = {}): SourceSettings[] =>
  parseSources(
    JSON.stringify([
      {
        name: 'lot',
        kind: 'marketplace-items',
        url,
        everySeconds: 60,
        pageSize: 10,
        allowPrivateNetwork: true,
        ...more,
      },
    ]),
    '/',
  );

interface SourceRow {
  cursor: Record<string, number>;
  etag: string | null;
  first_read_done: boolean;
  failures: number;
  last_error: string | null;
  last_success_at: Date | null;
  lag_ms: number | null;
  seconds: number;
}

async function source(): Promise<SourceRow> {
  const { rows: found } = await db.pool.query<SourceRow>(
    `select *, extract(epoch from next_poll_at - now())::float8 as seconds from sources where name = 'lot'`,
  );
  const row = found[0];
  if (!row) throw new Error('no source');
  return row;
}

const due = () => db.pool.query(`update sources set next_poll_at = now() where name = 'lot'`);

async function poll(more: Partial<PollDeps> = {}): Promise<number[]> {
  await due();
  asked = [];
  await pollSource({ ...deps, ...more }, 'lot');
  return asked.map(({ offset }) => offset);
}

async function stored(): Promise<{ external_id: string; announce: boolean; price: number }[]> {
  const { rows: found } = await db.pool.query('select external_id, announce, price from listings order by id');
  return found;
}

beforeAll(async () => {
  db = await makeTestDatabase();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/items`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await db.close();
});
beforeEach(() => {
  rows = [];
  asked = [];
  script = () => false;
  deps = {
    pool: db.pool,
    storeListings,
    parsePage,
    fetchPage: (page) => fetchPage({ ...page, timeoutMs: 1000, maxBytes: 1_000_000 }),
    now: () => new Date(),
    log: silentLog,
    random: () => 0,
  };
});
afterEach(() => db.pool.query('truncate sources, listings, price_changes, quarantine'));

describe('a newest-first source', () => {
  it('is read to the end first and shown, later until a page is known and announced', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(25);
    expect(await poll()).toEqual([0, 10, 20, 25]);
    expect((await stored()).map(({ announce }) => announce)).toEqual(Array(25).fill(false));
    expect(await source()).toMatchObject({ first_read_done: true, cursor: {}, failures: 0, last_error: null });

    rows = [...cars(3, 25), ...rows];
    expect(await poll()).toEqual([0, 10]);
    const all = await stored();
    expect(all.slice(25)).toMatchObject([{ announce: true }, { announce: true }, { announce: true }]);
    expect(await poll()).toEqual([0]);
    expect(await stored()).toHaveLength(28);
  });

  it('reads on past a page with one changed price', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(30);
    await poll();
    rows = rows.map((row, index) => (index === 4 ? { ...row, price: 8000 } : row));
    expect(await poll()).toEqual([0, 10]);
    expect((await stored()).filter(({ price }) => price === 8000)).toHaveLength(1);
  });

  it('stops after 20 pages', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(300);
    expect(await poll()).toHaveLength(20);
    expect(await stored()).toHaveLength(200);
    expect((await source()).first_read_done).toBe(true);
  });

  it('takes a page beside a bad record for known', async () => {
    await ensureSources(db.pool, settings());
    rows = [car('bad', -1), ...cars(30)];
    await poll();
    expect(await poll()).toEqual([0]);
    const { rows: quarantined } = await db.pool.query('select code from quarantine');
    expect(quarantined).toEqual([{ code: 'BAD_PRICE' }]);
  });

  it('reads a server that does not page once', async () => {
    await ensureSources(db.pool, settings());
    script = (_, response) => json(response, cars(25));
    expect(await poll()).toEqual([0]);
    expect(await stored()).toHaveLength(25);
    script = (_, response) => json(response, cars(10));
    await db.pool.query('update sources set first_read_done = false');
    expect(await poll()).toEqual([0, 10]);
  });
});

it('takes a page of nothing but nonsense for a fault', async () => {
  await ensureSources(db.pool, settings());
  const nothing = () => [{ rejection: { externalId: null, code: 'NO_ID', reason: 'none', record: '{}' } }] as const;
  await poll({ parsePage: () => [...nothing()] });
  expect(await source()).toMatchObject({ first_read_done: false, failures: 1 });
  const { rows: quarantined } = await db.pool.query('select 1 from quarantine');
  expect(quarantined).toHaveLength(0);
});

describe('a read that breaks off', () => {
  it('keeps what it stored, announces nothing of a first read, and comes back for the rest', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(25);
    script = ({ offset }, response) => offset === 20 && Boolean(response.writeHead(500).end('oops'));
    await poll();
    expect(await stored()).toHaveLength(20);
    expect(await source()).toMatchObject({ first_read_done: false, failures: 1, etag: null, last_success_at: null });
    expect((await source()).last_error).toMatch(/answered 500/);

    script = () => false;
    expect(await poll()).toEqual([0, 10, 20, 25]);
    expect((await stored()).map(({ announce }) => announce)).toEqual(Array(25).fill(false));
    expect(await source()).toMatchObject({ first_read_done: true, failures: 0, last_error: null });
  });

  it('is no gap later: a known page above it does not end the next read', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(10);
    await poll();
    rows = [...cars(35, 10), ...rows];
    script = ({ offset }, response) => offset === 20 && Boolean(response.writeHead(503).end());
    await poll();
    expect(await stored()).toHaveLength(30);
    script = () => false;
    rows = [...cars(4, 45), ...rows];
    expect(await poll()).toEqual([0, 10, 20, 30, 40]);
    expect(await stored()).toHaveLength(49);
    expect(await poll()).toEqual([0]);
  });

  it('survives a crash between two pages', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(10);
    await poll();
    rows = [...cars(30, 10), ...rows];
    let pages = 0;
    const crashing: PollDeps['storeListings'] = (...given) => {
      pages += 1;
      if (pages === 2) throw new Error('killed');
      return storeListings(...given);
    };
    await expect(poll({ storeListings: crashing })).rejects.toThrow('killed');
    expect(await source()).toMatchObject({ failures: 0, cursor: { reach: 10 } });
    expect((await source()).seconds).toBeGreaterThan(50);
    expect(await poll()).toEqual([0, 10, 20, 30]);
    expect(await stored()).toHaveLength(40);
  });

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
    await ensureSources(db.pool, settings());
    rows = cars(25);
    await poll();
    rows = [...cars(10, 25), ...rows];
    script = ({ offset }, response) => {
      if (offset !== 10) return false;
      answer(response);
      if (name === 'a cut body') setTimeout(() => response.destroy(), 20);
      return true;
    };
    await poll();
    expect(await stored()).toHaveLength(35);
    const { rows: gone } = await db.pool.query(`select 1 from listings where status <> 'for_sale'`);
    expect(gone).toHaveLength(0);
    const row = await source();
    expect(row.last_error).toMatch(message);
    expect(row.failures).toBe(1);
    expect(row.last_success_at).not.toBeNull();
  });
});

describe('conditional requests', () => {
  it('sends what came with the last whole read and takes 304 for nothing new', async () => {
    await ensureSources(db.pool, settings({ header: { name: 'x-token', value: 's3cret' } }));
    rows = cars(5);
    script = ({ message, offset }, response) => {
      const etag = '"v1"';
      if (message.headers['if-none-match'] === etag) return Boolean(response.writeHead(304).end());
      return json(response, rows.slice(offset), { etag, 'last-modified': 'Sat, 01 Jan 2026 00:00:00 GMT' });
    };
    await poll();
    expect(asked[0]?.headers['x-token']).toBe('s3cret');
    expect((await source()).etag).toBe('"v1"');
    expect(await poll()).toEqual([0]);
    expect(asked[0]?.headers['if-modified-since']).toBe('Sat, 01 Jan 2026 00:00:00 GMT');
    expect(await source()).toMatchObject({ failures: 0, etag: '"v1"', first_read_done: true });
  });

  it('keeps no validator of a read that broke off', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(25);
    script = ({ offset }, response) =>
      offset === 0 ? json(response, rows.slice(0, 10), { etag: '"v1"' }) : Boolean(response.writeHead(500).end());
    await poll();
    expect((await source()).etag).toBeNull();
    await poll();
    expect(asked[0]?.headers['if-none-match']).toBeUndefined();
  });
});

describe('backoff', () => {
  it('doubles up to a quarter of an hour, and a success ends it', async () => {
    await ensureSources(db.pool, settings());
    script = (_, response) => Boolean(response.writeHead(500).end());
    const delays: number[] = [];
    for (let failures = 1; failures <= 7; failures++) {
      await poll();
      delays.push(Math.round((await source()).seconds));
    }
    expect(delays).toEqual([60, 120, 240, 480, 900, 900, 900]);
    expect((await source()).failures).toBe(7);
    script = () => false;
    await poll();
    expect(await source()).toMatchObject({ failures: 0, last_error: null });
    expect(Math.round((await source()).seconds)).toBe(60);
  });

  it('waits as long as Retry-After asks, within bounds', async () => {
    await ensureSources(db.pool, settings());
    script = (_, response) => Boolean(response.writeHead(429, { 'retry-after': '300' }).end());
    await poll();
    expect(Math.round((await source()).seconds)).toBe(300);
    expect((await source()).last_error).toMatch(/answered 429/);
    await db.pool.query('update sources set failures = 0');
    script = (_, response) => Boolean(response.writeHead(503, { 'retry-after': '86400' }).end());
    await poll({ random: () => 0.99 });
    expect((await source()).seconds).toBeLessThanOrEqual(1125);
    expect((await source()).seconds).toBeGreaterThan(900);
  });

  it('refuses an address inside the network unless the settings allow it', async () => {
    await ensureSources(db.pool, settings({ allowPrivateNetwork: false }));
    rows = cars(3);
    expect(await poll()).toEqual([]);
    expect((await source()).last_error).toMatch(/inside the own network/);
  });
});

describe('an append source', () => {
  it('goes on from its offset, also after a crash, and announces from the second read on', async () => {
    await ensureSources(db.pool, settings({ order: 'append' }));
    rows = cars(25).reverse();
    let pages = 0;
    const crashing: PollDeps['storeListings'] = (...given) => {
      pages += 1;
      if (pages === 2) throw new Error('killed');
      return storeListings(...given);
    };
    await expect(poll({ storeListings: crashing })).rejects.toThrow('killed');
    expect((await source()).cursor).toEqual({ offset: 10 });
    expect(await poll()).toEqual([10, 20, 25]);
    expect(await source()).toMatchObject({ cursor: { offset: 25 }, first_read_done: true });
    rows.push(car('new'));
    expect(await poll()).toEqual([25, 26]);
    const all = await stored();
    expect(all.map(({ external_id: id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(all.filter(({ announce }) => announce)).toEqual([expect.objectContaining({ external_id: 'new' })]);
  });

  it('reads a file on from where it was, and from the top when it was begun anew', async () => {
    const file = join(tmpdir(), `lotwatch-items-${process.pid}.json`);
    await ensureSources(db.pool, settings({ order: 'append', url: undefined, file }));
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

it('measures the lag of what is new, not of what a new source had before', async () => {
  await ensureSources(db.pool, settings());
  rows = [car('old', 9000, Date.now() - 90 * 86_400_000)];
  await poll();
  expect((await source()).lag_ms).toBeNull();
  rows = [car('a', 1, Date.now() - 1000), car('b', 1, Date.now() - 3000), car('c', 1, Date.now() - 60_000), ...rows];
  await poll();
  const lag = (await source()).lag_ms ?? 0;
  expect(lag).toBeGreaterThanOrEqual(3000);
  expect(lag).toBeLessThan(6000);
});

describe('many workers', () => {
  it('read one source once', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(5);
    let running = 0;
    let most = 0;
    script = ({ offset }, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        json(response, rows.slice(offset));
      }, 50);
      return true;
    };
    const polled = await Promise.all(Array.from({ length: 8 }, () => pollDueSources(deps)));
    expect(polled.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(most).toBe(1);
    expect(await pollDueSources(deps)).toBe(0);
    expect(await untilNextPoll(db.pool)).toBeGreaterThan(50_000);
  });

  it('do not wait for a slow source with the others', async () => {
    await ensureSources(db.pool, [
      ...settings(),
      ...['slow', 'quick'].flatMap((name) => settings({ name, url: url.replace('items', name) })),
    ]);
    rows = cars(5);
    const stop = new AbortController();
    const patient = { ...deps, fetchPage, signal: stop.signal };
    script = ({ message }) => message.url?.startsWith('/slow') ?? false;
    expect(await pollDueSources(patient)).toBe(2);
    await due();
    const start = performance.now();
    await pollDueSources(patient);
    expect((await source()).seconds).toBeGreaterThan(50);
    expect(performance.now() - start).toBeLessThan(4000);
    stop.abort();
    await expect.poll(() => db.pool.totalCount - db.pool.idleCount).toBe(0);
    const { rows: slow } = await db.pool.query(`select failures from sources where name = 'slow'`);
    expect(slow).toEqual([{ failures: 0 }]);
  });

  it('leave no lock behind, whatever goes wrong', async () => {
    await ensureSources(db.pool, settings());
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).resolves.toEqual([0]);
    rows = cars(2);
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
    const { rows: locks } = await db.pool.query(
      `select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(locks).toHaveLength(0);
    await due();
    expect(await pollDueSources(deps)).toBe(1);
    expect(await stored()).toHaveLength(2);
  });

  it('lose their hold with their connection, and then write nothing', async () => {
    await ensureSources(db.pool, settings());
    rows = cars(15);
    script = ({ offset }) => {
      if (offset === 10)
        void db.pool.query(
          `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()`,
        );
      return false;
    };
    await expect(poll()).rejects.toThrow();
    expect(await source()).toMatchObject({ failures: 0, last_success_at: null });
    script = () => false;
    expect(await poll()).toEqual([0, 10, 15]);
  });
});

describe('the configured sources', () => {
  it('forget validators of another address, and rest when they are configured no more', async () => {
    await ensureSources(db.pool, settings());
    await db.pool.query(
      `update sources set etag = 'x', cursor = '{"reach": 5}', next_poll_at = now() + interval '1 hour'`,
    );
    await ensureSources(db.pool, settings({ everySeconds: 30 }));
    expect(await source()).toMatchObject({ etag: 'x', cursor: { reach: 5 } });
    expect((await source()).seconds).toBeLessThanOrEqual(0);
    await ensureSources(db.pool, settings({ url: 'http://elsewhere.example/' }));
    expect((await source()).etag).toBeNull();
    await db.pool.query(`insert into sources (name, kind) values ('pushed', 'push')`);
    await ensureSources(db.pool, []);
    expect(await untilNextPoll(db.pool)).toBeNull();
    expect(await pollDueSources(deps)).toBe(0);
    await ensureSources(db.pool, settings());
    expect(await pollDueSources(deps)).toBe(1);
  });
});
