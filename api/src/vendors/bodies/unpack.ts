import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { WebFetchError } from '../web-fetch-error.ts';
import { eagerChunks } from './eager-chunks.ts';

export type Chunks = AsyncIterable<Buffer>;

const MAX_LAYERS = 3;

/** Hands out `maxBytes` at most. @throws WebFetchError TOO_LARGE after them */
async function* limited(chunks: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      if (left > 0) yield chunk.subarray(0, left);
      throw new WebFetchError(
        'TOO_LARGE',
        `The body is larger than ${Math.round(maxBytes / 1024 / 1024)} MB unpacked.`,
      );
    }
    left -= chunk.length;
    yield chunk;
  }
}

function drained(stream: Transform): Promise<void> {
  return new Promise((settle) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      settle();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** What came before a fault of `source` is unpacked first; then that fault is thrown, not the unpacker's. */
async function* through(source: Chunks, stream: Transform): AsyncGenerator<Buffer> {
  let fault: unknown;
  const feed = async () => {
    try {
      for await (const chunk of source) {
        if (stream.destroyed) return;
        if (!stream.write(chunk)) await drained(stream);
      }
    } catch (error) {
      fault = error;
    }
    stream.end();
  };
  const feeding = feed();
  try {
    yield* eagerChunks(stream);
  } catch (error) {
    throw fault ?? new WebFetchError('CUT', 'The body is packed and can not be unpacked to its end.', { cause: error });
  }
  await feeding;
  if (fault !== undefined) throw fault;
}

/** The first bytes, and all of it again. A fault before them comes with all of it. */
async function peek(chunks: Chunks): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let fault: unknown;
  let ended = false;
  while (!ended && fault === undefined && first.reduce((sum, { length }) => sum + length, 0) < 2) {
    try {
      const next = await rest.next();
      if (next.done) ended = true;
      else first.push(next.value);
    } catch (error) {
      fault = error;
    }
  }
  const all = async function* () {
    yield* first;
    if (fault !== undefined) throw fault;
    if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { head: Buffer.concat(first).subarray(0, 2), all: all() };
}

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b;

async function* layer(chunks: Chunks, coding: string): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks);
  if (coding === 'br') yield* through(all, createBrotliDecompress());
  // Some servers send deflate bare, without the zlib head that the name stands for.
  else if (coding === 'deflate') {
    yield* through(all, ((head[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw());
  } else if (coding === 'gzip' || coding === 'x-gzip') yield* through(all, createGunzip());
  else throw new WebFetchError('CUT', `The body is packed with ${coding}, which is not read.`);
}

async function* gunzippedFile(chunks: Chunks): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks);
  yield* isGzip(head) ? through(all, createGunzip()) : all;
}

/**
 * The bytes as they were before they were packed: by the transfer (`contentEncoding`), and as a gzip file, which is
 * told by its first bytes, whatever its name. No layer grows beyond `maxBytes`.
 * @throws WebFetchError TOO_LARGE, CUT, after what could be unpacked; faults of `chunks` likewise
 */
export function unpacked(chunks: Chunks, contentEncoding: string | null, maxBytes: number): AsyncGenerator<Buffer> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const packed = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  if (packed.length > MAX_LAYERS) throw new WebFetchError('CUT', 'The body is packed too many times.');
  let inner = limited(chunks, maxBytes);
  for (const coding of packed) inner = limited(layer(inner, coding), maxBytes);
  return limited(gunzippedFile(inner), maxBytes);
}
