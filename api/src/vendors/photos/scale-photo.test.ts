import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { photoType, UnreadablePhoto } from './read-photo.ts';
import { makePhotoScaler, type PhotoScaler, UnscalablePhoto } from './scale-photo.ts';

/** Left black, right white. */
const half = sharp({ create: { width: 800, height: 400, channels: 3, background: '#fff' } }).composite([
  { input: { create: { width: 400, height: 400, channels: 3, background: '#000' } }, left: 0, top: 0 },
]);

const scaler = makePhotoScaler();
const { scale } = scaler;
afterAll(() => scaler.close());

const children = (): number[] => {
  try {
    return execFileSync('pgrep', ['-P', String(process.pid), '-f', 'scale-photo-child'])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
};

async function look(bytes: Buffer) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return [info.width, info.height, (data[10] ?? 0) < 30, (data[info.width - 10] ?? 0) > 225];
}

describe('a photo', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is scaled from %s', async (from) => {
    const scaled = await scale(await half.clone().toFormat(from).toBuffer(), { width: 320, format: 'webp' });
    expect([photoType(scaled), ...(await look(scaled))]).toEqual(['image/webp', 320, 160, true, true]);
  });

  it.each(['jpeg', 'avif'] as const)('is scaled to %s', async (format) => {
    const scaled = await scale(await half.clone().jpeg().toBuffer(), { width: 320, format });
    expect([photoType(scaled), ...(await look(scaled))]).toEqual([`image/${format}`, 320, 160, true, true]);
    expect(children()).toHaveLength(1);
  });

  it('is turned as its camera was held, and loses what the camera wrote', async () => {
    const camera = { IFD0: { Make: 'A camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '34/1 3/1 0/1' } };
    const turned = await half.clone().rotate(90).withExif(camera).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    const scaled = await scale(turned, { width: 480, format: 'jpeg' });
    expect(await look(scaled)).toEqual([480, 240, true, true]);
    expect((await sharp(scaled).metadata()).exif).toBeUndefined();
  });

  it('is not enlarged, and at most twice as high as wide', async () => {
    const small = await half.clone().jpeg().toBuffer();
    expect(await look(await scale(small, { width: 1280, format: 'webp' }))).toEqual([800, 400, true, true]);
    const tall = await sharp({ create: { width: 700, height: 3000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect((await sharp(await scale(tall, { width: 320, format: 'jpeg' })).metadata()).height).toBe(640);
  });

  it('that moves is its first picture', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 400, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = [await frame('#000'), await frame('#fff')];
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const scaled = await scale(moving, { width: 320, format: 'webp' });
    expect((await sharp(scaled).metadata()).pages ?? 1).toBe(1);
    expect((await sharp(scaled).greyscale().raw().toBuffer())[0]).toBeLessThan(20);
  });
});

it('refuses what is no whole photo, and scales the next one', async () => {
  const whole = await half.clone().jpeg().toBuffer();
  const huge = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  expect(huge.length).toBeLessThan(2_000_000);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
  for (const [what, bytes] of Object.entries({
    cut: whole.subarray(0, whole.length / 2),
    huge,
    lie: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]),
    svg: Buffer.from(svg),
    nothing: Buffer.alloc(0),
  })) {
    await expect(scale(bytes, { width: 320, format: 'webp' }), what).rejects.toBeInstanceOf(UnreadablePhoto);
  }
  expect(await look(await scale(whole, { width: 320, format: 'webp' }))).toEqual([320, 160, true, true]);
});

it('refuses a large photo only if it has to be decoded whole', async () => {
  const large = sharp({ create: { width: 4_000, height: 3_600, channels: 3, background: '#fff' } });
  const size = { width: 320, format: 'webp' } as const;
  const all = {
    // 7 bytes a pixel, of 100 MB.
    progressive: await large.clone().jpeg({ progressive: true }).toBuffer(),
    interlaced: await large.clone().png({ progressive: true }).toBuffer(),
  };
  for (const [what, bytes] of Object.entries(all))
    await expect(scale(bytes, size), what).rejects.toBeInstanceOf(UnscalablePhoto);
  expect((await sharp(await scale(await large.clone().jpeg().toBuffer(), size)).metadata()).width).toBe(320);
});

describe('its process', () => {
  const photo = half.clone().jpeg().toBuffer();
  const size = { width: 320, format: 'webp' } as const;
  let other: PhotoScaler;
  beforeAll(() => scaler.close());
  afterEach(() => other.close());
  const ended = () => vi.waitFor(() => expect(children()).toEqual([]), { timeout: 10_000 });

  it('ends with a photo that takes too long, which is not said to be broken', async () => {
    other = makePhotoScaler({ timeoutMs: 1 });
    await expect(other.scale(await photo, size)).rejects.toThrow('takes too long');
    await ended();
  });

  it('ends when no photo comes', async () => {
    other = makePhotoScaler({ idleMs: 200 });
    await other.scale(await photo, size);
    await ended();
  });

  it('is started again after it was killed', async () => {
    other = makePhotoScaler();
    await other.scale(await photo, size);
    const [pid = 0] = children();
    process.kill(pid, 'SIGSTOP');
    const asked = other.scale(await photo, size);
    process.kill(pid, 'SIGKILL');
    await expect(asked).rejects.toThrow('The process that scales photos ended');
    expect(photoType(await other.scale(await photo, size))).toBe('image/webp');
  });
});
