import { setTimeout as sleep } from 'node:timers/promises';

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

/** Makes a promise and its resolve function. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

export interface Running {
  /** Resolves with the reason, as a sentence, when the part has exited for any reason. */
  ended: Promise<string>;
  /** Stops it, gracefully first, and resolves when it has exited. */
  stop(): Promise<void>;
}

/** The part can't run here, so that restarting it is useless. */
export class CannotRun extends Error {}

interface SupervisorOptions {
  name: string;
  /** Resolves when the part is ready, and rejects when it exits before. Called again after each exit. */
  start(signal: AbortSignal): Promise<Running>;
  onExit(reason: string): void;
  onRestarted(milliseconds: number): void;
  /** Called once, when the part exits too often or can't run. */
  onGivingUp(reason: string): void;
  now?: () => number;
  delaysMs?: readonly number[];
}

export interface Supervised {
  /** Resolves when the part is ready for the first time. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

const MAX_EXITS = 5;
const WINDOW_MS = 60_000;
/** The delays after the first, second … exit in the window, all below 2 s. */
const DELAYS_MS = [50, 200, 500, 1000] as const;

/** Restarts a part after each exit, and gives up at the fifth within a minute. */
export function supervise(options: SupervisorOptions): Supervised {
  const now = options.now ?? Date.now;
  const delays = options.delaysMs ?? DELAYS_MS;
  const stopping = new AbortController();
  let exits: number[] = [];
  let current: Running | undefined;
  let markReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  async function runOnce(): Promise<string> {
    const began = now();
    try {
      current = await options.start(stopping.signal);
    } catch (error) {
      if (error instanceof CannotRun) throw error;
      return error instanceof Error ? error.message : String(error);
    }
    // It was stopped during its start.
    if (stopping.signal.aborted) await current.stop();
    else if (exits.length > 0) options.onRestarted(now() - began);
    markReady();
    return current.ended;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let reason: string;
      try {
        reason = await runOnce();
      } catch (error) {
        if (!stopping.signal.aborted) options.onGivingUp(error instanceof Error ? error.message : String(error));
        return;
      }
      current = undefined;
      if (stopping.signal.aborted) return;
      exits = [...exits, now()].filter((at) => at > now() - WINDOW_MS);
      if (exits.length >= MAX_EXITS) {
        options.onGivingUp(`${options.name} ended ${MAX_EXITS} times within a minute. The last time: ${reason}`);
        return;
      }
      options.onExit(reason);
      await sleep(delays[Math.min(exits.length, delays.length) - 1] ?? 0, undefined, {
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
