import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

/** Of whose photos the paths are made. */
export interface PhotoSite {
  /** Signs the numbers of listings: a path cannot be guessed, and so nobody reads through all photos. */
  secret: Secret;
  publicUrl: string;
}

interface PhotographedListing {
  id: number;
  /** Addresses as the seller gave them. */
  images: readonly string[];
}

/** A listing's photo, by its place among the listing's addresses. */
export interface PhotoPlace {
  listingId: number;
  index: number;
}

const MARK_LENGTH = 16;
const VERSION_LENGTH = 8;
const OWN_PICTURE = /^\/[\w./-]+\.(?:svg|png|jpe?g|webp|gif|avif)(?:\?[\w.=&-]*)?$/i;

const markOf = (secret: string, listingId: number): string =>
  createHmac('sha256', secret).update(`photos of listing ${listingId}`).digest('base64url').slice(0, MARK_LENGTH);

/** The path of a picture of our own, such as the demo's photos; null for an address elsewhere. */
function ownPath(address: string, publicUrl: string): string | null {
  if (!address.startsWith(`${publicUrl}/`)) return null;
  const path = address.slice(publicUrl.length);
  return OWN_PICTURE.test(path) ? path : null;
}

/**
 * Where LotWatch itself shows a listing's photos, in the order of their addresses; those that are no addresses of the
 * web are left out. Whoever opens these asks nobody else. They change with the addresses, so that browsers may keep
 * what they have.
 */
export function photoPaths({ secret, publicUrl }: PhotoSite, { id, images }: PhotographedListing): string[] {
  if (images.length === 0) return [];
  const mark = markOf(newestOf(secret), id);
  const version = createHash('sha256').update(images.join('\n')).digest('base64url').slice(0, VERSION_LENGTH);
  return images.flatMap((address, index) => {
    const own = ownPath(address, publicUrl);
    if (own !== null) return [own];
    return /^https?:\/\//i.test(address) ? [`/photos/${id}-${mark}/${index}?v=${version}`] : [];
  });
}

/** What such a path names. @param name `12-mark` @param index as it stands in the path @returns null for another's */
export function readPhotoPath(secret: Secret, name: string, index: string): PhotoPlace | null {
  const [, id = '', mark = ''] = /^([1-9]\d{0,15})-([\w-]+)$/.exec(name) ?? [];
  if (mark.length !== MARK_LENGTH || !/^\d{1,2}$/.test(index)) return null;
  const listingId = Number(id);
  const isOurs = allOf(secret).some((one) => timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(one, listingId))));
  return isOurs ? { listingId, index: Number(index) } : null;
}

export interface PhotoAddress {
  url: string;
  /** Only a source that may itself lie inside may keep its photos there, and only beside itself. */
  allowPrivateNetwork: boolean;
}

/**
 * Where a listing's photo is read; sellers write these addresses, so the source's leave to lie inside the own network
 * holds for its own host alone. null for what is no address. @param source as configured; null for pushes
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
