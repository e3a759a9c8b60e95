import { type IncomingMessage } from 'node:http';
import express from 'express';
import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { serverOfTest, setUpServer } from '../../../test/set-up.ts';
import { photoPaths } from '../../domain/photo-paths.ts';
import { photoType } from '../../vendors/photos/read-photo.ts';
import { photoRoute } from './photo-route.ts';

let seen: IncomingMessage[] = [];
let ids: number[];
const seller = setUpServer((request, response) => {
  seen.push(request);
  if (request.url !== '/broken.jpg') response.end(jpeg);
  else response.writeHead(404).end();
});
let jpeg: Buffer;

const api = setUpApi({}, async () => {
  jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a0' } })
    .jpeg()
    .toBuffer();
  const settings = JSON.stringify({ url: `${seller.url}/items`, allowPrivateNetwork: true });
  await api.db.pool.query("insert into sources (name, kind, settings) values ('lot', 'marketplace-items', $1)", [
    settings,
  ]);
  const images = [`${seller.url}/1.jpg`, `${seller.url}/broken.jpg`, 'http://localhost:4000/demo/photos/1-a/0.svg'];
  const cars = [buildFacts({ images }), buildFacts({ images: [] })];
  const stored = [
    await storePage(api.db.pool, 'lot', cars),
    await storePage(api.db.pool, 'stranger', [buildFacts({ images })]),
  ];
  ids = stored.flatMap(({ results }) => results.map(({ listingId }) => listingId ?? 0));
});
beforeEach(() => {
  seen = [];
});

const pathsOf = (id: number, images = [`${seller.url}/1.jpg`, `${seller.url}/broken.jpg`]) =>
  photoPaths({ secret: api.linkSecret, publicUrl: 'http://localhost:4000' }, { id, images });
const get = (path = '', init: RequestInit = {}) => fetch(api.url + path, init);

it('serves a photo of a listing, which browsers cache and in which nothing can run', async () => {
  const [path] = pathsOf(ids[0] ?? 0);
  const answer = await get(path, { headers: { cookie: 'lotwatch_session=x', referer: 'https://lotwatch.example/me' } });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(jpeg);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=604800',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
  });
  const again = await get(path, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.headers).not.toHaveProperty('cookie');
  expect(seen[0]?.headers).not.toHaveProperty('referer');
  const head = await get(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(jpeg.length)]);
});

it('lets pages of other origins, such as webmail, show photos, and nothing else', async () => {
  const policyOf = async (path = '') => (await get(path)).headers.get('cross-origin-resource-policy');
  expect(await policyOf(pathsOf(ids[0] ?? 0)[0])).toBe('cross-origin');
  for (const path of [
    '/',
    '/favicon.svg',
    '/api/status',
    '/api/openapi.json',
    '/graphql?query={me{id}}',
    '/m/x',
    '/dev/outbox',
  ]) {
    expect([path, await policyOf(path)]).toEqual([path, 'same-origin']);
  }
});

it('serves only photos of stored listings, under signed paths', async () => {
  const [path = ''] = pathsOf(ids[0] ?? 0);
  const paths = [
    ...pathsOf(ids[1] ?? 0),
    ...pathsOf(ids[2] ?? 0),
    ...pathsOf(999_999),
    path.replace('/photos/', '/photos/1'),
    path.replace('/0?', '/7?'),
    path.replace('/0?', '/00x?'),
    path.replace(/-[\w-]{16}/, '-AAAAAAAAAAAAAAAA'),
    `/photos/${encodeURIComponent(`${seller.url}/1.jpg`)}/0`,
    `/photos/?url=${seller.url}/1.jpg`,
  ];
  for (const asked of paths) {
    const answer = await get(asked);
    expect([asked, answer.status, answer.headers.get('content-type')]).toEqual([
      asked,
      404,
      expect.stringContaining('text/'),
    ]);
  }
  expect(seen).toEqual([]);
});

it('serves a photo in a width, in the best format that the browser names', async () => {
  const [path = ''] = pathsOf(ids[0] ?? 0);
  const typeOf = async (query: string, accept?: string) => {
    const answer = await get(`${path}${query}`, accept === undefined ? {} : { headers: { accept } });
    const type = photoType(Buffer.from(await answer.arrayBuffer()));
    expect([answer.status, type]).toEqual([200, answer.headers.get('content-type')]);
    return [type, answer.headers.get('vary')?.includes('Accept,') || answer.headers.get('vary')?.endsWith('Accept')];
  };
  const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
  expect(await typeOf('&w=320', chrome)).toEqual(['image/avif', true]);
  expect(await typeOf('&w=320', 'image/webp,*/*')).toEqual(['image/webp', true]);
  expect(await typeOf('&w=320', 'image/avif;q=0,image/webp,*/*')).toEqual(['image/webp', true]);
  expect(await typeOf('&w=320', '*/*')).toEqual(['image/jpeg', true]);
  expect((await typeOf('&w=320&format=jpeg', chrome))[0]).toBe('image/jpeg');
  expect((await typeOf('', chrome))[0]).toBe('image/jpeg');
  const [one, other] = await Promise.all(
    ['image/avif', 'image/webp'].map((accept) => get(`${path}&w=320`, { headers: { accept } })),
  );
  expect(one?.headers.get('etag')).not.toBe(other?.headers.get('etag'));
  expect(one?.headers.get('cache-control')).toBe('public, max-age=604800');
});

it('refuses widths and formats that it does not have, and fetches nothing for them', async () => {
  const [path = ''] = pathsOf(ids[0] ?? 0);
  const widths = [
    '',
    '0',
    '321',
    '-320',
    '320.0',
    '0320',
    '3e2',
    '1e9',
    '99999999999',
    ' 320',
    '320&w=480',
    'NaN',
    '%00',
  ];
  for (const query of [...widths.map((one) => `&w=${one}`), '&w[]=320', '&w=320&format=png', '&format=jpeg']) {
    const answer = await get(path + query);
    // Of other parameters, such as `w[]`, nothing is read.
    const isOther = query.startsWith('&w[]');
    expect([query, answer.status]).toEqual([query, isOther ? 200 : 400]);
    if (!isOther) expect([query, await answer.json()]).toMatchObject([query, { code: 'VALIDATION' }]);
  }
  const [unsigned] = pathsOf(999_999);
  expect((await get(`${unsigned}&w=320`)).status).toBe(404);
});

it('answers 404 for a broken photo, and does not fetch it again at once', async () => {
  const [, path] = pathsOf(ids[0] ?? 0);
  for (let time = 0; time < 3; time++) {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'public, max-age=300']);
  }
  expect(seen).toHaveLength(1);
});

it('limits the photos of a network', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1' } });
  const statuses: number[] = [];
  for (let time = 0; time < 12; time++) statuses.push((await fetch(`${limited.url}/photos/1-x/0`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
  await limited.close();
});

it('tells the network of the viewer, for which photos are scaled in turn', async () => {
  const networks: unknown[] = [];
  const route = photoRoute({
    secret: api.linkSecret,
    find: async () => ({ url: `${seller.url}/1.jpg`, allowPrivateNetwork: true }),
    cache: {
      async get(_address, size, network) {
        networks.push([size?.width, network]);
        return { bytes: jpeg, type: 'image/jpeg', tag: 'x', isAsAsked: true };
      },
      close() {},
    },
    limits: { photo: async () => {} },
    addressOf: () => '2001:db8::17',
  });
  const url = await serverOfTest(express().use(route));
  expect((await fetch(`${url}${pathsOf(1)[0]}&w=320`)).status).toBe(200);
  expect(networks).toEqual([[320, '2001:db8:0:0::/64']]);
});

it('has its path in what a buyer reads of a listing, with the seller’s URLs', async () => {
  const { browser } = await api.user('looker');
  const alertId = await browser.createAlert();
  await insertMatches(api.db.pool, alertId, [ids[0] ?? 0]);
  const asked = await browser.gql('query ($id: ID!) { listing(id: $id) { imageUrl images photos } }', {
    id: String(ids[0]),
  });
  const { imageUrl, images, photos } = asked.data.listing;
  expect([imageUrl, images[1]]).toEqual([`${seller.url}/1.jpg`, `${seller.url}/broken.jpg`]);
  expect(photos).toEqual(pathsOf(ids[0] ?? 0, images));
  expect(photos[2]).toBe('/demo/photos/1-a/0.svg');
  expect(JSON.stringify(photos)).not.toContain('127.0.0.1');
});

it.each([
  ['site', (home: string) => ({ site: home })],
  ['sitemap', (home: string) => ({ sitemap: `${home}/sitemap.xml` })],
  ['pages', (home: string) => ({ pages: [`${home}/cars/1`] })],
])('serves the photos of a site in the own network that is read by its %s', async (name, settingsOf) => {
  const settings = JSON.stringify({ ...settingsOf(seller.url), allowPrivateNetwork: true });
  await api.db.pool.query("insert into sources (name, kind, settings) values ($1, 'vehicle-pages', $2)", [
    name,
    settings,
  ]);
  const image = `${seller.url}/of-a-${name}.jpg`;
  const stored = await storePage(api.db.pool, name, [buildFacts({ images: [image] })]);
  const answer = await get(pathsOf(stored.results[0]?.listingId ?? 0, [image])[0]);
  expect([answer.status, seen.map(({ url }) => url)]).toEqual([200, [`/of-a-${name}.jpg`]]);
});
