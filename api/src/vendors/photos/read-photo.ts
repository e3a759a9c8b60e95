import { whenUsed } from '../../base/when-used.ts';
import type { GreyPixels } from '../../domain/same-car/photo-hash.ts';
import { type FetchPage, fetchPage } from '../web-fetch.ts';
import { WebFetchError } from '../web-fetch-guard.ts';

const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');

/**
 * The media type of a photo by its first bytes, whatever the server says; null for other files. Drawings (SVG) can hold
 * scripts and addresses, and are not photos.
 */
export function photoType(bytes: Uint8Array): string | null {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return /^ftypavi[fs]$/.test(ascii(bytes, 4, 12)) ? 'image/avif' : null;
}

/** The largest photo of a phone; a larger one may exhaust the memory. */
const MAX_PIXELS = 60_000_000;
const SECONDS = 10;
/** Enough for every window of the hash. */
const SIDE = 256;

/** One photo at a time needs neither threads nor memory kept for the next. */
const decoder = whenUsed(async () => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
});

/** The bytes are not a readable photo; the message does not hold them. */
export class UnreadablePhoto extends Error {}

/**
 * Decodes the first picture of a JPEG, PNG, WebP, GIF or AVIF into 256 × 256 grey pixels, turned upright.
 * @throws UnreadablePhoto for another format, broken bytes, or more than 60 megapixels
 */
export async function decodePhoto(bytes: Uint8Array): Promise<GreyPixels> {
  // Drawings (SVG) and documents never reach the decoder.
  if (photoType(bytes) === null) throw new UnreadablePhoto('The photo is no JPEG, PNG, WebP, GIF or AVIF.');
  const sharp = await decoder();
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'truncated' })
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

export interface PhotoRequest {
  url: string;
  allowPrivateNetwork: boolean;
  signal?: AbortSignal | undefined;
}

/** How photos are read; tests pass their own. @throws PhotoFault */
export type ReadPhoto = (photo: PhotoRequest) => Promise<GreyPixels>;

/** A photo that could not be read now, or never can be. */
export class PhotoFault extends Error {
  readonly isFinal: boolean;

  constructor(isFinal: boolean, cause: Error) {
    super(cause.message, { cause });
    this.isFinal = isFinal;
  }
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const ACCEPT = 'image/avif,image/webp,image/jpeg,image/png,image/gif';
const permanent = new Set(['BAD_URL', 'PRIVATE_ADDRESS', 'TOO_LARGE', 'REDIRECT_LOOP']);
/** Statuses after which a later try may succeed. */
const temporary = new Set([408, 425, 429]);

function isFinal(error: WebFetchError): boolean {
  const { status, code } = error;
  return permanent.has(code) || (status !== null && status >= 400 && status < 500 && !temporary.has(status));
}

async function pageBytes(photo: PhotoRequest, fetch: FetchPage): Promise<Buffer> {
  const page = await fetch({ ...photo, headers: { accept: ACCEPT }, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  if (page.status === 'unchanged') throw new WebFetchError('CUT', 'The photo did not come.');
  const { body } = page;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of body.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await body.close();
  }
}

/** Fetches a photo, behind the same guard as every page and 10 MB at most. @throws PhotoFault */
export async function fetchPhoto(photo: PhotoRequest, fetch: FetchPage = fetchPage): Promise<Buffer> {
  try {
    const bytes = await pageBytes(photo, fetch);
    if (photoType(bytes) === null) throw new PhotoFault(true, new Error('It is not a JPEG, PNG, WebP, GIF or AVIF.'));
    return bytes;
  } catch (error) {
    if (error instanceof WebFetchError) throw new PhotoFault(isFinal(error), error);
    throw error;
  }
}

/** Fetches a photo and decodes it. @throws PhotoFault */
export async function readPhoto(photo: PhotoRequest, fetch: FetchPage = fetchPage): Promise<GreyPixels> {
  const bytes = await fetchPhoto(photo, fetch);
  try {
    return await decodePhoto(bytes);
  } catch (error) {
    if (error instanceof UnreadablePhoto) throw new PhotoFault(true, error);
    throw error;
  }
}
