import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { smallSemiSpace } from '../../base/small-heap.ts';
import type { PhotoWidth } from '../../domain/photo-sizes.ts';
import { photoType, UnreadablePhoto } from './read-photo.ts';

export type PhotoFormat = 'avif' | 'webp' | 'jpeg';

export interface PhotoSize {
  width: PhotoWidth;
  format: PhotoFormat;
}

/** The photo takes more time or memory than scaling may, or ended the process that scaled it, in whatever size. */
export class UnscalablePhoto extends Error {}

export interface PhotoScaler {
  /**
   * Scales the first picture of a photo to at most this width, upright, and encodes it without its metadata.
   * @throws UnreadablePhoto for broken bytes, or more than 60 megapixels; UnscalablePhoto after ten seconds, for one that has
   * to be decoded whole and is too large for that, or when the process has ended; another error when it can't be asked
   */
  scale(bytes: Uint8Array, size: PhotoSize): Promise<Buffer>;
  close(): void;
}

/** Loading the decoder takes 0.2 s, so that its process stays for the next photos of a page; then its memory is free again. */
const IDLE_MS = 30_000;
const TIMEOUT_MS = 10_000;

const file = fileURLToPath(new URL('./scale-photo-child.mjs', import.meta.url));

interface Scaled {
  id: number;
  scaled: Uint8Array | 'unreadable' | 'unscalable';
}

interface Waiting {
  resolve(scaled: Buffer): void;
  reject(error: Error): void;
  timeout: NodeJS.Timeout;
}

/** Scales photos in a child process, which is started with the first one and ends when none came for a while. */
export function makePhotoScaler({ idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS } = {}): PhotoScaler {
  const waiting = new Map<number, Waiting>();
  let running: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function settle(id: number, how: (one: Waiting) => void): void {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    clearTimeout(one.timeout);
    how(one);
    if (waiting.size > 0) return;
    // Nothing waits for it, so that it keeps nobody from ending.
    running?.channel?.unref();
    idle = setTimeout(close, idleMs).unref();
  }

  function end(why: Error): void {
    clearTimeout(idle);
    running?.kill('SIGKILL');
    running = null;
    for (const id of waiting.keys()) settle(id, ({ reject }) => reject(why));
    clearTimeout(idle);
  }

  const close = () => end(new Error('No photos are scaled now.'));

  function start(): ChildProcess {
    const child = fork(file, [], {
      // None of our settings, and none of our own options.
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [smallSemiSpace],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.on('message', ({ id, scaled }: Scaled) =>
      settle(id, ({ resolve, reject }) => {
        if (scaled === 'unreadable') reject(new UnreadablePhoto('The photo can not be decoded.'));
        else if (scaled === 'unscalable') reject(new UnscalablePhoto('The photo takes too much memory.'));
        else resolve(Buffer.from(scaled));
      }),
    );
    const ended = (why: Error) => {
      if (running === child) end(why);
    };
    child.once('error', ended);
    child.once('exit', () => ended(new UnscalablePhoto('The process that scales photos ended.')));
    return child;
  }

  return {
    scale(bytes, size) {
      // Drawings (SVG) and documents never reach the decoder.
      if (photoType(bytes) === null) return Promise.reject(new UnreadablePhoto('It is not a photo.'));
      return new Promise((resolve, reject) => {
        clearTimeout(idle);
        running ??= start();
        running.channel?.ref();
        lastId += 1;
        const id = lastId;
        const timeout = setTimeout(() => {
          // A process can't be told to stop decoding.
          end(new UnscalablePhoto('Scaling the photo takes too long.'));
        }, timeoutMs);
        waiting.set(id, { resolve, reject, timeout });
        running.send({ id, bytes, ...size }, (error) => {
          if (error) settle(id, (one) => one.reject(error));
        });
      });
    },
    close,
  };
}
