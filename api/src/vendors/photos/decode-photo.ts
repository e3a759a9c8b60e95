import sharp from 'sharp';
import type { GreyPixels } from '../../domain/same-car/photo-hash.ts';
import { photoType } from './photo-type.ts';

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

/**
 * Decodes the first picture of a JPEG, PNG, WebP, GIF or AVIF into 256 × 256 grey pixels, turned upright.
 * @throws UnreadablePhoto for another format, broken bytes, or more than 60 megapixels
 */
export async function decodePhoto(bytes: Uint8Array): Promise<GreyPixels> {
  // Drawings (SVG) and documents never reach the decoder.
  if (photoType(bytes) === null) throw new UnreadablePhoto('The photo is no JPEG, PNG, WebP, GIF or AVIF.');
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
