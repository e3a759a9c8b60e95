import express, { type Response, type Router } from 'express';
import type { CallLimits } from '../../accounts/signed-in.ts';
import { contentPolicy } from '../../base/content-policy.ts';
import type { Secret } from '../../base/secret.ts';
import { readPhotoPath } from '../../domain/photo-paths.ts';
import { TooMany } from '../../vendors/photos/few-at-once.ts';
import type { PhotoCache } from '../../vendors/photos/photo-cache.ts';
import { PhotoFault } from '../../vendors/photos/read-photo.ts';
import type { AddressOf } from '../client-address.ts';
import type { FindPhoto } from './find-photo.ts';

export interface PhotoParts {
  /** Signs the paths. */
  secret: Secret;
  find: FindPhoto;
  cache: PhotoCache;
  limits: Pick<CallLimits, 'photo'>;
  addressOf: AddressOf;
}

const WEEK_SECONDS = 604_800;
const BROKEN_SECONDS = 300;
const COME_AGAIN_SECONDS = 5;
/** Nothing runs even where somebody opens a photo as a page. */
const policy = `${contentPolicy()}; sandbox`;

function refuse(response: Response, status: 404 | 503, cacheControl: string): void {
  if (status === 503) response.set('Retry-After', String(COME_AGAIN_SECONDS));
  response.status(status).set('Cache-Control', cacheControl).type('text').send('No photo');
}

/**
 * `/photos/:name/:index`: a seller's photo, fetched and kept by us, so that the seller learns nobody's address. Only
 * photos of listings that we have, under paths that we have signed. Mails show them as well, so no session is asked for.
 */
export function photoRoute({ secret, find, cache, limits, addressOf }: PhotoParts): Router {
  const router = express.Router();
  router.get('/photos/:name/:index', async (request, response) => {
    await limits.photo(addressOf(request));
    response.set({
      'Content-Security-Policy': policy,
      // Webmail shows mails, and with them our photos, under origins of its own.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    const place = readPhotoPath(secret, request.params.name, request.params.index);
    const address = place && (await find(place));
    if (!address) return refuse(response, 404, 'no-cache');
    try {
      const { bytes, type, tag } = await cache.get(address);
      response.set({
        'Content-Type': type,
        'Cache-Control': `public, max-age=${WEEK_SECONDS}`,
        ETag: `"${tag}"`,
      });
      response.send(bytes);
    } catch (error) {
      if (error instanceof PhotoFault) return refuse(response, 404, `public, max-age=${BROKEN_SECONDS}`);
      if (error instanceof TooMany) return refuse(response, 503, 'no-store');
      throw error;
    }
  });
  return router;
}
