import express, { type Request, type Response, type Router } from 'express';
import type { CallLimits } from '../../accounts/call-limits.ts';
import { networkOf } from '../../base/addresses/network.ts';
import { contentPolicy } from '../../base/content-policy.ts';
import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { type PhotoAddress, type PhotoPlace, readPhotoPath } from '../../domain/photo-paths.ts';
import { photoWidths } from '../../domain/photo-sizes.ts';
import { readPhotoAddress } from '../../listings/read-photo-address.ts';
import { TooManyCalls } from '../../vendors/photos/host-limiter.ts';
import type { PhotoCache } from '../../vendors/photos/photo-cache.ts';
import { PhotoFault } from '../../vendors/photos/read-photo.ts';
import type { PhotoFormat, PhotoSize } from '../../vendors/photos/scale-photo.ts';
import type { AddressOf } from '../client-address.ts';

type FindPhoto = (place: PhotoPlace) => Promise<PhotoAddress | null>;

/** A page requests its photos one by one, and many buyers request the same photos. */
const CACHE_MS = 60_000;
const MAX_CACHED = 20_000;

/** Reads the address of a listing's photo, and caches it for a minute. */
export function makeFindPhoto(pool: Pool): FindPhoto {
  const known = new Map<string, { address: PhotoAddress | null; until: number }>();

  return async (place) => {
    const key = `${place.listingId}/${place.index}`;
    const before = known.get(key);
    if (before && before.until > performance.now()) return before.address;
    const address = await readPhotoAddress(pool, place);
    known.delete(key);
    known.set(key, { address, until: performance.now() + CACHE_MS });
    const [oldest] = known.keys();
    if (known.size > MAX_CACHED && oldest !== undefined) known.delete(oldest);
    return address;
  };
}

interface PhotoParts {
  /** The key of the paths' signatures. */
  secret: Secret;
  find: FindPhoto;
  cache: PhotoCache;
  limits: Pick<CallLimits, 'photo'>;
  addressOf: AddressOf;
}

const WEEK_SECONDS = 604_800;
const BROKEN_SECONDS = 300;
/** For a photo in its own size, as too many were being scaled. */
const UNSCALED_SECONDS = 60;
const RETRY_AFTER_SECONDS = 5;
/** Nothing can run even when a photo is opened as a page. */
const policy = `${contentPolicy()}; sandbox`;

function refuse(response: Response, status: 404 | 503, cacheControl: string): void {
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_SECONDS));
  response.status(status).set('Cache-Control', cacheControl).type('text').send('No photo');
}

/** The smallest format of those that the browser names. Programs that accept everything may know none of the newer ones. */
function acceptedFormat(request: Request): PhotoFormat {
  const types = request.accepts();
  if (types.includes('image/avif')) return 'avif';
  return types.includes('image/webp') ? 'webp' : 'jpeg';
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION', message, { fields: { [field]: message } });
}

/**
 * Reads `w`, a width of `photoWidths`, and `format`, which may be `jpeg`; else the request's `Accept` chooses.
 * @returns undefined for the photo as its seller has it @throws AppError VALIDATION
 */
function readSize(request: Request): PhotoSize | undefined {
  const { w, format } = request.query;
  if (format !== undefined && (format !== 'jpeg' || w === undefined))
    throw invalid('format', 'The format must be jpeg, with a width.');
  if (w === undefined) return undefined;
  const width = photoWidths.find((one) => String(one) === w);
  if (width === undefined) throw invalid('w', `The width must be one of ${photoWidths.join(', ')}.`);
  return { width, format: format === undefined ? acceptedFormat(request) : 'jpeg' };
}

/**
 * `/photos/:name/:index?w=`: proxies and caches a seller's photo, so that the seller does not see the buyers' IP addresses.
 * It serves only photos of stored listings, under signed paths, and needs no session, since mails show photos too.
 * A width makes them smaller, in the best format that the browser accepts.
 */
export function photoRoute({ secret, find, cache, limits, addressOf }: PhotoParts): Router {
  const router = express.Router();
  router.get('/photos/:name/:index', async (request, response) => {
    const client = addressOf(request);
    await limits.photo(client);
    response.set({
      'Content-Security-Policy': policy,
      // Webmail shows the photos in mails on pages of other origins.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    const size = readSize(request);
    if (size && request.query.format === undefined) response.vary('Accept');
    const place = readPhotoPath(secret, request.params.name, request.params.index);
    const address = place && (await find(place));
    if (!address) return refuse(response, 404, 'no-cache');
    try {
      const { bytes, type, tag, isAsAsked } = await cache.get(address, size, networkOf(client));
      response.set({
        'Content-Type': type,
        'Cache-Control': `public, max-age=${isAsAsked ? WEEK_SECONDS : UNSCALED_SECONDS}`,
        ETag: `"${tag}"`,
      });
      response.send(bytes);
    } catch (error) {
      if (error instanceof PhotoFault) return refuse(response, 404, `public, max-age=${BROKEN_SECONDS}`);
      if (error instanceof TooManyCalls) return refuse(response, 503, 'no-store');
      throw error;
    }
  });
  return router;
}
