import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePhoto, UnreadablePhoto } from './read-photo.ts';

const half = sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } }).composite([
  { input: { create: { width: 200, height: 200, channels: 3, background: '#000' } }, left: 0, top: 0 },
]);
const left = async (bytes: Uint8Array) => {
  const { pixels, width, height } = await decodePhoto(bytes);
  return [width, height, (pixels[10] ?? 0) < 20, (pixels[250] ?? 0) > 235];
};

describe('a photo', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is decoded from %s', async (format) => {
    expect(await left(await half.clone().toFormat(format).toBuffer())).toEqual([256, 256, true, true]);
  });

  it('is turned as its camera was held', async () => {
    const turned = await half.clone().rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    expect(await left(turned)).toEqual([256, 256, true, true]);
  });
});

describe('a file', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
  it.each([
    ['a drawing', Buffer.from(svg)],
    ['a drawing after a declaration', Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['a document', Buffer.from('%PDF-1.7')],
    ['nothing', Buffer.alloc(0)],
    ['a lie', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)])],
  ])('is not decoded if it is %s', async (_name, bytes) => {
    await expect(decodePhoto(bytes)).rejects.toBeInstanceOf(UnreadablePhoto);
  });

  it('is not decoded if it is a cut photo', async () => {
    const whole = await half.clone().jpeg().toBuffer();
    await expect(decodePhoto(whole.subarray(0, whole.length / 2))).rejects.toBeInstanceOf(UnreadablePhoto);
  });

  it('is not decoded if it is small with a huge picture', async () => {
    const huge = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(huge.length).toBeLessThan(1_000_000);
    await expect(decodePhoto(huge)).rejects.toBeInstanceOf(UnreadablePhoto);
  });
});
