import { type Fields, isRecord, textOf } from './record-fields.ts';

const MAX_PHOTOS = 20;
const MAX_ADDRESS = 2000;
const facebookId = /^\d{10,20}$/;

/** An address fit to be linked and shown; many dealers' pages and photos are still plain http, as in Meta's own example. */
function safeAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS || !/^https?:\/\//i.test(value.trim())) return null;
  try {
    const url = new URL(value.trim());
    if (url.username || url.password) return null;
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

function photoOf(value: unknown): string | null {
  if (typeof value === 'string') return safeAddress(value);
  if (!isRecord(value)) return null;
  const image = isRecord(value.image) ? value.image : value;
  for (const address of [image.uri, image.url, value.photo_image_url, value.contentUrl, value.src, value.image]) {
    const safe = safeAddress(address);
    if (safe) return safe;
  }
  return null;
}

/** Addresses of the seller's photos, the first one first, none twice. */
export function recordPhotos(fields: Fields): string[] {
  const found = new Set<string>();
  for (const name of [
    'listingphotos',
    'images',
    'photos',
    'image',
    'primarylistingphoto',
    'primaryphoto',
    'imageurl',
  ]) {
    const value = fields.get(name);
    // The first photo often stands alone too, in another size: it only counts where there is no list.
    if (name.startsWith('primary') && found.size > 0) continue;
    for (const photo of (Array.isArray(value) ? value : [value]).slice(0, MAX_PHOTOS)) {
      const address = photoOf(photo);
      if (address && found.size < MAX_PHOTOS) found.add(address);
    }
  }
  return [...found];
}

/** The listing's own page: as stated, or as Facebook's ids make it; null when unknown. */
export function recordUrl(fields: Fields, externalId: string): string | null {
  const stated = safeAddress(textOf(fields, 'url', 'itemurl', 'listingurl', 'shareuri', 'link'));
  if (stated) return stated;
  const facebook = fields.has('marketplacelistingtitle') || fields.get('typename') === 'GroupCommerceProductItem';
  return facebook && facebookId.test(externalId) ? `https://www.facebook.com/marketplace/item/${externalId}/` : null;
}
