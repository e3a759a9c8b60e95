import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebFetchError } from '../web-fetch-error.ts';
import type { Chunks } from './unpack.ts';

const IN_MEMORY_BYTES = 1024 * 1024;
const READ_BYTES = 64 * 1024;

/** A body that was received, unpacked, and lies still until it is closed. */
export interface SpooledBody {
  size: number;
  /** Why there is no more of it; null when it came whole. */
  fault: WebFetchError | null;
  /** From the start, as often as asked. @throws WebFetchError the fault, after all bytes */
  bytes(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Nothing is left of it when its holder dies: the name is gone before the first byte. */
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

async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    // A new buffer each time: who reads may keep what it was given.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield bytesRead < READ_BYTES ? buffer.subarray(0, bytesRead) : buffer;
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written)).bytesWritten;
  }
}

/**
 * Takes chunks in until they end or fail: 1 MB stays in memory, more goes to a file without a name.
 * @throws what `chunks` throws unless it is a WebFetchError; that becomes the body's fault
 */
export async function spool(chunks: Chunks): Promise<SpooledBody> {
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
      yield* spooled ? bytesOf(spooled, size) : kept;
      if (fault) throw fault;
    },
    async close() {
      kept.length = 0;
      await spooled?.close();
    },
  };
}
