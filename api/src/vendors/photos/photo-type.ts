const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');

/**
 * The media type of a photo by its first bytes, whatever the server calls it; null for all that is none. Drawings (SVG)
 * can hold scripts and addresses, and are none.
 */
export function photoType(bytes: Uint8Array): string | null {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return /^ftypavi[fs]$/.test(ascii(bytes, 4, 12)) ? 'image/avif' : null;
}
