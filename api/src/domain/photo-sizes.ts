/** The widths in pixels in which photos are served. A photo that is narrower keeps its own. */
export const photoWidths = [320, 480, 640, 960, 1280] as const;
export type PhotoWidth = (typeof photoWidths)[number];

/** How wide the photo of a listing's card is shown, for `sizes`: beside the texts, or above them on phones. */
export const cardPhotoSizes = {
  normal: '(min-width: 48em) 240px, calc(100vw - 62px)',
  compact: '(min-width: 48em) 168px, calc(100vw - 62px)',
} as const;

/** Pictures of our own server, such as the demo's drawings, have one size. */
const hasWidths = (address: string): boolean => /^(?:https?:\/\/[^/?#]+)?\/photos\//.test(address);

/** The address of a photo in a width, in the best format of those that the browser accepts. @param address path or URL */
export function photoInWidth(address: string, width: PhotoWidth): string {
  if (!hasWidths(address)) return address;
  return `${address}${address.includes('?') ? '&' : '?'}w=${width}`;
}

/** `photoInWidth` as JPEG, which every mail program shows. */
export function jpegInWidth(address: string, width: PhotoWidth): string {
  return hasWidths(address) ? `${photoInWidth(address, width)}&format=jpeg` : address;
}

/** The `srcset` of a photo; undefined for a picture that has one size. */
export function photoSrcSet(address: string): string | undefined {
  if (!hasWidths(address)) return undefined;
  return photoWidths.map((width) => `${photoInWidth(address, width)} ${width}w`).join(', ');
}
