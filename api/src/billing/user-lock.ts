import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';

/**
 * The database access of the holder of a user lock. Each statement is a transaction that first checks that the lease is
 * still held, so that no transaction or connection stays open while Stripe answers.
 */
export interface UserLease extends Queryable {
  /** Several statements in one transaction. @throws UserLeaseLost */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** Runs work while no other code, in this process or another, handles the payments of the same user. */
export type WithUserLock = <T>(userId: number, work: (lease: UserLease) => Promise<T>) => Promise<T>;

const TRY_AGAIN = 'Somebody else is busy with these payments. Please try again in a moment.';

/** The lease was not renewed in time and another process took it over. Nothing was written since. */
export class UserLeaseLost extends AppError {
  constructor() {
    super('UNAVAILABLE', TRY_AGAIN, { retryAfterSeconds: 2 });
  }
}

interface LeaseTimes {
  /** A lease that is not renewed for this long is lost. It is renewed three times in that time. */
  leaseMs: number;
  /** How long a caller waits for the lock: longer than the lease of a dead holder lasts. */
  waitMs: number;
}

const TIMES: LeaseTimes = { leaseMs: 15_000, waitMs: 30_000 };
/** The delay between two tries to take the lease; the first ones follow sooner. */
const RETRY_MS = { first: 20, longest: 250 };

/** A lock by user. Its connections are used only by billing, so that only billing waits while Stripe is slow. */
export function makeUserLock(pool: Pool, times: LeaseTimes = TIMES): WithUserLock {
  const last = new Map<number, Promise<unknown>>();
  return async (userId, work) => {
    const deadline = performance.now() + times.waitMs;
    // Callers in this process wait for each other, so that only one of them asks the database.
    const mine = atMost(times.waitMs, last.get(userId)).then(() =>
      underLease(pool, userId, work, { ...times, deadline }),
    );
    const ended = mine.catch(() => {});
    last.set(userId, ended);
    try {
      return await mine;
    } finally {
      if (last.get(userId) === ended) last.delete(userId);
    }
  };
}

async function atMost(ms: number, ended: Promise<unknown> | undefined): Promise<void> {
  if (!ended) return;
  const waiting = new AbortController();
  await Promise.race([ended, sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}

const leaseEnd = "clock_timestamp() + $3 * interval '1 ms'";

/** Takes the lease as soon as it is free. @returns its token @throws AppError UNAVAILABLE after the deadline */
async function take(pool: Pool, userId: number, { leaseMs, deadline }: LeaseTimes & { deadline: number }) {
  const token = randomUUID();
  for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(waitMs * 1.5, RETRY_MS.longest)) {
    const { rowCount } = await pool.query(
      `insert into billing_leases as l (user_id, token, until) values ($1, $2, ${leaseEnd})
       on conflict (user_id) do update set token = excluded.token, until = ${leaseEnd}
        where l.until <= clock_timestamp()`,
      [userId, token, leaseMs],
    );
    if (rowCount) return token;
    if (performance.now() > deadline) throw new AppError('UNAVAILABLE', TRY_AGAIN, { retryAfterSeconds: 2 });
    await sleep(waitMs * (0.75 + Math.random() / 2));
  }
}

/** Locks the lease's row until the transaction ends, so that nobody takes it over meanwhile. @throws UserLeaseLost */
async function requireLease(client: Client, userId: number, token: string): Promise<void> {
  const { rowCount } = await client.query('select from billing_leases where user_id = $1 and token = $2 for update', [
    userId,
    token,
  ]);
  if (!rowCount) throw new UserLeaseLost();
}

async function underLease<T>(
  pool: Pool,
  userId: number,
  work: (lease: UserLease) => Promise<T>,
  times: LeaseTimes & { deadline: number },
): Promise<T> {
  const token = await take(pool, userId, times);
  const transaction: UserLease['transaction'] = (statements) =>
    inTransaction(pool, async (client) => {
      await requireLease(client, userId, token);
      return statements(client);
    });
  const query = (...given: [string]) => transaction((client) => client.query(...given));
  const renewal = setInterval(() => {
    const renew = `update billing_leases set until = ${leaseEnd} where user_id = $1 and token = $2`;
    pool.query(renew, [userId, token, times.leaseMs]).catch(() => {});
  }, times.leaseMs / 3);
  try {
    return await work({ query: query as Queryable['query'], transaction });
  } finally {
    clearInterval(renewal);
    // A lease that is left behind expires by itself.
    await pool.query('delete from billing_leases where user_id = $1 and token = $2', [userId, token]).catch(() => {});
  }
}
