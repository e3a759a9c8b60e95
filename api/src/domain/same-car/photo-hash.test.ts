import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import { isSamePhoto, photoDistance, photoHash } from './photo-hash.ts';

const SIDE = 128;

/** Blots in grey; `view` is the part of the picture that is photographed. */
function photo(seed: number, view = { x: 0, y: 0, width: 1, height: 1 }, lighter = 0) {
  const random = makeRandom(seed);
  const blots = Array.from({ length: 14 }, () => [random(), random(), 0.05 + random() * 0.2, random() * 200] as const);
  const pixels = new Uint8Array(SIDE * SIDE);
  for (let index = 0; index < pixels.length; index += 1) {
    const x = view.x + ((index % SIDE) / SIDE) * view.width;
    const y = view.y + (Math.floor(index / SIDE) / SIDE) * view.height;
    const blot = blots.findLast(([bx, by, size]) => Math.hypot(bx - x, by - y) < size);
    pixels[index] = Math.min(255, (blot?.[3] ?? x * 120 + y * 60) + lighter);
  }
  const hash = photoHash({ pixels, width: SIDE, height: SIDE });
  if (!hash) throw new Error('nothing to see');
  return hash;
}

describe('a photo', () => {
  it('is itself, lighter too, and not another', () => {
    expect(photoDistance(photo(1), photo(1))).toBe(0);
    expect(photoDistance(photo(1), photo(1, undefined, 30))).toBeLessThan(6);
    const first = photo(1);
    for (let seed = 2; seed < 40; seed += 1) expect(isSamePhoto(first, photo(seed))).toBe(false);
  });

  it.each([
    { x: 0, y: 0, width: 0.9, height: 0.9 },
    { x: 0.1, y: 0.1, width: 0.9, height: 0.9 },
    { x: 0.06, y: 0.03, width: 0.9, height: 0.9 },
    { x: 0.1, y: 0, width: 0.9, height: 1 },
    { x: 0, y: 0.07, width: 1, height: 0.9 },
  ])('is itself with a tenth cut off: %j', (view) => {
    for (let seed = 1; seed < 20; seed += 1) {
      const [whole, part] = [photo(seed), photo(seed, view)];
      expect([isSamePhoto(whole, part), isSamePhoto(part, whole)]).toEqual([true, true]);
    }
  });

  it('is not itself with a third cut off', () => {
    expect(isSamePhoto(photo(1), photo(1, { x: 0.3, y: 0.3, width: 0.65, height: 0.65 }))).toBe(false);
  });

  it('of nothing is none', () => {
    const blank = new Uint8Array(SIDE * SIDE).map((_, index) => 250 + (index % 3));
    expect(photoHash({ pixels: blank, width: SIDE, height: SIDE })).toBeNull();
  });
});
