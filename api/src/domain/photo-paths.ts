import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

/** What paths of photos are made with. */
export interface PhotoSite {
  /** Signs the ids of listings, so that paths can't be guessed and all photos enumerated. */
  secret: Secret;
  publicUrl: string;
}

interface PhotographedListing {
  id: number;
  /** URLs as the seller gave them. */
  images: readonly string[];
}

/** A listing's photo, by its index among the listing's images. */
export interface PhotoPlace {
  listingId: number;
  index: number;
}

const SIGNATURE_LENGTH = 16;
const VERSION_LENGTH = 8;
const OWN_PICTURE = /^\/[\w./-]+\.(?:svg|png|jpe?g|webp|gif|avif)(?:\?[\w.=&-]*)?$/i;

const signatureOf = (secret: string, listingId: number): string =>
  createHmac('sha256', secret).update(`photos of listing ${listingId}`).digest('base64url').slice(0, SIGNATURE_LENGTH);

/** The path of a picture on our own server, such as the demo's photos; null for any other URL. */
function ownPath(address: string, publicUrl: string): string | null {
  if (!address.startsWith(`${publicUrl}/`)) return null;
  const path = address.slice(publicUrl.length);
  return OWN_PICTURE.test(path) ? path : null;
}

/**
 * The paths under which LotWatch serves a listing's photos, in the order of `images`, so that browsers send no requests
 * to other servers. What is no HTTP URL is left out. The paths change with the URLs, so that browsers may cache photos.
 */
export function photoPaths({ secret, publicUrl }: PhotoSite, { id, images }: PhotographedListing): string[] {
  if (images.length === 0) return [];
  const signature = signatureOf(newestOf(secret), id);
  const version = createHash('sha256').update(images.join('\n')).digest('base64url').slice(0, VERSION_LENGTH);
  return images.flatMap((address, index) => {
    const own = ownPath(address, publicUrl);
    if (own !== null) return [own];
    return /^https?:\/\//i.test(address) ? [`/photos/${id}-${signature}/${index}?v=${version}`] : [];
  });
}

/** Reads a path of `photoPaths`. @param name `id-signature` @param index as in the path @returns null if not signed */
export function readPhotoPath(secret: Secret, name: string, index: string): PhotoPlace | null {
  const [, id = '', signature = ''] = /^([1-9]\d{0,15})-([\w-]+)$/.exec(name) ?? [];
  if (signature.length !== SIGNATURE_LENGTH || !/^\d{1,2}$/.test(index)) return null;
  const listingId = Number(id);
  const isSigned = allOf(secret).some((one) =>
    timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(one, listingId))),
  );
  return isSigned ? { listingId, index: Number(index) } : null;
}

/**
 * SQL: the address that a source `s` is read from, under the name that its kind has for it. Its photos are on that host,
 * unless they are somewhere else on the internet.
 */
export const sourceAddress = `coalesce(s.settings ->> 'url', s.settings ->> 'site', s.settings ->> 'sitemap',
  s.settings -> 'pages' ->> 0)`;

export interface PhotoAddress {
  url: string;
  /** True only for the own host of a source that may be in the private network. */
  allowPrivateNetwork: boolean;
}

/**
 * The URL from which a listing's photo is fetched; null for what is no HTTP URL. Sellers write these URLs, so a source's
 * permission to be in the private network applies only to its own host. @param source as configured; null for pushes
 */
export function photoAddress(
  imageUrl: string,
  source: { url: string | null; allowPrivateNetwork: boolean } | null,
): PhotoAddress | null {
  const base = source?.url ? URL.parse(source.url) : null;
  const url = URL.parse(imageUrl, base?.href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return {
    url: url.href,
    allowPrivateNetwork: source?.allowPrivateNetwork === true && url.hostname === base?.hostname,
  };
}
