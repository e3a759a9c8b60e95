import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { WebFetchError } from '../web-fetch-guard.ts';

const PAUSE_AT = 1024 * 1024;

/**
 * Yields the chunks of a stream as they arrive. A stream that breaks discards its unread chunks; here they are yielded
 * before the error is thrown.
 */
export async function* eagerChunks(stream: Readable): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let held = 0;
  let over = false;
  let fault: unknown;
  let wake = () => {};
  const end = (error?: unknown) => {
    fault ??= error;
    over = true;
    wake();
  };
  stream.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    held += chunk.length;
    if (held > PAUSE_AT) stream.pause();
    wake();
  });
  stream.on('end', () => end());
  stream.on('error', end);
  stream.on('close', () => end(stream.readableEnded ? undefined : new Error('The stream was closed before its end.')));
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk) {
        held -= chunk.length;
        yield chunk;
        if (held === 0 && stream.isPaused()) stream.resume();
      } else if (over) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (fault !== undefined) throw fault;
  } finally {
    stream.destroy();
  }
}

export type Chunks = AsyncIterable<Buffer>;

const MAX_LAYERS = 3;

/** Yields `maxBytes` at most. @throws WebFetchError TOO_LARGE after them */
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
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** Whether the unpacker reached the end of the packed data and more data follows. */
const isTrailingDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END';

/**
 * Data before a fault of `source` is unpacked first; then that fault is thrown, not the unpacker's. An error for data
 * after the end is thrown as it is, once nothing is read from `source` any more.
 */
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
    if (isTrailingDataError(error)) {
      await feeding;
      throw error;
    }
    throw fault ?? new WebFetchError('CUT', 'The body is packed and can not be unpacked to its end.', { cause: error });
  }
  await feeding;
  if (fault !== undefined) throw fault;
}

/** Returns the first bytes, and all chunks including them. A fault before them is thrown by the chunks. */
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

/** Passes `source` through, and keeps what `reader` has not read. */
function keepUnread(source: AsyncIterator<Buffer>, reader: Readable & { bytesWritten: number }) {
  const given: Buffer[] = [];
  let dropped = 0;
  let fault: unknown;
  return {
    async *passed(): AsyncGenerator<Buffer> {
      try {
        for (let next = await source.next(); !next.done; next = await source.next()) {
          for (let old = given[0]; old && dropped + old.length <= reader.bytesWritten; old = given[0]) {
            dropped += old.length;
            given.shift();
          }
          given.push(next.value);
          yield next.value;
        }
      } catch (error) {
        fault = error;
        throw error;
      } finally {
        if (!isTrailingDataError(reader.errored)) await source.return?.();
      }
    },
    async *unread(): AsyncGenerator<Buffer> {
      yield Buffer.concat(given).subarray(reader.bytesWritten - dropped);
      if (fault !== undefined) throw fault;
      yield* { [Symbol.asyncIterator]: () => source };
    },
  };
}

/** Unpacks one gzip member and those after it. Node's own reading of several loses data before a fault. */
async function* gunzipped(chunks: Chunks): AsyncGenerator<Buffer> {
  const member = createGunzip({ rejectGarbageAfterEnd: true });
  const source = chunks[Symbol.asyncIterator]();
  const { passed, unread } = keepUnread(source, member);
  try {
    yield* through(passed(), member);
    return;
  } catch (error) {
    if (!isTrailingDataError(error)) throw error;
  }
  try {
    const { head, all } = await peek(unread());
    if (isGzip(head)) yield* through(all, createGunzip());
    // Some files are padded with zeros.
    else if (head[0] !== 0) throw new WebFetchError('CUT', 'Something else stands behind the end of what is packed.');
  } finally {
    await source.return?.();
  }
}

async function* layer(chunks: Chunks, coding: string): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks);
  if (coding === 'br') yield* through(all, createBrotliDecompress());
  // Some servers send raw deflate, without the zlib header.
  else if (coding === 'deflate') {
    yield* through(all, ((head[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw());
  } else if (coding === 'gzip' || coding === 'x-gzip') yield* gunzipped(all);
  else throw new WebFetchError('CUT', `The body is packed with ${coding}, which is not read.`);
}

async function* gunzippedFile(chunks: Chunks): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks);
  yield* isGzip(head) ? gunzipped(all) : all;
}

/**
 * Unpacks the content encodings of a transfer, and a gzip file, which is recognised by its first bytes. No layer yields
 * more than `maxBytes`.
 * @throws WebFetchError TOO_LARGE, CUT, after the data that could be unpacked; faults of `chunks` likewise
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
