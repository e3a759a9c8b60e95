import type { Claimed } from './claim.ts';

/** A message that this process holds under a lease. */
export interface Claim {
  readonly id: string | number;
  /** When the lease began or was renewed, by `performance.now()`. */
  readonly leasedAtMs: number;
  /** When it was last established that the message may leave, by `performance.now()`; null: never since its claim. */
  readonly validatedAtMs: number | null;
  /** The process that held it before has ended: the vendor may have accepted the message already. */
  readonly leftBehind?: boolean;
}

/** Whether a claimed message may leave. `later`: what it depends on is locked or about to change. */
export type Verdict<C> = { verdict: 'deliver'; claim: C } | { verdict: 'later' } | { verdict: 'drop' };

/** One call of the vendor or the receiver. `receipt`: what the channel records of it. */
export interface Attempt<R> {
  /**
   * `refused`: this message will never be accepted; `retry`: it may be accepted later; `unknown`: nobody knows whether it
   * was accepted; `stopped`: the shutdown ended the call before anything was accepted.
   */
  result: 'accepted' | 'refused' | 'retry' | 'unknown' | 'stopped';
  error?: string;
  /** What the vendor asked for. */
  retryAfterMs?: number | null;
  receipt?: R;
}

/** What becomes of a claimed message. */
export interface Completion<C, R> {
  claim: C;
  status: 'sent' | 'failed' | 'dropped' | 'unknown' | 'waiting';
  error: string | null;
  /** When what waits is due again: milliseconds from now, by the database's clock. */
  delayMs: number;
  /** Whether a call was made: a claim without one is no try. */
  isTried: boolean;
  receipt: R | null;
}

/**
 * A channel as the engine sees it. An adapter states how it delivers, and holds all SQL of its channel. Each of the five
 * steps asks it for one thing; everything else (worker pool, batches, leases, throttle, retries) is the engine's.
 *
 * `C` is what a claim holds, `M` a rendered message, `R` what is recorded of a call.
 */
export interface Adapter<C extends Claim, M, R> {
  readonly name: 'email' | 'sms' | 'webhook';
  /** `at most once`: after a call that ended in doubt the message is `unknown`, which is shown and never sent again. */
  readonly guarantee: 'at least once' | 'at most once';
  /** How long a claim is ours. A process that finds its claim half this old was stopped, and delivers no more of it. */
  readonly leaseMs: number;
  /** Messages that are being delivered at once by this process. */
  readonly workers: number;
  /** `vendor`: when the vendor is busy or broken all messages wait; `receiver`: the claim limits each receiver by itself. */
  readonly throttle: 'vendor' | 'receiver';
  readonly batching: {
    /** Claims in batches before workers are free; otherwise as much as free workers take at once. */
    claimsAhead: boolean;
    /** How soon the next claim follows a message that is done, as its receiver may get the next; null: it need not. */
    claimAfterMs: number | null;
    /** Completes many messages in one statement, for which no worker waits. */
    completions: boolean;
  };

  /** 1. Claims messages that are due. @param held what this process has in hand */
  claim(limit: number, held: ReadonlyMap<unknown, C>): Promise<Claimed<C>>;
  /** At most once only: completes as `unknown` what other processes left behind. Returns how many. */
  giveUpStale?(): Promise<number>;
  /** 2. For channels whose claims have to wait in hand. */
  readonly revalidation?: {
    /** Whether the vendor has accepted a message that was left behind; null where it can't know. */
    wasAccepted(claim: C): Promise<boolean | null>;
    /** Renews the leases that are still ours. Returns their ids. */
    renew(claims: readonly C[]): Promise<ReadonlySet<unknown>>;
    /** By the claims' ids. */
    validate(claims: readonly C[]): Promise<ReadonlyMap<unknown, Verdict<C>>>;
  };
  /** 3. The messages of these claims, in their order; null where there is nothing left to say. */
  render(claims: readonly C[]): Promise<readonly (M | null)[]>;
  /** 4. Makes the call. What it throws leaves open whether the message was accepted. */
  deliver(message: M, claim: C): Promise<Attempt<R>>;
  /** Milliseconds until the next try; null when the message is given up. */
  retryInMs(claim: C, attempt: Attempt<R>): number | null;
  /** 5. Records what became of messages, where the claims are still ours. */
  complete(completions: readonly Completion<C, R>[]): Promise<void>;
  /** Milliseconds until the next message is due, by the database's clock; null when none waits. */
  nextDueInMs(): Promise<number | null>;
}
