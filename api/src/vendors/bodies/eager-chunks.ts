import type { Readable } from 'node:stream';

const PAUSE_AT = 1024 * 1024;

/**
 * The chunks of a stream, taken as they come. A stream that breaks off throws away what nobody has read yet; here that
 * is handed out first, and the error comes after it.
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
