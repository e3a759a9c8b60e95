/** A photo in greyscale, row by row, one byte per pixel, scaled to any width and height. */
export interface GreyPixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/**
 * The hash of one window is 144 bits: each of 9 × 9 means is compared with its right and lower neighbours. Source:
 * dHash.
 */
const GRID = 9;
const BYTES = 2 * GRID;
/** Windows of nine tenths, in steps of a fortieth along each side, stand for what a crop may leave. */
const CROPPED = 0.9;
const STEPS = 5;
/** Below this standard deviation of the means, of 255, a photo shows too little to be recognised. */
const MIN_CONTRAST = 4;

interface Span {
  start: number;
  length: number;
}

const spans: readonly Span[] = [
  { start: 0, length: 1 },
  ...Array.from({ length: STEPS }, (_, step) => ({
    start: ((1 - CROPPED) * step) / (STEPS - 1),
    length: CROPPED,
  })),
];

/** The summed-area table, from which the sum of any rectangle takes four look-ups. */
function summedArea({ pixels, width, height }: GreyPixels): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += pixels[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  return sums;
}

function gridMeans(sums: Float64Array, width: number, height: number, across: Span, down: Span): Float64Array {
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0;
  const edge = (span: Span, size: number, part: number) => Math.round((span.start + span.length * part) * size);
  const means = new Float64Array(GRID * GRID);
  for (let row = 0; row < GRID; row += 1) {
    const [top, bottom] = [edge(down, height, row / GRID), edge(down, height, (row + 1) / GRID)];
    for (let column = 0; column < GRID; column += 1) {
      const [left, right] = [edge(across, width, column / GRID), edge(across, width, (column + 1) / GRID)];
      const sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
      means[row * GRID + column] = sum / Math.max(1, (right - left) * (bottom - top));
    }
  }
  return means;
}

function contrast(means: Float64Array): number {
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  return Math.sqrt(means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length);
}

/** A bit for each pair of neighbours in a row or column of the grid, set where the second is lighter. */
function rises(means: Float64Array, first: number, step: number): number {
  let byte = 0;
  for (let index = first, n = 1; n < GRID; index += step, n += 1) {
    byte = (byte << 1) | ((means[index] ?? 0) < (means[index + step] ?? 0) ? 1 : 0);
  }
  return byte;
}

/**
 * The perceptual hash of a photo: of the whole, and then of every window that a crop of up to a tenth may leave. 648 bytes;
 * null when the photo has too little contrast. 256 × 256 pixels suffice.
 */
export function photoHash(photo: GreyPixels): Uint8Array | null {
  const { width, height } = photo;
  const sums = summedArea(photo);
  const hash = new Uint8Array(spans.length ** 2 * BYTES);
  let position = 0;
  for (const across of spans) {
    for (const down of spans) {
      const means = gridMeans(sums, width, height, across, down);
      if (position === 0 && contrast(means) < MIN_CONTRAST) return null;
      for (let line = 0; line < GRID; line += 1) {
        hash[position * BYTES + line] = rises(means, line * GRID, 1);
        hash[position * BYTES + GRID + line] = rises(means, line, GRID);
      }
      position += 1;
    }
  }
  return hash;
}

const bitsOf = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function hammingDistance(a: Uint8Array, aPart: number, b: Uint8Array, bPart: number): number {
  let bits = 0;
  for (let byte = 0; byte < BYTES; byte += 1) {
    bits += bitsOf[(a[aPart * BYTES + byte] ?? 0) ^ (b[bPart * BYTES + byte] ?? 0)] ?? 0;
  }
  return bits;
}

/**
 * The distance of two hashes: the fewest bits, of 144, by which one whole photo differs from any window of the other.
 */
export function photoDistance(a: Uint8Array, b: Uint8Array): number {
  let distance = BYTES * 8;
  for (let part = 0; part < a.length / BYTES; part += 1) {
    distance = Math.min(distance, hammingDistance(a, part, b, 0), hammingDistance(a, 0, b, part));
  }
  return distance;
}

/** The largest distance of hashes of one photo. Measured: `npm run bench -- same-car`. */
const SAME_PHOTO_BITS = 24;

/** Whether two hashes are of one photo, even if cropped or compressed again; never if their lengths differ. */
export function isSamePhoto(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && photoDistance(a, b) <= SAME_PHOTO_BITS;
}
