import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Adapter, Claim, Completion } from './adapter.ts';
import { isolateFaults, makeBatcher } from './batches.ts';
import { makeBatchSize } from './claim.ts';
import { type Counts, completionOf, deferred, makeCompleter } from './complete.ts';
import { deliver, isOurs, makeWorkerPool } from './deliver.ts';
import { type Rendered, render } from './render.ts';
import { isFresh, revalidate } from './revalidate.ts';
import { makeVendorThrottle, unthrottled } from './vendor-throttle.ts';

export interface EngineParts {
  pool: Pool;
  log: Log;
  /** Aborted at shutdown: nothing more is claimed, calls under way are finished or ended, and other claims are released. */
  signal?: AbortSignal | undefined;
}

export interface Engine {
  /** Claims all that is due and begins to deliver it, also what becomes due while that goes on. Waits for no delivery. */
  run(): Promise<{ nextInMs: number | null }>;
  /** Delivers all that is due, and resolves when nothing is in hand and everything is recorded. */
  drain(): Promise<Counts & { nextInMs: number | null }>;
  /** Resolves when nothing is in hand any more. */
  idle(): Promise<void>;
}

/** How often new work is looked for while the workers wait for a slow vendor. */
const IDLE_MS = 200;
/** What just became due, or is locked for a moment, is not claimed sooner. */
const AT_ONCE_MS = 25;
const FAILED_AGAIN_MS = 1_000;

/**
 * Delivers the messages of one channel. Each goes through five steps, a file each: claim, revalidate, render, deliver,
 * complete. Any number of processes may run at once, as a message is delivered only under a lease. A new channel is an
 * `Adapter`, which says what each step needs of it; nothing here or in the five files knows a channel.
 */
export function makeEngine<C extends Claim, M, R>(adapter: Adapter<C, M, R>, parts: EngineParts): Engine {
  const { pool, log, signal } = parts;
  const { claimsAhead, claimAfterMs } = adapter.batching;
  const throttle = adapter.throttle === 'vendor' ? makeVendorThrottle() : unthrottled;
  const held = new Map<unknown, C>();
  const completer = makeCompleter(adapter, { log, signal, held });
  const batchSize = makeBatchSize();

  /** Takes claims as far as they can be delivered. What ended on the way is completed, and is not returned. */
  function prepare(claims: readonly C[]): Promise<Rendered<C, M>[]> {
    return isolateFaults(
      pool,
      claims,
      async (some) => {
        const { valid, ended } = await revalidate(adapter, some);
        const { rendered, ended: empty } = await render(adapter, valid);
        const all: Completion<C, R>[] = [...ended, ...empty];
        await completer.recordUntried(all.filter(({ isTried }) => !isTried));
        for (const completion of all.filter(({ isTried }) => isTried)) await completer.record(completion);
        return rendered;
      },
      async (claim, fault) => {
        const error = fault instanceof Error ? fault.message : String(fault);
        await completer.record(completionOf(adapter, claim, { result: 'retry', error }));
        return [];
      },
    );
  }

  const prepareAgain = makeBatcher(async (claims: readonly C[]) => {
    const rendered = new Map((await prepare(claims)).map((one) => [one.claim.id, one]));
    // Those that another process has taken over are no longer held.
    for (const { id } of claims) if (!rendered.has(id)) held.delete(id);
    return claims.map(({ id }) => rendered.get(id) ?? null);
  });

  async function process(first: Rendered<C, M>): Promise<void> {
    const heldMs = throttle.heldMs();
    // Of what was claimed ahead, other processes shall not try everything at a vendor that asked for time.
    if (signal?.aborted || heldMs > 0)
      return completer.record(deferred(first.claim, signal?.aborted || !claimsAhead ? 0 : heldMs));
    if (!isFresh(adapter, first.claim)) batchSize.tooLarge();
    const ready = isFresh(adapter, first.claim) ? first : await prepareAgain(first.claim);
    if (!ready) return;
    const { claim, message } = ready;
    if (!isOurs(adapter, claim)) return completer.record(deferred(claim, 0));
    await completer.record(completionOf(adapter, claim, await deliver(adapter, throttle, message, claim)));
  }

  const workers = makeWorkerPool<Rendered<C, M>>(adapter.workers, (rendered) =>
    process(rendered).catch((error: unknown) => {
      held.delete(rendered.claim.id);
      log.error('a message could not be handled', { channel: adapter.name, id: rendered.claim.id, error });
    }),
  );

  /** How many messages may be claimed now. */
  function room(): number {
    if (signal?.aborted) return 0;
    const free = adapter.workers - (claimsAhead ? workers.waiting : workers.inHand);
    return free <= 0 ? 0 : Math.min(throttle.room(workers.inHand), claimsAhead ? Number.POSITIVE_INFINITY : free);
  }

  /** Returns whether more may be due, for which there is no room now. */
  async function claimAll(): Promise<boolean> {
    for (let limit = room(); limit > 0; limit = room()) {
      const most = claimsAhead ? batchSize.next(workers.waiting > 0) : limit;
      const { claims, isDone } = await adapter.claim(Math.min(limit, most), held);
      for (const claim of claims) held.set(claim.id, claim);
      try {
        for (const rendered of await prepare(claims)) workers.add(rendered);
      } catch (error) {
        for (const { id } of claims) held.delete(id);
        throw error;
      }
      if (isDone) return false;
    }
    return true;
  }
  /** One at a time; those that ask meanwhile share the next. */
  const fill = makeBatcher(async (asked: readonly undefined[]) => {
    const mayBeMore = await claimAll();
    return asked.map(() => mayBeMore);
  });

  async function deliverAll(): Promise<void> {
    while (!signal?.aborted) {
      const doneBefore = workers.done;
      const mayBeMore = await fill(undefined);
      // What was done meanwhile may have made room at its receiver, which the claim did not see.
      const mayFollow = claimAfterMs !== null && workers.done > doneBefore;
      if (workers.inHand === 0 && !mayFollow && !(mayBeMore && room() > 0)) return;
      const progress = mayBeMore || claimAfterMs !== null ? workers.change() : workers.idle();
      if (!mayFollow) await Promise.race([progress, sleep(IDLE_MS)]);
      if (claimAfterMs) await sleep(claimAfterMs);
    }
  }

  async function idle(): Promise<void> {
    await workers.idle();
    await completer.idle();
  }

  async function nextInMs(): Promise<number | null> {
    if (signal?.aborted) return null;
    const next = await adapter.nextDueInMs();
    return next === null ? null : Math.max(throttle.heldMs(), AT_ONCE_MS, Math.ceil(next));
  }

  let background: Promise<void> | undefined;
  async function deliverInBackground(): Promise<void> {
    for (;;) {
      try {
        return await deliverAll();
      } catch (error) {
        log.warn('messages could not be claimed', { channel: adapter.name, error });
      }
      if (workers.inHand === 0) return;
      await sleep(FAILED_AGAIN_MS);
    }
  }

  return {
    async run() {
      background ??= deliverInBackground().finally(() => {
        background = undefined;
      });
      await fill(undefined);
      return { nextInMs: await nextInMs() };
    },
    async drain() {
      const before = { ...completer.counts };
      try {
        if (adapter.giveUpStale) completer.counts.unknown += await adapter.giveUpStale();
        await deliverAll();
      } finally {
        await idle();
      }
      const { counts } = completer;
      return {
        sent: counts.sent - before.sent,
        deferred: counts.deferred - before.deferred,
        failed: counts.failed - before.failed,
        dropped: counts.dropped - before.dropped,
        unknown: counts.unknown - before.unknown,
        nextInMs: await nextInMs(),
      };
    },
    async idle() {
      while (background || workers.inHand > 0) await Promise.all([background, idle()]);
      await idle();
    },
  };
}
