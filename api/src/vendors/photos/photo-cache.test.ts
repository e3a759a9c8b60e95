import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { folderOfTest, serverOfTest, setUpFolder } from '../../../test/set-up.ts';
import { openPhotoCache, openPhotoFolder, type PhotoCache } from './photo-cache.ts';

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a0' } })
    .jpeg()
    .toBuffer();
});

const folder = setUpFolder();
let seen: IncomingMessage[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
let home: string;
let cache: PhotoCache;
let made = 0;
const open = (place = String(++made)) => openPhotoCache({ folder: join(folder, place), maxBytes: 1e6 });
beforeEach(async () => {
  seen = [];
  answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(jpeg);
  home = await serverOfTest((request, response) => {
    seen.push(request);
    answer(response, request);
  });
  cache = await open();
});
afterEach(() => cache.close());
const photo = (path = '/1.jpg') => ({ url: home + path, allowPrivateNetwork: true });
const fault = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    ({ isFinal }: { isFinal?: boolean }) => isFinal,
  );

it('fetches a photo once for concurrent requests, and not again after a restart', async () => {
  const photos = await Promise.all(Array.from({ length: 50 }, () => cache.get(photo())));
  expect(photos.every(({ bytes, type }) => bytes.equals(jpeg) && type === 'image/jpeg')).toBe(true);
  expect(seen).toHaveLength(1);
  expect((await (await open(String(made))).get(photo())).bytes).toEqual(jpeg);
  expect(seen).toHaveLength(1);
  expect(new Set([...photos.map(({ tag }) => tag), (await cache.get(photo('/2.jpg'))).tag]).size).toBe(2);
});

it('sends nothing about the viewer to the seller', async () => {
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
])('refuses %s whatever its name, and does not store it', async (_what, body, type) => {
  answer = (response) => response.writeHead(200, { 'content-type': type }).end(body);
  expect(await fault(cache.get(photo()))).toBe(true);
  expect(await fault(cache.get(photo()))).toBe(true);
  expect(seen).toHaveLength(1);
  expect(readdirSync(join(folder, String(made)))).toEqual([]);
});

it('refuses photos that are too large, cut or missing', async () => {
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

it('separates photos of a private network from others', async () => {
  await cache.get(photo());
  expect(await fault(cache.get({ ...photo(), allowPrivateNetwork: false }))).toBe(true);
  answer = (response, request) =>
    request.url === '/1.jpg' ? response.end(jpeg) : response.writeHead(302, { location: '/1.jpg' }).end();
  expect(await fault(cache.get({ url: `${home}/moved`, allowPrivateNetwork: false }))).toBe(true);
  expect((await cache.get(photo('/moved'))).bytes).toEqual(jpeg);
});

it('aborts running fetches when it is closed', async () => {
  answer = () => {};
  const asked = cache.get(photo());
  setTimeout(() => cache.close(), 30);
  await expect(asked).rejects.toThrow('LotWatch is ending');
});

describe('the folder', () => {
  const DAY = 86_400_000;
  let folder: string;
  beforeEach(() => {
    folder = join(folderOfTest(), 'photos');
  });

  const name = (text: string) => createHash('sha256').update(text).digest('hex');
  const photo = (size: number) => Buffer.alloc(size, 1);
  const BLOCK = 4096;
  const onDisk = () =>
    readdirSync(folder).reduce((sum, file) => sum + Math.ceil(statSync(join(folder, file)).size / BLOCK) * BLOCK, 0);

  it('stays below its maximum size, and evicts the least recently used photos', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (const one of ['a', 'b', 'c']) await kept.store(name(one), photo(10_000));
    expect(await kept.read(name('a'))).toEqual(photo(10_000));
    await kept.store(name('d'), photo(10_000));
    const there = await Promise.all(['a', 'b', 'c', 'd'].map(async (one) => (await kept.read(name(one))) !== null));
    expect(there).toEqual([true, false, true, true]);
    for (let one = 0; one < 50; one++) {
      await kept.store(name(String(one)), photo(1 + ((one * 3_700) % 16_000)));
      expect(onDisk()).toBeLessThanOrEqual(10 * BLOCK);
      expect(kept.size()).toBe(onDisk());
    }
    // Stored again with another size, it counts once.
    await kept.store(name('49'), photo(10));
    expect(kept.size()).toBe(onDisk());
  });

  it('counts each small file as a block', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (let one = 0; one < 100; one++) await kept.store(name(String(one)), photo(12));
    expect(readdirSync(folder)).toHaveLength(10);
  });

  it('finds its photos after a restart, applies the limit, and removes half-written files', async () => {
    const before = await openPhotoFolder(folder, 10_000, DAY);
    for (const one of ['old', 'new']) await before.store(name(one), photo(400));
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

  it('returns no photo that is too old, or was deleted', async () => {
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    await kept.store(name('a'), photo(4));
    rmSync(join(folder, name('a')));
    expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
    await kept.store(name('b'), photo(4));
    utimesSync(join(folder, name('b')), new Date(), new Date(Date.now() - 2 * DAY));
    const later = await openPhotoFolder(folder, 10_000, DAY);
    expect([await later.read(name('b')), existsSync(join(folder, name('b')))]).toEqual([null, false]);
  });

  it('returns a photo that can’t be stored', async () => {
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    rmSync(folder, { recursive: true });
    await kept.store(name('a'), photo(4));
    expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
  });
});
