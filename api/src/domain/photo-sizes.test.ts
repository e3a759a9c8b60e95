import { expect, it } from 'vitest';
import { jpegInWidth, photoInWidth, photoSrcSet } from './photo-sizes.ts';

const path = '/photos/12-abcdefghijklmnop/0?v=12345678';

it('names each width of a photo with its signed path', () => {
  expect(photoSrcSet(path)).toBe(
    `${path}&w=320 320w, ${path}&w=480 480w, ${path}&w=640 640w, ${path}&w=960 960w, ${path}&w=1280 1280w`,
  );
  expect(photoInWidth(path, 640)).toBe(`${path}&w=640`);
  expect(jpegInWidth(`https://lotwatch.example${path}`, 960)).toBe(`https://lotwatch.example${path}&w=960&format=jpeg`);
});

it.each(['/demo/photos/1-a/0.svg', '/favicon.svg', 'https://elsewhere.example/a.jpg?u=/photos/1', '/photosque/1'])(
  'leaves %s as it is, which has one size',
  (address) => {
    expect([photoSrcSet(address), photoInWidth(address, 320), jpegInWidth(address, 320)]).toEqual([
      undefined,
      address,
      address,
    ]);
  },
);
