import type { GreyPixels } from '../../domain/same-car/photo-hash.ts';
import { type FetchPage, fetchPage } from '../web-fetch.ts';
import { WebFetchError } from '../web-fetch-error.ts';
import { decodePhoto, UnreadablePhoto } from './decode-photo.ts';
import { photoType } from './photo-type.ts';

export interface PhotoRequest {
  url: string;
  allowPrivateNetwork: boolean;
  signal?: AbortSignal | undefined;
}

/** How photos are read; tests hand in their own. @throws PhotoFault */
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
const lasting = new Set(['BAD_URL', 'PRIVATE_ADDRESS', 'TOO_LARGE', 'REDIRECT_LOOP']);
/** Too early, too often: come again. */
const passing = new Set([408, 425, 429]);

function isFinal(error: WebFetchError): boolean {
  const { status, code } = error;
  return lasting.has(code) || (status !== null && status >= 400 && status < 500 && !passing.has(status));
}

async function bytesOf(photo: PhotoRequest, fetch: FetchPage): Promise<Buffer> {
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
    const bytes = await bytesOf(photo, fetch);
    if (photoType(bytes) === null) throw new PhotoFault(true, new Error('It is no JPEG, PNG, WebP, GIF or AVIF.'));
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
