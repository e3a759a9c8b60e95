import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** A stream that passes on what it gets, counted and hashed on the way. */
export interface CountedBytes {
  stream: Transform;
  bytes(): number;
  /** To be read once, at the end. */
  sha256(): string;
}

export function countBytes(onProgress?: (doneBytes: number) => void): CountedBytes {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      bytes += chunk.length;
      onProgress?.(bytes);
      next(null, chunk);
    },
  });
  return { stream, bytes: () => bytes, sha256: () => hash.digest('hex') };
}
