import { withoutMarkup } from '../titles/title-words.ts';

/** The most that is kept of a description, in bytes of UTF-8. */
const MAX_BYTES = 10 * 1024;
/** A character of UTF-16 takes at most three bytes. */
const ALWAYS_FITS = Math.floor(MAX_BYTES / 3);
const BREAK = /<(?:br|\/?(?:p|div|li|ul|tr|h[1-6]))\b[^<>]{0,200}>/gi;

function cut(text: string): string {
  if (text.length <= ALWAYS_FITS) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  let end = MAX_BYTES;
  // A byte 10xxxxxx continues a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** What a seller wrote, as plain text of at most 10 KB with its lines, without markup; null where it says nothing. */
export function plainDescription(raw: string | null): string | null {
  if (raw === null) return null;
  const text = withoutMarkup(raw.replace(BREAK, '\n'))
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? null : cut(text).trimEnd();
}
