import { setTimeout as sleep } from 'node:timers/promises';

/** After each batch it rests this many times as long as the batch took: whoever else is at work comes first. */
const REST = 3;

/** Runs one batch after another, with a rest behind each, until one says that it was the last or the worker stops. */
export async function atLeisure(signal: AbortSignal | undefined, batch: () => Promise<'more' | 'last'>): Promise<void> {
  while (!signal?.aborted) {
    const startedAt = performance.now();
    if ((await batch()) === 'last') return;
    await sleep((performance.now() - startedAt) * REST, undefined, { signal }).catch(() => {});
  }
}
