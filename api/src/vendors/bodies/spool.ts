import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebFetchError } from '../web-fetch-guard.ts';
import { type Chunks, unpacked } from './unpack.ts';

const IN_MEMORY_BYTES = 1024 * 1024;
const READ_BYTES = 64 * 1024;

/** A received and unpacked body that is stored until it is closed. */
export interface SpooledBody {
  size: number;
  /** Why there is no more of it; null when it came whole. */
  fault: WebFetchError | null;
  /** Reads from the start, any number of times. @throws WebFetchError the fault, after all bytes */
  bytes(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens a file whose name is removed at once, so that nothing is left when the process dies. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `lotwatch-body-${process.pid}-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Reads a file in chunks. Each chunk has a new buffer, since the reader may keep it. @throws WebFetchError CUT, when it is too short */
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

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written)).bytesWritten;
  }
}

/**
 * Stores chunks until they end or fail: up to 1 MB in memory, more in a file without a name.
 * @param signal when it is aborted, reading a body from a file ends with its reason
 * @throws what `chunks` throws unless it is a WebFetchError; that becomes the body's fault
 */
export async function spool(chunks: Chunks, signal?: AbortSignal): Promise<SpooledBody> {
  const kept: Buffer[] = [];
  let file: FileHandle | null = null;
  let size = 0;
  let fault: WebFetchError | null = null;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (!file && size > IN_MEMORY_BYTES) {
        file = await namelessFile();
        for (const earlier of kept.splice(0)) await writeAll(file, earlier);
      }
      if (file) await writeAll(file, chunk);
      else kept.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof WebFetchError)) {
      await file?.close();
      throw error;
    }
    fault = error;
  }
  const spooled = file;
  return {
    size,
    fault,
    async *bytes() {
      yield* spooled ? chunksOf(spooled, size, signal) : kept;
      if (fault) throw fault;
    },
    async close() {
      kept.length = 0;
      await spooled?.close();
    },
  };
}

type FileBody = { status: 'ok'; body: SpooledBody; etag: string } | { status: 'unchanged' };

const stamp = async (file: FileHandle) => {
  const { size, mtimeMs, ino } = await file.stat();
  return { size, etag: `${size}-${mtimeMs}-${ino}` };
};

/** A file that is written while it is read ends with a fault, so that its missing rows have no consequences. */
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
 * Spools a file as it is now, unpacked if it is a gzip file.
 * @param options `etag` of the last whole read; `mayGrow`: the file may be appended to during the read
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
    return { status: 'ok', body: await spool(whole, options.signal), etag };
  } catch (cause) {
    if (cause instanceof WebFetchError || options.signal?.aborted) throw cause;
    throw unreadable(cause);
  } finally {
    await file.close();
  }
}
