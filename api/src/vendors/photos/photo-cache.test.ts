import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPhotoCache, openPhotoFolder, type PhotoCache } from './photo-cache.ts';

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a0' } })
    .jpeg()
    .toBuffer();
});

const folder = mkdtempSync(join(tmpdir(), 'lotwatch-photo-cache-'));
let seen: IncomingMessage[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
let server: ReturnType<typeof createServer>;
let home: string;
let cache: PhotoCache;
let made = 0;
const open = (place = String(++made)) => openPhotoCache({ folder: join(folder, place), maxBytes: 1e6 });
beforeEach(async () => {
  seen = [];
  answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(jpeg);
  server = createServer((request, response) => {
    seen.push(request);
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cache = await open();
  return () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => cache.close());
const photo = (path = '/1.jpg') => ({ url: home + path, allowPrivateNetwork: true });
const fault = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    ({ isFinal }: { isFinal?: boolean }) => isFinal,
  );

it('fetches a photo once for many who ask at once, and not again after a restart', async () => {
  const photos = await Promise.all(Array.from({ length: 50 }, () => cache.get(photo())));
  expect(photos.every(({ bytes, type }) => bytes.equals(jpeg) && type === 'image/jpeg')).toBe(true);
  expect(seen).toHaveLength(1);
  expect((await (await open(String(made))).get(photo())).bytes).toEqual(jpeg);
  expect(seen).toHaveLength(1);
  expect(new Set([...photos.map(({ tag }) => tag), (await cache.get(photo('/2.jpg'))).tag]).size).toBe(2);
});

it('tells the seller nothing of who looks', async () => {
  await cache.get(photo());
  const { host: _host, ...headers } = seen[0]?.headers ?? {};
  expect(headers).toEqual({
    'user-agent': 'LotWatch/1.0',
    accept: 'image/avif,image/webp,image/jpeg,image/png,image/gif',
    'accept-encoding': 'gzip, br, deflate',
    connection: 'close',
  });
});

it.each([
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/jpeg'],
  ['a page', '<!doctype html><script>alert(1)</script>', 'image/png'],
  ['nothing', '', 'image/webp'],
  ['a document', '%PDF-1.7', 'image/gif'],
])('takes %s for no photo, whatever it is called, and keeps none of it', async (_what, body, type) => {
  answer = (response) => response.writeHead(200, { 'content-type': type }).end(body);
  expect(await fault(cache.get(photo()))).toBe(true);
  expect(await fault(cache.get(photo()))).toBe(true);
  expect(seen).toHaveLength(1);
  expect(readdirSync(join(folder, String(made)))).toEqual([]);
});

it('takes nothing that is too large, cut or missing', async () => {
  answer = (response) => response.writeHead(200).end(Buffer.concat([jpeg, Buffer.alloc(10 * 1024 * 1024)]));
  expect(await fault(cache.get(photo('/large')))).toBe(true);
  answer = (response) => {
    response.writeHead(200, { 'content-length': 10_000 }).write(jpeg);
    setTimeout(() => response.destroy(), 20);
  };
  expect(await fault(cache.get(photo('/cut')))).toBe(false);
  answer = (response) => response.writeHead(404).end();
  expect(await fault(cache.get(photo('/missing')))).toBe(true);
  answer = (response) => response.writeHead(503).end();
  expect(await fault(cache.get(photo('/later')))).toBe(false);
  expect(readdirSync(join(folder, String(made)))).toEqual([]);
});

it('keeps what lies inside apart: who may not read there gets nothing of it', async () => {
  await cache.get(photo());
  expect(await fault(cache.get({ ...photo(), allowPrivateNetwork: false }))).toBe(true);
  answer = (response, request) =>
    request.url === '/1.jpg' ? response.end(jpeg) : response.writeHead(302, { location: '/1.jpg' }).end();
  expect(await fault(cache.get({ url: `${home}/moved`, allowPrivateNetwork: false }))).toBe(true);
  expect((await cache.get(photo('/moved'))).bytes).toEqual(jpeg);
});

it('ends what is under way when LotWatch ends', async () => {
  answer = () => {};
  const asked = cache.get(photo());
  setTimeout(() => cache.close(), 30);
  await expect(asked).rejects.toThrow('LotWatch is ending');
});

describe('the folder', () => {
  const DAY = 86_400_000;
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'lotwatch-photos-')), 'photos');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const name = (text: string) => createHash('sha256').update(text).digest('hex');
  const photo = (size: number) => Buffer.alloc(size, 1);
  const BLOCK = 4096;
  const onDisk = () =>
    readdirSync(folder).reduce((sum, file) => sum + Math.ceil(statSync(join(folder, file)).size / BLOCK) * BLOCK, 0);

  it('holds no more than it may, and lets go of what was asked for longest ago', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (const one of ['a', 'b', 'c']) await kept.keep(name(one), photo(10_000));
    expect(await kept.read(name('a'))).toEqual(photo(10_000));
    await kept.keep(name('d'), photo(10_000));
    const there = await Promise.all(['a', 'b', 'c', 'd'].map(async (one) => (await kept.read(name(one))) !== null));
    expect(there).toEqual([true, false, true, true]);
    for (let one = 0; one < 50; one++) {
      await kept.keep(name(String(one)), photo(1 + ((one * 3_700) % 16_000)));
      expect(onDisk()).toBeLessThanOrEqual(10 * BLOCK);
      expect(kept.size()).toBe(onDisk());
    }
    // Kept again in another size it counts once.
    await kept.keep(name('49'), photo(10));
    expect(kept.size()).toBe(onDisk());
  });

  it('holds no more files than blocks, however small they are', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (let one = 0; one < 100; one++) await kept.keep(name(String(one)), photo(12));
    expect(readdirSync(folder)).toHaveLength(10);
  });

  it('finds after a restart what it kept, bounds it anew, and clears away what was left half written', async () => {
    const before = await openPhotoFolder(folder, 10_000, DAY);
    for (const one of ['old', 'new']) await before.keep(name(one), photo(400));
    utimesSync(join(folder, name('old')), new Date(), new Date(Date.now() - DAY / 2));
    const draft = join(folder, `${name('draft')}.x.new`);
    writeFileSync(draft, photo(5_000));
    utimesSync(draft, new Date(), new Date(Date.now() - DAY));
    writeFileSync(join(folder, 'of an operator.txt'), 'x');
    const after = await openPhotoFolder(folder, BLOCK, DAY);
    expect(await after.read(name('new'))).toEqual(photo(400));
    expect(await after.read(name('old'))).toBeNull();
    expect(readdirSync(folder).sort()).toEqual([name('new'), 'of an operator.txt'].sort());
  });

  it('gives nothing that is too old, and nothing that somebody has taken away', async () => {
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    await kept.keep(name('a'), photo(4));
    rmSync(join(folder, name('a')));
    expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
    await kept.keep(name('b'), photo(4));
    utimesSync(join(folder, name('b')), new Date(), new Date(Date.now() - 2 * DAY));
    const later = await openPhotoFolder(folder, 10_000, DAY);
    expect([await later.read(name('b')), existsSync(join(folder, name('b')))]).toEqual([null, false]);
  });

  it('shows what the disk does not take', async () => {
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    rmSync(folder, { recursive: true });
    await kept.keep(name('a'), photo(4));
    expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
  });
});
