import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { needsElite } from '../policies/owned-records.ts';
import { type KnownKey, unknownKey } from './find-key.ts';
import { type Quota, releaseRequests, renewRequests, type Taken, takeRequests } from './take-requests.ts';

/** What remains of an account's quota after a request. */
export interface RateLimitStatus {
  limit: number;
  remaining: number;
  /** Seconds until the hour's quota is full again. */
  resetSeconds: number;
}

export interface Admission {
  /** null where rate limits are off. */
  rateLimit: RateLimitStatus | null;
  /** Why the request is refused; null when it is admitted. */
  refusal: AppError | null;
  /** Call it when the request is answered. */
  release(): void;
}

interface RequestQuota {
  /** Checks that the key is valid, and counts one request of its account. */
  admit(key: KnownKey): Promise<Admission>;
  /** Releases all answered requests. */
  close(): Promise<void>;
}

interface Waiting {
  key: KnownKey;
  resolve(admission: Admission): void;
  reject(error: unknown): void;
}

/** An admitted request that is not answered yet. */
interface Held {
  lease: number;
  since: number;
  renewedAt: number;
}

/** The requests of one account in this process: those that wait for the statement in progress, and those to be released. */
interface Queue {
  waiting: Waiting[];
  finished: number[];
  held: Set<Held>;
  isAsking: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Answered requests are released by the next request's statement, or after this time without one. */
const RELEASE_AFTER_MS = 5;
/** A third of a lease's duration. */
const RENEW_EVERY_MS = 8_000;
/** No answer takes longer, so that a request whose end was missed stops counting. */
const MAX_ANSWER_MS = 15 * 60_000;
const BATCH_SIZE = 200;
const UNLIMITED = 2 ** 31 - 1;

interface RequestQuotaParts {
  pool: Pool;
  log: Log;
  quota: Quota & { on: boolean };
  renewEveryMs?: number;
}

/** Counts in PostgreSQL, for all processes together. Requests of one account that wait are counted in one statement. */
export function makeRequestQuota({ pool, log, quota, renewEveryMs = RENEW_EVERY_MS }: RequestQuotaParts): RequestQuota {
  const { on, perHour, atOnce } = quota;
  const bounds = on ? { perHour, atOnce } : { perHour: UNLIMITED, atOnce: UNLIMITED };
  const queues = new Map<number, Queue>();

  function queueOf(userId: number): Queue {
    const known = queues.get(userId);
    if (known) return known;
    const made: Queue = { waiting: [], finished: [], held: new Set(), isAsking: false, timer: undefined };
    queues.set(userId, made);
    return made;
  }

  async function ask(userId: number, queue: Queue): Promise<void> {
    queue.isAsking = true;
    while (queue.waiting.length > 0) {
      const asked = queue.waiting.splice(0, BATCH_SIZE);
      const finished = queue.finished.splice(0);
      const keyIds = asked.map(({ key }) => key.id);
      try {
        const taken = await takeRequests(pool, userId, keyIds, bounds, finished);
        // When none of the keys is valid the statement counted and released nothing.
        if (!keyIds.some((id) => taken.ends.get(id) === null)) queue.finished.push(...finished);
        answer(queue, userId, asked, taken);
      } catch (error) {
        queue.finished.push(...finished);
        for (const { reject } of asked) reject(error);
      }
    }
    queue.isAsking = false;
    releaseLater(userId, queue);
  }

  function answer(queue: Queue, userId: number, asked: readonly Waiting[], taken: Taken): void {
    const leases = [...taken.leases];
    const resetSeconds = Math.max(1, Math.ceil(taken.secondsLeft));
    for (const { key, resolve } of asked) {
      const end = taken.ends.get(key.id);
      const lease = end === null ? leases.shift() : undefined;
      const now = performance.now();
      const held = lease === undefined ? null : { lease, since: now, renewedAt: now };
      if (held) queue.held.add(held);
      const rateLimit = on && {
        limit: perHour,
        remaining: Math.max(0, perHour - taken.used + leases.length),
        resetSeconds,
      };
      resolve({
        rateLimit: rateLimit || null,
        refusal: lease === undefined ? refusalOf(end, taken.used >= bounds.perHour, resetSeconds) : null,
        release() {
          if (!held || !queue.held.delete(held)) return;
          queue.finished.push(held.lease);
          releaseLater(userId, queue);
        },
      });
    }
  }

  function refusalOf(end: string | null | undefined, isSpent: boolean, resetSeconds: number): AppError {
    if (end === 'plan') return needsElite();
    if (end !== null) return unknownKey();
    return isSpent
      ? new AppError(
          'RATE_LIMITED',
          `Your keys have made ${perHour.toLocaleString('en-US')} requests this hour, the most an account may make.`,
          {
            retryAfterSeconds: resetSeconds,
          },
        )
      : new AppError('RATE_LIMITED', `Your keys have ${atOnce} concurrent requests, which is the maximum.`, {
          retryAfterSeconds: 1,
        });
  }

  function releaseLater(userId: number, queue: Queue): void {
    if (queue.timer || queue.isAsking) return;
    if (queue.finished.length === 0) {
      if (queue.waiting.length + queue.held.size === 0) queues.delete(userId);
      return;
    }
    queue.timer = setTimeout(() => {
      queue.timer = undefined;
      if (!queue.isAsking) void releaseFinished(userId, queue);
    }, RELEASE_AFTER_MS);
  }

  /** A lease that can't be released now expires by itself within a minute. */
  async function releaseFinished(userId: number, queue: Queue): Promise<void> {
    const finished = queue.finished.splice(0);
    if (finished.length === 0) return;
    await releaseRequests(pool, userId, finished).catch((error: unknown) =>
      log.warn('requests of keys could not be released', { error }),
    );
    releaseLater(userId, queue);
  }

  /** A long answer, such as an export, counts as a concurrent request until it ends. */
  async function renewOf(userId: number, queue: Queue): Promise<void> {
    const now = performance.now();
    const long = [...queue.held].filter(
      ({ since, renewedAt }) => now - renewedAt >= renewEveryMs && now - since < MAX_ANSWER_MS,
    );
    if (long.length === 0) return;
    const before = long.map(({ lease }) => lease);
    const leases = await renewRequests(pool, userId, before);
    for (const [at, held] of long.entries()) {
      const lease = leases[at];
      if (lease === undefined) continue;
      if (queue.held.has(held)) Object.assign(held, { lease, renewedAt: now });
      else queue.finished.push(lease);
    }
    releaseLater(userId, queue);
  }

  let isRenewing = false;
  async function renewAll(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    try {
      for (const [userId, queue] of queues) await renewOf(userId, queue);
    } catch (error) {
      log.warn('requests of keys could not be renewed', { error });
    }
    isRenewing = false;
  }
  const renewing = setInterval(() => void renewAll(), renewEveryMs);
  renewing.unref();

  return {
    admit: (key) =>
      new Promise((resolve, reject) => {
        const queue = queueOf(key.userId);
        queue.waiting.push({ key, resolve, reject });
        if (!queue.isAsking) void ask(key.userId, queue);
      }),
    async close() {
      clearInterval(renewing);
      for (const [userId, queue] of queues) {
        clearTimeout(queue.timer);
        await releaseFinished(userId, queue);
      }
    },
  };
}
