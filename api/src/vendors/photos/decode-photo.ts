import sharp from 'sharp';
import type { GreyPixels } from '../../domain/same-car/photo-hash.ts';

/** A phone's largest photo; more is an attack on memory. */
const MOST_PIXELS = 60_000_000;
const SECONDS = 10;
/** Enough for every window of the hash. */
const SIDE = 256;

/** One photo at a time needs neither threads nor memory kept for the next. */
sharp.concurrency(1);
sharp.cache(false);

/** Bytes that are no photo we read; says so without the bytes. */
export class UnreadablePhoto extends Error {}

const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');

/** By the first bytes, whatever the server calls it: drawings (SVG) and documents never reach the decoder. */
function isPhoto(bytes: Uint8Array): boolean {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff' || ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return true;
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return true;
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return true;
  return /^ftypavi[fs]$/.test(ascii(bytes, 4, 12));
}

/**
 * Decodes the first picture of a JPEG, PNG, WebP, GIF or AVIF into 256 × 256 grey pixels, turned upright.
 * @throws UnreadablePhoto for another format, broken bytes, or more than 60 megapixels
 */
export async function decodePhoto(bytes: Uint8Array): Promise<GreyPixels> {
  if (!isPhoto(bytes)) throw new UnreadablePhoto('The photo is no JPEG, PNG, WebP, GIF or AVIF.');
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MOST_PIXELS, pages: 1, failOn: 'truncated' })
      .timeout({ seconds: SECONDS })
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize(SIDE, SIDE, { fit: 'fill' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { pixels: new Uint8Array(data), width: info.width, height: info.height };
  } catch (cause) {
    throw new UnreadablePhoto('The photo can not be decoded.', { cause });
  }
}
