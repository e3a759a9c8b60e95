import { expect, it } from 'vitest';
import { photoAddress, photoPaths, readPhotoPath } from './photo-paths.ts';

const site = { secret: 'a secret', publicUrl: 'http://localhost:4000' };
const seller = 'https://photos.seller.example/1.jpg?token=abc';
const partsOf = (path: string) => {
  const { pathname } = new URL(path, site.publicUrl);
  const [, , name = '', index = ''] = pathname.split('/');
  return { name, index };
};

it('makes paths that hide the URLs of the seller, and reads them back', () => {
  const paths = photoPaths(site, { id: 12, images: ['http://seller.example/0.png', seller] });
  expect(paths).toHaveLength(2);
  for (const path of paths) expect(path).toMatch(/^\/photos\/12-[\w-]{16}\/[01]\?v=[\w-]{8}$/);
  const read = paths.map(partsOf).map(({ name, index }) => readPhotoPath(site.secret, name, index));
  expect(read).toEqual([
    { listingId: 12, index: 0 },
    { listingId: 12, index: 1 },
  ]);
});

it('changes a path with the URLs, so that no browser caches an old photo', () => {
  const [before] = photoPaths(site, { id: 12, images: [seller] });
  const [after] = photoPaths(site, { id: 12, images: [`${seller}2`] });
  expect(after).not.toBe(before);
  expect(partsOf(after ?? '')).toEqual(partsOf(before ?? ''));
});

it('keeps the paths of pictures on our own server, and leaves out what is no HTTP URL', () => {
  const images = [
    'http://localhost:4000/demo/photos/1-a/0.svg',
    'http://localhost:4000/favicon.svg?2',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'http://localhost:4000/api/alerts',
    'http://localhost:4000/demo/../api/x?y=.png',
    'http://localhost:4000.evil.example/a.png',
  ];
  const paths = photoPaths(site, { id: 3, images });
  expect(paths.map((path) => path.replace(/-[\w-]{16}/, '').replace(/\?.*/, ''))).toEqual([
    '/demo/photos/1-a/0.svg',
    '/favicon.svg',
    '/photos/3/4',
    '/photos/3/5',
    '/photos/3/6',
  ]);
  expect(photoPaths(site, { id: 3, images: [] })).toEqual([]);
});

it('refuses a path that was not signed', () => {
  const { name } = partsOf(photoPaths(site, { id: 12, images: [seller] })[0] ?? '');
  const [, mark = ''] = /^12-(.*)$/.exec(name) ?? [];
  for (const other of [
    `13-${mark}`,
    '12',
    `12-${mark.slice(1)}`,
    `12-${mark}x`,
    `012-${mark}`,
    `-12-${mark}`,
    `1e1-${mark}`,
  ])
    expect([other, readPhotoPath(site.secret, other, '0')]).toEqual([other, null]);
  for (const index of ['-1', '1.5', '100', '', '0x1', 'NaN'])
    expect([index, readPhotoPath(site.secret, name, index)]).toEqual([index, null]);
  expect(readPhotoPath('another secret', name, '0')).toBeNull();
  expect(readPhotoPath(['another secret', site.secret], name, '0')).toEqual({ listingId: 12, index: 0 });
});

const privateSource = { url: 'http://10.0.0.5:81/items', allowPrivateNetwork: true };
it.each([
  ['https://photos.example/1.jpg', null, { url: 'https://photos.example/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', privateSource, { url: 'http://10.0.0.5:81/p/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.5:82/1.jpg', privateSource, { url: 'http://10.0.0.5:82/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.6/1.jpg', privateSource, { url: 'http://10.0.0.6/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', null, null],
  ['data:image/png;base64,AA', privateSource, null],
  ['file:///etc/passwd', privateSource, null],
])('fetches the photo %s of source %j from %j', (image, source, address) => {
  expect(photoAddress(image, source)).toEqual(address);
});
