import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPhotoCache, type PhotoCache } from './photo-cache.ts';

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
