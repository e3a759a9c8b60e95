import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Adapter, Claim, Completion } from './adapter.ts';
import { isolateFaults, makeBatcher } from './batches.ts';
import { type Claimed, makeBatchSize } from './claim.ts';
import { type Counts, completionOf, deferred, makeCompleter } from './complete.ts';
import { deliver, isClaimValid, makeWorkerPool } from './deliver.ts';
import { type Rendered, render } from './render.ts';
import { forgetHeld, isHeldAfterRestore } from './restored/held-channels.ts';
import { isNotSendable } from './restored/running-server.ts';
import { isFresh, revalidate } from './revalidate.ts';
import { makeVendorThrottle, unthrottled } from './vendor-throttle.ts';

export interface EngineParts {
  pool: Pool;
  log: Log;
  /** Aborted at shutdown: nothing more is claimed, calls under way are finished or ended, and other claims are released. */
  signal?: AbortSignal | undefined;
}

export interface Engine {
  /** Claims all that is due, or becomes due meanwhile, and begins to deliver it. Does not wait for deliveries. */
  run(): Promise<{ nextInMs: number | null }>;
  /** Delivers all that is due, and resolves when every result is recorded. */
  drain(): Promise<Counts & { nextInMs: number | null }>;
  /** Resolves when there are no claims any more. */
  idle(): Promise<void>;
}

/** How often new work is claimed while the workers wait for a slow vendor. */
const IDLE_MS = 200;
/** The least delay before the next claim, for rows that just became due or are locked for a short time. */
const MIN_DELAY_MS = 25;
const RETRY_MS = 1_000;
/** How often a channel that is held after a restore looks whether it still is. */
const HELD_MS = 5_000;

/**
 * Delivers the messages of one channel. Each goes through five steps, a file each: claim, revalidate, render, deliver,
 * complete. Any number of processes may run concurrently, as a message is delivered only under a lease. A new channel is an
 * `Adapter`, which implements what each step needs; nothing here or in the five files depends on a channel.
 */
export function makeEngine<C extends Claim, M, R>(adapter: Adapter<C, M, R>, parts: EngineParts): Engine {
  const { pool, log, signal } = parts;
  const { claimsAhead, claimAfterMs } = adapter.batching;
  const throttle = adapter.throttle === 'vendor' ? makeVendorThrottle() : unthrottled;
  const held = new Map<unknown, C>();
  const completer = makeCompleter(adapter, { log, signal, held });
  const batchSize = makeBatchSize();

  /** Revalidates and renders claims. Those that end on the way are completed, and not returned. */
  function prepare(claims: readonly C[]): Promise<Rendered<C, M>[]> {
    return isolateFaults(
      parts,
      claims,
      async (some) => {
        const { valid, held: waiting, ended } = await revalidate(adapter, some);
        completer.countHeld(waiting);
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
    // Claims that another process has taken over are no longer held.
    for (const { id } of claims) if (!rendered.has(id)) held.delete(id);
    return claims.map(({ id }) => rendered.get(id) ?? null);
  });

  async function deliverOne(first: Rendered<C, M>): Promise<void> {
    const pausedMs = throttle.pausedMs();
    // Releases claims with the vendor's delay, so that other processes do not deliver them to a vendor that asked for it.
    if (signal?.aborted || pausedMs > 0)
      return completer.record(deferred(first.claim, signal?.aborted || !claimsAhead ? 0 : pausedMs));
    if (!isFresh(adapter, first.claim)) batchSize.tooLarge();
    const ready = isFresh(adapter, first.claim) ? first : await prepareAgain(first.claim);
    if (!ready) return;
    const { claim, message } = ready;
    if (!isClaimValid(adapter, claim)) return completer.record(deferred(claim, 0));
    await completer.record(completionOf(adapter, claim, await deliver(adapter, throttle, message, claim)));
  }

  const workers = makeWorkerPool<Rendered<C, M>>(adapter.workers, (rendered) =>
    deliverOne(rendered).catch((error: unknown) => {
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

  /**
   * Claims again after it was refused once, as a server that was only restarted is then known.
   * @throws any error but that the channel is held, or its server not known yet
   */
  async function claimSome(most: number, isFirst = true): Promise<Claimed<C>> {
    try {
      return await adapter.claim(most, held);
    } catch (error) {
      if (!isNotSendable(error)) throw error;
      forgetHeld(pool);
    }
    if (isFirst && !(await isHeldAfterRestore(pool, adapter.name, log))) return claimSome(most, false);
    return { claims: [], isDone: true };
  }

  /** Returns whether more may be due, for which there are no free workers now. */
  async function claimAll(): Promise<boolean> {
    if (await isHeldAfterRestore(pool, adapter.name, log)) return false;
    for (let limit = room(); limit > 0; limit = room()) {
      const most = claimsAhead ? batchSize.next(workers.waiting > 0) : limit;
      const { claims, isDone } = await claimSome(Math.min(limit, most));
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
  /** Runs one at a time; all calls of meanwhile share the next run. */
  const fill = makeBatcher(async (asked: readonly true[]) => {
    const mayBeMore = await claimAll();
    return asked.map(() => mayBeMore);
  });

  async function deliverAll(): Promise<void> {
    while (!signal?.aborted) {
      const doneBefore = workers.done;
      const mayBeMore = await fill(true);
      // Deliveries that ended meanwhile may have made room at their receivers after the claim.
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
    if (await isHeldAfterRestore(pool, adapter.name, log)) return HELD_MS;
    const next = await adapter.nextDueInMs();
    return next === null ? null : Math.max(throttle.pausedMs(), MIN_DELAY_MS, Math.ceil(next));
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
      await sleep(RETRY_MS);
    }
  }

  return {
    async run() {
      background ??= deliverInBackground().finally(() => {
        background = undefined;
      });
      await fill(true);
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
