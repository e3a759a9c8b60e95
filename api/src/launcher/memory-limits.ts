import { smallSemiSpace } from '../base/small-heap.ts';

/**
 * Node's arguments for the processes of LotWatch. V8 lets short-lived objects pile up to three times the size of a
 * semi-space, in megabytes, before it looks at them, 100 MB by default. Reading a long feed makes many of them, which is
 * what the worker's numbers are for. `--expose-gc` is for collect-garbage.mjs.
 */
export const memoryLimits = {
  api: ['--expose-gc', '--max-semi-space-size=4'],
  worker: ['--expose-gc', '--max-semi-space-size=8', '--max-old-space-size=256'],
  local: ['--expose-gc', smallSemiSpace, '--max-old-space-size=64'],
  /** Repeated by `npm start` and by the image of docker-compose.yml, which a test compares. */
  launcher: ['--expose-gc', smallSemiSpace],
};

/** By default the C library keeps freed memory for every thread apart, and returns little of it. */
export const memoryEnvironment = { MALLOC_ARENA_MAX: '2' };
