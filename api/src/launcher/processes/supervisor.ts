import { setTimeout as sleep } from 'node:timers/promises';

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that other code resolves. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

export interface Running {
  /** Settles when it ended, by itself or not, with the reason in a sentence. */
  ended: Promise<string>;
  /** Ends it, gently first, and settles when it is gone. */
  stop(): Promise<void>;
}

/** It can't run here, and another try would end the same way. */
export class CannotRun extends Error {}

interface SupervisorOptions {
  name: string;
  /** Settles when the part is ready for work; rejects when it ended before. Called again after each death. */
  start(signal: AbortSignal): Promise<Running>;
  onDeath(reason: string): void;
  onBack(milliseconds: number): void;
  /** Called once, when the part died too often or can't run at all. */
  onGivingUp(reason: string): void;
  now?: () => number;
  delaysMs?: readonly number[];
}

export interface Supervised {
  /** Settles when the part was ready for the first time; never when it gave up. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

const DEATHS = 5;
const WINDOW_MS = 60_000;
/** After the first, second … death in the window: always below 2 s. */
const DELAYS_MS = [50, 200, 500, 1000] as const;

/** Keeps one part running: a death is followed by another start, the fifth within a minute by giving up. */
export function supervise(options: SupervisorOptions): Supervised {
  const now = options.now ?? Date.now;
  const delays = options.delaysMs ?? DELAYS_MS;
  const stopping = new AbortController();
  let deaths: number[] = [];
  let current: Running | undefined;
  let markReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  async function life(): Promise<string> {
    const began = now();
    try {
      current = await options.start(stopping.signal);
    } catch (error) {
      if (error instanceof CannotRun) throw error;
      return error instanceof Error ? error.message : String(error);
    }
    // The stop came while it started.
    if (stopping.signal.aborted) await current.stop();
    else if (deaths.length > 0) options.onBack(now() - began);
    markReady();
    return current.ended;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let reason: string;
      try {
        reason = await life();
      } catch (error) {
        if (!stopping.signal.aborted) options.onGivingUp(error instanceof Error ? error.message : String(error));
        return;
      }
      current = undefined;
      if (stopping.signal.aborted) return;
      deaths = [...deaths, now()].filter((at) => at > now() - WINDOW_MS);
      if (deaths.length >= DEATHS) {
        options.onGivingUp(`${options.name} ended ${DEATHS} times within a minute. The last time: ${reason}`);
        return;
      }
      options.onDeath(reason);
      await sleep(delays[Math.min(deaths.length, delays.length) - 1] ?? 0, undefined, {
        signal: stopping.signal,
      }).catch(() => {});
    }
  }

  const loop = run();
  return {
    ready,
    async stop() {
      stopping.abort();
      await current?.stop();
      await loop;
    },
  };
}
