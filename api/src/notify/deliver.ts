import pLimit from 'p-limit';
import { withRequestId } from '../base/request-id.ts';
import { traced, type Work } from '../base/traced.ts';
import type { Adapter, Attempt, Claim } from './adapter.ts';
import type { Throttle } from './vendor-throttle.ts';

/** Whether a claim is certainly still valid. A process that was stopped may have lost it to another one. */
export const isClaimValid = <C extends Claim, M, R>({ leaseMs }: Adapter<C, M, R>, { leasedAtMs }: C): boolean =>
  performance.now() - leasedAtMs <= leaseMs / 2;

/**
 * Calls the vendor or the receiver once, and updates the throttle. A call that throws leaves open whether the message was
 * accepted: by the channel's guarantee it is then retried, or it stays unknown.
 */
export async function deliver<C extends Claim, M, R>(
  adapter: Adapter<C, M, R>,
  throttle: Throttle,
  message: M,
  claim: C,
): Promise<Attempt<R>> {
  const startedAtMs = performance.now();
  const work: Work = {
    name: `deliver ${adapter.name}`,
    kind: 'producer',
    attributes: { 'message.id': String(claim.id) },
  };
  const call = async () => {
    const called = await adapter.deliver(message, claim);
    work.attributes['message.result'] = called.result;
    return called;
  };
  const attempt = await withRequestId(claim.requestId, () => traced(work, call)).catch(
    (error: unknown): Attempt<R> => ({
      result: adapter.guarantee === 'at most once' ? 'unknown' : 'retry',
      error: error instanceof Error ? error.message : String(error),
    }),
  );
  if (attempt.result === 'accepted') throttle.accepted();
  else if (attempt.result === 'retry' || attempt.result === 'unknown')
    throttle.failed(startedAtMs, attempt.retryAfterMs ?? null);
  return attempt;
}

export interface WorkerPool<T> {
  add(item: T): void;
  /** Items that were added and not begun. */
  readonly waiting: number;
  /** Items that were added and not done. */
  readonly inHand: number;
  /** How many items are done since the start. */
  readonly done: number;
  /** Resolves when the next item is done; at once where there is none. */
  change(): Promise<void>;
  /** Resolves when all items are done. */
  idle(): Promise<void>;
}

/** Handles the added items, the oldest first, several concurrently. @param handle must not reject */
export function makeWorkerPool<T>(workers: number, handle: (item: T) => Promise<void>): WorkerPool<T> {
  const limited = pLimit(workers);
  let inHand = 0;
  let done = 0;
  let waiters: (() => void)[] = [];
  const change = () => (inHand === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiters.push(resolve)));
  return {
    add(item) {
      inHand += 1;
      void limited(handle, item).finally(() => {
        inHand -= 1;
        done += 1;
        const resolving = waiters;
        waiters = [];
        for (const resolve of resolving) resolve();
      });
    },
    get waiting() {
      return limited.pendingCount;
    },
    get inHand() {
      return inHand;
    },
    get done() {
      return done;
    },
    change,
    async idle() {
      while (inHand > 0) await change();
    },
  };
}
