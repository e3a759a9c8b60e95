import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import { isSamePhoto, photoDistance, photoHash } from './photo-hash.ts';

const SIDE = 128;

/** A picture of grey circles. @param view the part of it that is photographed @param lighter added to each pixel */
function photo(seed: number, view = { x: 0, y: 0, width: 1, height: 1 }, lighter = 0) {
  const random = makeRandom(seed);
  const circles = Array.from(
    { length: 14 },
    () => [random(), random(), 0.05 + random() * 0.2, random() * 200] as const,
  );
  const pixels = new Uint8Array(SIDE * SIDE);
  for (let index = 0; index < pixels.length; index += 1) {
    const x = view.x + ((index % SIDE) / SIDE) * view.width;
    const y = view.y + (Math.floor(index / SIDE) / SIDE) * view.height;
    const circle = circles.findLast(([bx, by, size]) => Math.hypot(bx - x, by - y) < size);
    pixels[index] = Math.min(255, (circle?.[3] ?? x * 120 + y * 60) + lighter);
  }
  const hash = photoHash({ pixels, width: SIDE, height: SIDE });
  if (!hash) throw new Error('too little contrast');
  return hash;
}

describe('a photo', () => {
  it('is recognised, also when lighter, and not taken for another', () => {
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
  ])('is recognised when a tenth is cropped: %j', (view) => {
    for (let seed = 1; seed < 20; seed += 1) {
      const [whole, part] = [photo(seed), photo(seed, view)];
      expect([isSamePhoto(whole, part), isSamePhoto(part, whole)]).toEqual([true, true]);
    }
  });

  it('is not recognised when a third is cropped', () => {
    expect(isSamePhoto(photo(1), photo(1, { x: 0.3, y: 0.3, width: 0.65, height: 0.65 }))).toBe(false);
  });

  it('has no hash without contrast', () => {
    const blank = new Uint8Array(SIDE * SIDE).map((_, index) => 250 + (index % 3));
    expect(photoHash({ pixels: blank, width: SIDE, height: SIDE })).toBeNull();
  });
});
