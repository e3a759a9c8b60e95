import { isUtf8 } from 'node:buffer';

type Chunks = AsyncIterable<Uint8Array>;

const HEAD_BYTES = 512;
const UTF8 = 'utf-8';
/** Text that is not UTF-8 is read as windows-1252, where every byte is one character. */
const western = new TextDecoder('windows-1252');

/** How many of the last bytes begin an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** The length of the UTF-8 character at `at`; 0 when there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function asText(bytes: Uint8Array): string {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(whole)) return whole.toString('utf8');
  let text = '';
  let start = 0;
  for (let at = 0; at < whole.length; ) {
    // ASCII is skipped at once: checking each of its letters took a second for 5 MB.
    while ((whole[at] ?? 0x80) < 0x80) at++;
    if (at === whole.length) break;
    const length = characterAt(whole, at);
    if (length === 0) {
      text += whole.toString('utf8', start, at) + western.decode(whole.subarray(at, at + 1));
      start = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + whole.toString('utf8', start);
}

async function* mixedText(chunks: Chunks): AsyncGenerator<string> {
  let left: Uint8Array = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = left.length > 0 ? Buffer.concat([left, chunk]) : chunk;
    const cut = bytes.length - unfinished(bytes);
    left = bytes.subarray(cut);
    if (cut > 0) yield asText(bytes.subarray(0, cut));
  }
  if (left.length > 0) yield asText(left);
}

async function* textBy(decoder: TextDecoder, chunks: Chunks): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  const last = decoder.decode();
  if (last !== '') yield last;
}

const starts = (head: Uint8Array, ...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);

/** The encoding that the first bytes show: by a byte order mark, or by the NULs of ASCII in two bytes. Source: RFC 4627 §3. */
function markedEncoding(head: Uint8Array): { encoding: string; skip: number } | null {
  if (starts(head, 0xef, 0xbb, 0xbf)) return { encoding: UTF8, skip: 3 };
  if (starts(head, 0xff, 0xfe)) return { encoding: 'utf-16le', skip: 2 };
  if (starts(head, 0xfe, 0xff)) return { encoding: 'utf-16be', skip: 2 };
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if (a > 0 && b === 0 && c > 0 && d === 0 && head.length > 3) return { encoding: 'utf-16le', skip: 0 };
  if (a === 0 && b > 0 && c === 0 && d > 0) return { encoding: 'utf-16be', skip: 0 };
  return null;
}

/** The encoding that the content type or an XML declaration states; UTF-8 when neither does or it is unknown. */
function declaredEncoding(head: Uint8Array, contentType: string | null): string {
  const charset = /charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType ?? '')?.[1];
  const beginning = western.decode(head);
  const inXml = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(beginning)?.[1];
  try {
    const { encoding } = new TextDecoder(charset ?? inXml ?? UTF8);
    // The declaration itself was read in single bytes, so the text can't be UTF-16.
    return encoding.startsWith('utf-16') ? UTF8 : encoding;
  } catch {
    return UTF8;
  }
}

async function* from(first: readonly Uint8Array[], skip: number, rest: AsyncIterator<Uint8Array>) {
  const bytes = Buffer.concat(first);
  if (bytes.length > skip) yield bytes.subarray(skip);
  yield* { [Symbol.asyncIterator]: () => rest };
}

/**
 * Decodes bytes, by their byte order mark, else by the `charset` of the content type, else by the XML declaration, else as
 * UTF-8. The mark is left out. Single bytes that are no UTF-8 are read as windows-1252, as some feeds mix both.
 */
export async function* decodedText(chunks: Chunks, contentType: string | null): AsyncGenerator<string> {
  const rest = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  let fault: { error: unknown } | null = null;
  while (size < HEAD_BYTES) {
    try {
      const next = await rest.next();
      if (next.done) break;
      first.push(next.value);
      size += next.value.length;
    } catch (error) {
      fault = { error };
      break;
    }
  }
  const head = Buffer.concat(first).subarray(0, HEAD_BYTES);
  const marked = markedEncoding(head);
  const encoding = marked?.encoding ?? declaredEncoding(head, contentType);
  const bytes = from(first, marked?.skip ?? 0, rest);
  yield* encoding === UTF8 || encoding === 'windows-1252'
    ? mixedText(bytes)
    : textBy(new TextDecoder(encoding, { ignoreBOM: true }), bytes);
  if (fault) throw fault.error;
}

interface FetchedText {
  body: { bytes(): Chunks };
  contentType: string | null;
}

/** The whole text of a page that was fetched, which the caller closes. @throws WebFetchError when the page was cut off */
export async function wholeText({ body, contentType }: FetchedText): Promise<string> {
  let text = '';
  for await (const part of decodedText(body.bytes(), contentType)) text += part;
  return text;
}
