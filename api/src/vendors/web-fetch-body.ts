import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebFetchError } from './web-fetch-error.ts';

export interface FetchedBody {
  body: string;
  etag: string | null;
  lastModified: string | null;
}

const tooLarge = (maxBytes: number) =>
  new WebFetchError('TOO_LARGE', `The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB unpacked.`);

const cut = (cause?: unknown) => new WebFetchError('CUT', 'The page broke off before its end.', { cause });

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const unpack = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    br: createBrotliDecompress,
    deflate: createInflate,
  }[encoding];
  if (!unpack) {
    if (encoding === 'identity' || encoding === '') return response;
    throw new WebFetchError('CUT', `The page is packed with ${encoding}, which is not read.`);
  }
  const stream = unpack();
  response.on('error', (error) => stream.destroy(error));
  return response.pipe(stream);
}

function decoder(contentType: string | undefined): TextDecoder {
  const label = /charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}

/**
 * Reads, unpacks and decodes a whole body.
 * @throws WebFetchError TOO_LARGE, CUT (broken off, wrong length or not unpackable)
 */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<FetchedBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    for await (const chunk of unpacked(response)) {
      const part = chunk as Buffer;
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(part);
    }
  } catch (error) {
    if (error instanceof WebFetchError || signal.aborted) throw error;
    throw cut(error);
  } finally {
    response.destroy();
  }
  return {
    body: decoder(response.headers['content-type']).decode(Buffer.concat(chunks)),
    etag: response.headers.etag ?? null,
    lastModified: response.headers['last-modified'] ?? null,
  };
}
