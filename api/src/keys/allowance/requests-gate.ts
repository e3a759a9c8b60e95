import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { needsElite } from '../../policies/api-access.ts';
import { type KnownKey, unknownKey } from '../find-key.ts';
import { type Allowance, finishRequests, renewRequests, type Taken, takeRequests } from './take-requests.ts';

/** What an account has left after a request of its keys. */
export interface Standing {
  limit: number;
  remaining: number;
  /** Seconds until the hour's requests are all there again. */
  resetSeconds: number;
}

export interface Admission {
  /** null where nothing is limited. */
  standing: Standing | null;
  /** Why the request may not go on. */
  refusal: AppError | null;
  /** The request is answered. */
  finish(): void;
}

export interface RequestQuota {
  /** Looks whether the key still lives, and counts one request of its account. */
  enter(key: KnownKey): Promise<Admission>;
  /** Gives back what is answered. */
  close(): Promise<void>;
}

interface Waiting {
  key: KnownKey;
  resolve(admission: Admission): void;
  reject(error: unknown): void;
}

/** A request that was let in and is not answered. */
interface Held {
  lease: number;
  since: number;
  renewedAt: number;
}

/** What this process knows of an account: who waits while a statement is under way, and what is to be given back. */
interface Queue {
  waiting: Waiting[];
  finished: number[];
  held: Set<Held>;
  isAsking: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Answered requests are given back with the next one that comes, or when none comes for this long. */
const GIVE_BACK_MS = 5;
/** A third of what a lease lasts. */
const RENEW_EVERY_MS = 8_000;
/** No answer takes longer; whoever was not told of an end counts it no longer. */
const LONGEST_ANSWER_MS = 15 * 60_000;
const MOST_TOGETHER = 200;
const UNLIMITED = 2 ** 31 - 1;

export interface GateParts {
  pool: Pool;
  log: Log;
  allowance: Allowance & { on: boolean };
  renewEveryMs?: number;
}

/** Counts in PostgreSQL, for all processes together; requests of one account that wait at a time are counted at once. */
export function makeRequestQuota({ pool, log, allowance, renewEveryMs = RENEW_EVERY_MS }: GateParts): RequestQuota {
  const { on, perHour, atOnce } = allowance;
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
      const asked = queue.waiting.splice(0, MOST_TOGETHER);
      const finished = queue.finished.splice(0);
      const keyIds = asked.map(({ key }) => key.id);
      try {
        const taken = await takeRequests(pool, userId, keyIds, bounds, finished);
        // Where none of the keys lives nothing was counted, and nothing given back.
        if (!keyIds.some((id) => taken.ends.get(id) === null)) queue.finished.push(...finished);
        answer(queue, userId, asked, taken);
      } catch (error) {
        queue.finished.push(...finished);
        for (const { reject } of asked) reject(error);
      }
    }
    queue.isAsking = false;
    giveBackLater(userId, queue);
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
      const standing = on && {
        limit: perHour,
        remaining: Math.max(0, perHour - taken.used + leases.length),
        resetSeconds,
      };
      resolve({
        standing: standing || null,
        refusal: lease === undefined ? refusalOf(end, taken.used >= bounds.perHour, resetSeconds) : null,
        finish() {
          if (!held || !queue.held.delete(held)) return;
          queue.finished.push(held.lease);
          giveBackLater(userId, queue);
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
      : new AppError('RATE_LIMITED', `Your keys have ${atOnce} requests under way, the most at once.`, {
          retryAfterSeconds: 1,
        });
  }

  function giveBackLater(userId: number, queue: Queue): void {
    if (queue.timer || queue.isAsking) return;
    if (queue.finished.length === 0) {
      if (queue.waiting.length + queue.held.size === 0) queues.delete(userId);
      return;
    }
    queue.timer = setTimeout(() => {
      queue.timer = undefined;
      if (!queue.isAsking) void giveBack(userId, queue);
    }, GIVE_BACK_MS);
  }

  /** What can't be given back now ends by itself within a minute. */
  async function giveBack(userId: number, queue: Queue): Promise<void> {
    const finished = queue.finished.splice(0);
    if (finished.length === 0) return;
    await finishRequests(pool, userId, finished).catch((error: unknown) =>
      log.warn('requests of keys not given back', { error }),
    );
    giveBackLater(userId, queue);
  }

  /** An export may be answered for minutes: all the time it is one of those at once. */
  async function renewOf(userId: number, queue: Queue): Promise<void> {
    const now = performance.now();
    const long = [...queue.held].filter(
      ({ since, renewedAt }) => now - renewedAt >= renewEveryMs && now - since < LONGEST_ANSWER_MS,
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
    giveBackLater(userId, queue);
  }

  let isRenewing = false;
  async function renewAll(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    try {
      for (const [userId, queue] of queues) await renewOf(userId, queue);
    } catch (error) {
      log.warn('requests of keys not renewed', { error });
    }
    isRenewing = false;
  }
  const renewing = setInterval(() => void renewAll(), renewEveryMs);
  renewing.unref();

  return {
    enter: (key) =>
      new Promise((resolve, reject) => {
        const queue = queueOf(key.userId);
        queue.waiting.push({ key, resolve, reject });
        if (!queue.isAsking) void ask(key.userId, queue);
      }),
    async close() {
      clearInterval(renewing);
      for (const [userId, queue] of queues) {
        clearTimeout(queue.timer);
        await giveBack(userId, queue);
      }
    },
  };
}
