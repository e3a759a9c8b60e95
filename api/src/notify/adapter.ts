import type { DropRule } from '../domain/delivery/drop-rules.ts';
import type { ChannelName } from '../entities/delivery-channels.ts';
import type { Claimed } from './claim.ts';

/** A message that this process holds under a lease. */
export interface Claim {
  readonly id: string | number;
  /** When the lease began or was renewed, by `performance.now()`. */
  readonly leasedAtMs: number;
  /** When the message was last validated, by `performance.now()`; null: not since its claim. */
  readonly validatedAtMs: number | null;
  /** Whether the process that held it before has ended, in which case the vendor may already have accepted the message. */
  readonly leftBehind?: boolean;
  /** The request or job run that asked for this message. */
  readonly requestId?: string | null;
}

/**
 * Whether a claimed message may leave. `later`: what it depends on is locked or about to change; `held`: a rule of its reader
 * holds it, and it waits by now, as the validation has recorded that in its transaction.
 */
export type Verdict<C> =
  | { verdict: 'deliver'; claim: C }
  | { verdict: 'later' }
  | { verdict: 'held' }
  | { verdict: 'drop'; by?: DropRule };

/** The outcome of one call to the vendor or the receiver. `receipt`: what the channel records of it. */
export interface Attempt<R> {
  /**
   * `refused`: this message will never be accepted; `retry`: it may be accepted later; `unknown`: whether it was accepted
   * is not known; `stopped`: the shutdown ended the call before anything was accepted.
   */
  result: 'accepted' | 'refused' | 'retry' | 'unknown' | 'stopped';
  error?: string;
  /** The delay that the vendor asked for. */
  retryAfterMs?: number | null;
  receipt?: R;
}

/** The result for a claimed message. */
export interface Completion<C, R> {
  claim: C;
  status: 'sent' | 'failed' | 'dropped' | 'unknown' | 'waiting';
  error: string | null;
  /** When a waiting message is due again: milliseconds from now, by the database's clock. */
  delayMs: number;
  /** Whether a call was made. A claim without one does not count as an attempt. */
  isTried: boolean;
  receipt: R | null;
}

/**
 * A channel as the engine sees it. An adapter states how it delivers, and contains all SQL of its channel. Each of the five
 * steps calls one of its methods; everything else (worker pool, batches, leases, throttle, retries) is part of the engine.
 *
 * `C` is a claim, `M` a rendered message, `R` the record of a call.
 */
export interface Adapter<C extends Claim, M, R> {
  /** As the list of channels and logs name it. */
  readonly name: ChannelName;
  /** `at most once`: a message whose acceptance is not known becomes `unknown`, which is shown and never sent again. */
  readonly guarantee: 'at least once' | 'at most once';
  /** How long a claim lasts. A process whose claim is half this old was stopped meanwhile, and does not deliver it. */
  readonly leaseMs: number;
  /** How many messages this process delivers concurrently. */
  readonly workers: number;
  /** `vendor`: all messages wait while the vendor is busy or broken; `receiver`: the claim limits each receiver separately. */
  readonly throttle: 'vendor' | 'receiver';
  readonly batching: {
    /** Whether batches are claimed before workers are free; otherwise only as many messages as there are free workers. */
    claimsAhead: boolean;
    /** Milliseconds from the end of a delivery to the next claim, as its receiver may get another message; null: no such claim. */
    claimAfterMs: number | null;
    /** Whether many messages are completed in one statement, for which no worker waits. */
    completions: boolean;
  };

  /** 1. Claims messages that are due. @param held the claims that this process already has */
  claim(limit: number, held: ReadonlyMap<unknown, C>): Promise<Claimed<C>>;
  /** At most once only: completes messages that other processes left behind as `unknown`. Returns how many. */
  giveUpStale?(): Promise<number>;
  /** 2. For channels whose claims may wait before they are delivered. */
  readonly revalidation?: {
    /** Whether the vendor has accepted a message that was left behind; null where it can't say. */
    wasAccepted(claim: C): Promise<boolean | null>;
    /** Renews the leases that this process still has. Returns the ids of those claims. */
    renew(claims: readonly C[]): Promise<ReadonlySet<unknown>>;
    /** Validates claims. Returns verdicts by claim id. */
    validate(claims: readonly C[]): Promise<ReadonlyMap<unknown, Verdict<C>>>;
  };
  /** 3. Renders the messages of these claims, in their order; null where a message has no content any more. */
  render(claims: readonly C[]): Promise<readonly (M | null)[]>;
  /** 4. Makes the call. An error leaves open whether the message was accepted. */
  deliver(message: M, claim: C): Promise<Attempt<R>>;
  /** Milliseconds until the next attempt; null when the message is given up. */
  retryInMs(claim: C, attempt: Attempt<R>): number | null;
  /** 5. Records the results of messages whose claims are still valid. */
  complete(completions: readonly Completion<C, R>[]): Promise<void>;
  /** Counts how long messages took that have ended after a call, for the status. Their results are recorded by then. */
  countDelays?(claims: readonly C[]): Promise<void>;
  /** Milliseconds until the next message is due, by the database's clock; null when none waits. */
  nextDueInMs(): Promise<number | null>;
}
