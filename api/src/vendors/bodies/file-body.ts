import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { WebFetchError } from '../web-fetch-error.ts';
import { type SpooledBody, spool } from './spool.ts';
import { unpacked } from './unpack.ts';

const READ_BYTES = 64 * 1024;

export type FileBody = { status: 'ok'; body: SpooledBody; etag: string } | { status: 'unchanged' };

async function* chunksOf(file: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    signal?.throwIfAborted();
    const length = Math.min(READ_BYTES, size - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new WebFetchError('CUT', 'The file became shorter while it was read.');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const stamp = async (file: FileHandle) => {
  const { size, mtimeMs, ino } = await file.stat();
  return { size, etag: `${size}-${mtimeMs}-${ino}` };
};

/** Whoever writes on while we read leaves us half of it: the whole ones of it count, but nothing follows from the rest. */
async function* unlessChanged(chunks: AsyncGenerator<Buffer>, file: FileHandle, etag: string): AsyncGenerator<Buffer> {
  yield* chunks;
  if ((await stamp(file)).etag !== etag) throw new WebFetchError('CUT', 'The file changed while it was read.');
}

const reasons: Record<string, string> = {
  ENOENT: 'it is not there',
  EACCES: 'we may not read it',
  EPERM: 'we may not read it',
  EISDIR: 'it is no file',
  ENXIO: 'it is no file',
};

function unreadable(cause: unknown): WebFetchError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new WebFetchError('UNREACHABLE', `The file can't be read: ${reasons[code] ?? (code || String(cause))}.`, {
    cause,
  });
}

/**
 * Copies a file as it is now, unpacked if it is a gzip file.
 * @param options.etag of the last whole read; `mayGrow`: it is appended to, so more at its end is no fault
 * @throws WebFetchError UNREACHABLE when it is missing, no plain file, or may not be read
 */
export async function readFileBody(
  path: string,
  options: { etag: string | null; maxBytes: number; mayGrow: boolean; signal?: AbortSignal | undefined },
): Promise<FileBody> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK a pipe that nobody writes to would hold us for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw unreadable(cause);
  }
  try {
    if (!(await file.stat()).isFile()) throw new WebFetchError('UNREACHABLE', "The file can't be read: it is no file.");
    const { size, etag } = await stamp(file);
    if (options.etag === etag) return { status: 'unchanged' };
    const chunks = chunksOf(file, size, options.signal);
    const whole = unpacked(options.mayGrow ? chunks : unlessChanged(chunks, file, etag), null, options.maxBytes);
    return { status: 'ok', body: await spool(whole), etag };
  } catch (cause) {
    if (cause instanceof WebFetchError || options.signal?.aborted) throw cause;
    throw unreadable(cause);
  } finally {
    await file.close();
  }
}
