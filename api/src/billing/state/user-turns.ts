import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';

/**
 * What is held during a user's turn. Each of its statements is a transaction, which first makes sure that the lease is
 * still held: nothing is in a transaction, and no connection is kept, while Stripe is asked.
 */
export interface UserLease extends Queryable {
  /** Several statements in one transaction. @throws UserLeaseLost */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** Runs work while no other does anything about the payments of the same user, in this process or another. */
export type UserTurns = <T>(userId: number, work: (lease: UserLease) => Promise<T>) => Promise<T>;

const TRY_AGAIN = 'Somebody else is busy with these payments. Please try again in a moment.';

/** This process was not heard of for so long that another took over. Nothing was written since. */
export class UserLeaseLost extends AppError {
  constructor() {
    super('UNAVAILABLE', TRY_AGAIN, { retryAfterSeconds: 2 });
  }
}

export interface LeaseTimes {
  /** Who has not renewed a lease for so long has lost it. It is renewed three times as often. */
  leaseMs: number;
  /** How long anybody waits for the turn of another: longer than a lease lasts whose holder is gone. */
  waitMs: number;
}

const TIMES: LeaseTimes = { leaseMs: 15_000, waitMs: 30_000 };
/** Between two looks whether another process is done; the first ones follow sooner. */
const LOOK_MS = { first: 20, longest: 250 };

/** Turns by user, over connections that only billing uses: while Stripe is slow, only billing waits. */
export function makeUserTurns(pool: Pool, times: LeaseTimes = TIMES): UserTurns {
  const last = new Map<number, Promise<unknown>>();
  return async (userId, work) => {
    const deadline = performance.now() + times.waitMs;
    // In this process they wait for each other, and only one of them asks the database.
    const mine = atMost(times.waitMs, last.get(userId)).then(() =>
      underLease(pool, userId, work, { ...times, deadline }),
    );
    const settled = mine.catch(() => {});
    last.set(userId, settled);
    try {
      return await mine;
    } finally {
      if (last.get(userId) === settled) last.delete(userId);
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

/** Waits until nobody else holds the lease. @returns its token @throws AppError UNAVAILABLE after the deadline */
async function take(pool: Pool, userId: number, { leaseMs, deadline }: LeaseTimes & { deadline: number }) {
  const token = randomUUID();
  for (let waitMs = LOOK_MS.first; ; waitMs = Math.min(waitMs * 1.5, LOOK_MS.longest)) {
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

/** Holds the row until the transaction ends: nobody takes the lease over meanwhile. @throws UserLeaseLost */
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
    // Left behind it ends by itself.
    await pool.query('delete from billing_leases where user_id = $1 and token = $2', [userId, token]).catch(() => {});
  }
}

/** Deletes what processes left behind that died. */
export async function deleteOldLeases(db: Queryable): Promise<void> {
  await db.query("delete from billing_leases where until < now() - interval '1 hour'");
}
