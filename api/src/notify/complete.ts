import { setTimeout as sleep } from 'node:timers/promises';
import { isDataError } from '../base/database-fault.ts';
import type { Log } from '../base/log.ts';
import { measured } from '../base/measured.ts';
import type { DropRule } from '../domain/delivery/drop-rules.ts';
import type { Adapter, Attempt, Claim, Completion } from './adapter.ts';
import { makeBatcher } from './batches.ts';

const untried = { error: null, delayMs: 0, isTried: false, receipt: null } as const;

/** Ended without a call, as its content no longer holds, or by a rule, which is recorded as its error. */
export const dropped = <C>(claim: C, by: DropRule | null = null): Completion<C, never> => ({
  claim,
  status: 'dropped',
  ...untried,
  error: by,
});

/** Waits without a call; any process may claim it then. */
export const deferred = <C>(claim: C, delayMs: number): Completion<C, never> => ({
  claim,
  status: 'waiting',
  ...untried,
  delayMs,
});

/** Accepted by the vendor from a process that ended before it could record that. */
export const acceptedBefore = <C>(claim: C): Completion<C, never> => ({
  claim,
  status: 'sent',
  ...untried,
  isTried: true,
});

/** Decides the result of a message after a call: it is sent, failed, unknown, or waits to be retried. */
export function completionOf<C extends Claim, M, R>(
  adapter: Adapter<C, M, R>,
  claim: C,
  attempt: Attempt<R>,
): Completion<C, R> {
  if (attempt.result === 'stopped') return deferred(claim, 0);
  const tried = { claim, error: attempt.error ?? null, delayMs: 0, isTried: true, receipt: attempt.receipt ?? null };
  if (attempt.result === 'accepted') return { ...tried, status: 'sent' };
  if (attempt.result === 'unknown') return { ...tried, status: 'unknown' };
  const delayMs = attempt.result === 'retry' ? adapter.retryInMs(claim, attempt) : null;
  return delayMs === null ? { ...tried, status: 'failed' } : { ...tried, status: 'waiting', delayMs };
}

/** How many messages had which result. */
export type Counts = Record<'sent' | 'deferred' | 'failed' | 'dropped' | 'unknown', number>;

export interface Completer<C, R> {
  readonly counts: Counts;
  /** Records results. Resolves when the worker may go on, which is at once where completions are batched. */
  record(completion: Completion<C, R>): Promise<void>;
  /** Records results without a call in one statement. @throws when that fails; the claims then end with their leases */
  recordUntried(completions: readonly Completion<C, R>[]): Promise<void>;
  /** Counts claims that wait by now, as their validation has recorded. */
  countHeld(claims: readonly C[]): void;
  /** Resolves when everything is recorded. */
  idle(): Promise<void>;
}

const RETRY_DELAY_MS = 250;

/**
 * What to record of a result that the database refuses: first the same without what the vendor said, so that a message that
 * was accepted is sent and one that may be accepted later waits; at last that it failed.
 */
function recordable<C, R>(completion: Completion<C, R>, because: string): Completion<C, R>[] {
  const error = `The result could not be recorded: ${because}`;
  const bare = { ...completion, error, receipt: null };
  return [bare, { ...bare, status: 'failed', delayMs: 0 }];
}

/**
 * Makes the last step of a channel. It retries to record the result of a call for as long as this process lives, as an
 * accepted message would be sent twice otherwise, or be unknown. A result that the database refuses is not retried.
 * @param held the current claims, from which recorded ones are removed
 */
export function makeCompleter<C extends Claim, M, R>(
  adapter: Adapter<C, M, R>,
  { log, signal, held }: { log: Log; signal: AbortSignal | undefined; held: Map<unknown, C> },
): Completer<C, R> {
  const counts: Counts = { sent: 0, deferred: 0, failed: 0, dropped: 0, unknown: 0 };
  const recording = new Set<Promise<void>>();

  function count({ claim, status, isTried, error }: Completion<C, R>): void {
    const result = status === 'waiting' ? 'deferred' : status;
    counts[result] += 1;
    measured('message', { channel: adapter.name, result });
    if (!isTried) return;
    const { id, requestId } = claim;
    const fields = {
      channel: adapter.name,
      id,
      ...(requestId && { requestId }),
      ...(error !== null && { reason: error }),
    };
    if (status === 'sent') {
      // What a request has asked for can be followed; what matching found would be a line for each match.
      if (requestId) log.info('a message was sent', fields);
      return;
    }
    // Failures of a receiver are shown to its owner instead.
    if (adapter.throttle === 'receiver') {
      if (requestId) log.info('a message was not accepted', fields);
      return;
    }
    if (status === 'waiting') log.warn('a message waits to be retried', fields);
    else log.error(`a message is ${status}`, fields);
  }

  /** @throws a refusal of the database, and any error at shutdown */
  async function untilAnswered(completions: readonly Completion<C, R>[]): Promise<void> {
    for (;;) {
      try {
        await adapter.complete(completions);
        return;
      } catch (error) {
        if (signal?.aborted || isDataError(error)) throw error;
        log.warn('results of messages could not be recorded yet', { channel: adapter.name, error });
      }
      await sleep(RETRY_DELAY_MS);
    }
  }

  async function untilRecorded(completions: readonly Completion<C, R>[]): Promise<void> {
    try {
      await untilAnswered(completions);
    } catch (error) {
      if (!isDataError(error)) throw error;
      const [only] = completions;
      if (completions.length === 1 && only) await recordRefused(only, error);
      else for (const completion of completions) await untilRecorded([completion]);
    }
  }

  /** @throws the refusal of everything that is recordable */
  async function recordRefused(completion: Completion<C, R>, refusal: unknown): Promise<void> {
    const fields = { channel: adapter.name, id: completion.claim.id, error: refusal };
    log.error('the database refused the result of a message', fields);
    const because = refusal instanceof Error ? refusal.message : String(refusal);
    for (const other of recordable(completion, because)) {
      try {
        await untilAnswered([other]);
        return;
      } catch (error) {
        if (!isDataError(error)) throw error;
      }
    }
    throw refusal;
  }

  const inBatches = makeBatcher(async (completions: readonly Completion<C, R>[]) => {
    await untilRecorded(completions);
    return completions.map(() => undefined);
  });

  const countInBatches = makeBatcher(async (claims: readonly C[]) => {
    try {
      await adapter.countDelays?.(claims);
    } catch (error) {
      log.warn('delays of messages were not counted', { channel: adapter.name, messages: claims.length, error });
    }
    return claims;
  });

  /** Counts a message for the status after its result is recorded. No worker waits, and an error loses figures only. */
  function countDelay({ claim, status, isTried }: Completion<C, R>): void {
    if (!adapter.countDelays || !isTried || status === 'waiting') return;
    const counted: Promise<void> = countInBatches(claim)
      .then(() => undefined)
      .finally(() => recording.delete(counted));
    recording.add(counted);
  }

  async function write(completion: Completion<C, R>): Promise<void> {
    const { id } = completion.claim;
    try {
      if (!completion.isTried) await adapter.complete([completion]);
      else if (adapter.batching.completions) await inBatches(completion);
      else await untilRecorded([completion]);
      countDelay(completion);
    } catch (error) {
      log.error('the result of a message was not recorded', { channel: adapter.name, id, error });
    } finally {
      held.delete(id);
    }
  }

  return {
    counts,
    record(completion) {
      count(completion);
      const written: Promise<void> = write(completion).finally(() => recording.delete(written));
      recording.add(written);
      return adapter.batching.completions && completion.isTried ? Promise.resolve() : written;
    },
    async recordUntried(completions) {
      if (completions.length === 0) return;
      await adapter.complete(completions);
      for (const completion of completions) {
        count(completion);
        held.delete(completion.claim.id);
      }
    },
    countHeld(claims) {
      counts.deferred += claims.length;
      for (const { id } of claims) held.delete(id);
    },
    async idle() {
      while (recording.size > 0) await Promise.all(recording);
    },
  };
}
