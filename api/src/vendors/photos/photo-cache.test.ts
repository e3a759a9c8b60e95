import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serverOfTest, setUpFolder } from '../../../test/set-up.ts';
import { type PhotoWidth, photoWidths } from '../../domain/photo-sizes.ts';
import { openPhotoCache, type PhotoCache } from './photo-cache.ts';
import { UnreadablePhoto } from './read-photo.ts';
import { type PhotoScaler, UnscalablePhoto } from './scale-photo.ts';

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

describe('a size of a photo', () => {
  const scaled = Buffer.concat([Buffer.from('RIFF....WEBP'), Buffer.alloc(100)]);
  const size = { width: 320, format: 'webp' } as const;
  let asked: string[];
  let scale: PhotoScaler['scale'];
  const openWith = (options: Partial<Parameters<typeof openPhotoCache>[0]> = {}, place = String(++made)) =>
    openPhotoCache({
      folder: join(folder, place),
      maxBytes: 1e6,
      scaler: {
        scale: (bytes, as) => {
          asked.push(`${as.format} ${as.width}`);
          return scale(bytes, as);
        },
        close() {},
      },
      ...options,
    });
  beforeEach(() => {
    asked = [];
    scale = async () => scaled;
  });

  it('is made once for concurrent requests, and not again after a restart, from one fetch for all sizes', async () => {
    const one = await openWith();
    const photos = await Promise.all(Array.from({ length: 50 }, () => one.get(photo(), size)));
    expect(
      photos.every(({ bytes, type, isAsAsked }) => bytes.equals(scaled) && type === 'image/webp' && isAsAsked),
    ).toBe(true);
    expect((await one.get(photo(), { width: 640, format: 'avif' })).tag).not.toBe(photos[0]?.tag);
    expect((await one.get(photo())).bytes).toEqual(jpeg);
    expect(asked).toEqual(['webp 320', 'avif 640']);
    const other = await openWith({}, String(made));
    expect((await other.get(photo(), size)).bytes).toEqual(scaled);
    expect([asked.length, seen.length]).toEqual([2, 1]);
  });

  it('is stored no longer than the photo that it was made of', async () => {
    const place = String(++made);
    await (await openWith({}, place)).get(photo());
    const [original = ''] = readdirSync(join(folder, place));
    const before = new Date(Date.now() - 20 * 86_400_000);
    utimesSync(join(folder, place, original), before, before);
    await (await openWith({}, place)).get(photo(), size);
    const times = readdirSync(join(folder, place)).map((name) => statSync(join(folder, place, name)).mtimeMs);
    expect(times).toEqual([before.getTime(), before.getTime()]);
  });

  it('is made one at a time, and those that would wait too long get the seller’s own bytes', async () => {
    let running = 0;
    let most = 0;
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    scale = async () => {
      most = Math.max(most, ++running);
      await mayEnd;
      running -= 1;
      return scaled;
    };
    const one = await openWith({ scaling: { atOnce: 1, perHost: 1, waiting: 2, timeoutMs: 10_000 } });
    await one.get(photo());
    const all = [320, 480, 640, 960, 1280].map((width) => one.get(photo(), { width: width as 320, format: 'webp' }));
    const unscaled = await Promise.race(all);
    expect([unscaled.isAsAsked, unscaled.type]).toEqual([false, 'image/jpeg']);
    end();
    expect((await Promise.all(all)).map(({ isAsAsked }) => isAsAsked).sort()).toEqual([false, false, true, true, true]);
    expect(most).toBe(1);
  });

  it('of an unreadable photo is a fault, and is not tried again at once', async () => {
    scale = async () => {
      throw new UnreadablePhoto('broken');
    };
    const one = await openWith();
    expect([await fault(one.get(photo(), size)), await fault(one.get(photo(), size))]).toEqual([true, true]);
    expect([asked.length, seen.length]).toEqual([1, 1]);
    expect((await one.get(photo())).bytes).toEqual(jpeg);
  });

  it('is replaced by the seller’s own bytes when none can be made', async () => {
    scale = async () => {
      throw new Error('The process ended.');
    };
    const one = await openWith();
    for (let time = 0; time < 2; time++)
      expect(await one.get(photo(), size)).toMatchObject({ bytes: jpeg, type: 'image/jpeg', isAsAsked: false });
    expect([asked.length, seen.length]).toEqual([1, 1]);
  });

  it('is made of one fetch when the disk takes nothing', async () => {
    const one = await openWith();
    rmSync(join(folder, String(made)), { recursive: true });
    const widths = [320, 480, 640] as const;
    for (const width of widths) expect((await one.get(photo(), { ...size, width })).isAsAsked).toBe(true);
    expect([asked.length, seen.length]).toEqual([3, 1]);
  });

  it('does not keep others from being scaled while a photo that was removed is fetched again', async () => {
    const place = String(++made);
    const one = await openWith({ scaling: { atOnce: 1, perHost: 1, waiting: 9, timeoutMs: 1_000 } }, place);
    await one.get(photo());
    for (const name of readdirSync(join(folder, place))) rmSync(join(folder, place, name));
    await one.get(photo('/2.jpg'));
    const { promise: isFetched, resolve: fetched } = Promise.withResolvers<void>();
    answer = () => fetched();
    const removed = one.get(photo(), size);
    await isFetched;
    expect((await one.get(photo('/2.jpg'), size)).isAsAsked).toBe(true);
    one.close();
    await expect(removed).rejects.toThrow('LotWatch is ending');
  });

  it('is not tried in any size for an hour once the photo took too long or too much', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    scale = async () => {
      throw new UnscalablePhoto('Scaling the photo takes too long.');
    };
    const one = await openWith();
    const all = () => Promise.all(photoWidths.map((width) => one.get(photo(), { ...size, width })));
    for (const minutes of [0, 1, 58]) {
      vi.advanceTimersByTime(minutes * 60_000);
      expect((await all()).every(({ bytes, isAsAsked }) => bytes.equals(jpeg) && !isAsAsked)).toBe(true);
      expect([asked.length, seen.length]).toEqual([1, 1]);
    }
    scale = async () => scaled;
    vi.advanceTimersByTime(60_000);
    expect((await all()).every(({ isAsAsked }) => isAsAsked)).toBe(true);
  });

  it('is made for networks in turn, and once for all of them', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    scale = () => mayEnd.then(() => scaled);
    const one = await openWith();
    await Promise.all([one.get(photo()), one.get(photo('/2.jpg'))]);
    const ended: string[] = [];
    const get = async (path: string, width: PhotoWidth, network: string) => {
      const { isAsAsked } = await one.get(photo(path), { ...size, width }, network);
      ended.push(`${network} ${path} ${width} ${isAsAsked}`);
    };
    const eager = photoWidths.map((width) => get('/1.jpg', width, 'eager'));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    // One for which the other client waits too, and one for which it does not.
    const all = [...eager, get('/1.jpg', 1280, 'one'), get('/2.jpg', 320, 'other')];
    // Each of them waits for its turn now.
    await setImmediate();
    end();
    await Promise.all(all);
    expect(ended.slice(2, 4)).toEqual(['one /1.jpg 1280 true', 'other /2.jpg 320 true']);
    expect(asked).toHaveLength(6);
  });

  it('of a photo that can’t be fetched is the same fault', async () => {
    answer = (response) => response.writeHead(404).end();
    const one = await openWith();
    expect([await fault(one.get(photo(), size)), await fault(one.get(photo(), size))]).toEqual([true, true]);
    expect([asked.length, seen.length]).toEqual([0, 1]);
  });
});
