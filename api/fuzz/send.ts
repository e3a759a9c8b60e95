import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Answer } from './read-description.ts';

export interface Request {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface TimedAnswer extends Answer {
  setCookie: string | undefined;
  ms: number;
}

const TIMEOUT_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request unchanged, as `fetch` would normalise its address. @throws when there is no answer */
export function send(url: string, { method, path, headers, body }: Request): Promise<TimedAnswer> {
  return new Promise((resolve, fail) => {
    const began = performance.now();
    const { hostname, port } = new URL(url);
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const call = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', fail);
        response.on('end', () => {
          const ms = performance.now() - began;
          try {
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
              ),
              text: unpacked(Buffer.concat(parts), response.headers['content-encoding']).toString(),
              setCookie: response.headers['set-cookie']?.[0]?.split(';')[0],
              ms,
            });
          } catch (error) {
            fail(error);
          }
        });
      },
    );
    call.once('timeout', () => call.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    call.once('error', fail);
    call.end(bytes);
  });
}

/** Decompresses a body. @throws when it does not fit its header */
function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || body.length === 0) return body;
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }[encoding];
  if (!unpack) throw new Error(`the encoding ${encoding} was not requested`);
  return unpack(body);
}

/** Encodes any text as a part of an address, byte by byte. */
export const inAddress = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
