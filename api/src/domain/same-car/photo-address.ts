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
