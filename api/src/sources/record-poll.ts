import type { Queryable } from '../base/database.ts';
import { storableText } from '../domain/facts/listing-facts.ts';
import { type Claim, LeaseLost } from './claim-source.ts';

const MAX_BACKOFF_SECONDS = 15 * 60;
/** A source that is polled every 2 s is local and recovers in seconds, so its delay stays short. */
const MAX_LOCAL_BACKOFF_SECONDS = 10;

/**
 * Seconds until a source is polled again after `failures` faults in a row. The first wait is its interval, or 15 minutes
 * where that is shorter. It doubles with each further fault up to 15 minutes, or up to the interval where that is longer,
 * so that an outage costs a source with few calls a day no more than a few of them. With a quarter of jitter, and not
 * before its Retry-After within these limits.
 * @param random from 0 up to 1
 */
export function backoffSeconds(
  source: { everySeconds: number; failures: number; retryAfterSeconds: number | null },
  random: number,
): number {
  const { everySeconds, failures, retryAfterSeconds } = source;
  const longest = everySeconds < 5 ? MAX_LOCAL_BACKOFF_SECONDS : MAX_BACKOFF_SECONDS;
  const doubled = Math.min(everySeconds, longest) * 2 ** Math.min(failures - 1, 20);
  const delay = Math.max(Math.min(doubled, Math.max(longest, everySeconds)), retryAfterSeconds ?? 0);
  return Math.min(delay * (1 + random / 4), Math.max(longest * 1.25, everySeconds));
}

/** @throws LeaseLost */
async function write(db: Queryable, { name, token }: Claim, assignments: string, values: unknown[]): Promise<void> {
  const { rowCount } = await db.query(`update sources set ${assignments} where name = $1 and claim_token = $2`, [
    name,
    token,
    ...values,
  ]);
  if (!rowCount) throw new LeaseLost(name);
}

/**
 * Ends a claim by what follows for later reads. Nothing does where the settings changed since the read began: the source is
 * due by the new ones, and what they are worth is known then.
 * @param cursor how far the read has come in any case; null where its stored cursor stays
 * @throws LeaseLost
 */
async function endClaim(db: Queryable, claim: Claim, cursor: object | null, assignments: string, values: unknown[]) {
  const { name, token, version } = claim;
  const ended = 'claimed_until = null, cursor = coalesce($3, cursor)';
  const stored = cursor && JSON.stringify(cursor);
  const { rowCount } = await db.query(
    `update sources set ${ended}, ${assignments} where name = $1 and claim_token = $2 and version = $4`,
    [name, token, stored, version, ...values],
  );
  if (!rowCount) await write(db, claim, ended, [stored]);
}

/** Stores how far a read has come; call it after that part was stored. @throws LeaseLost */
export async function saveCursor(db: Queryable, claim: Claim, cursor: object): Promise<void> {
  await write(db, claim, 'cursor = $3', [JSON.stringify(cursor)]);
}

export interface PollSuccess {
  cursor: object;
  etag: string | null;
  lastModified: string | null;
  /** The median from listed to seen of new listings; null when there were none. */
  lagMs: number | null;
  /** Whether the source has been read completely once; from then on its listings are announced. */
  complete: boolean;
  /** There were no items, and the source did not say that it has none. */
  isEmpty?: boolean;
  /** What the admin should know of a read without a fault. */
  remark?: string | null;
}

/** A read that is to go on later, so that other sources have their turn. */
export interface PollPause {
  cursor: object;
  againInSeconds: number;
  remark: string | null;
  /** It is we who wait, so that the source counts as read. */
  waitsForQuota: boolean;
}

/** SQL: when the source is polled next, unless it was ended. @param seconds a parameter */
const nextPoll = (seconds: string): string =>
  `greatest(now() + ${seconds} * interval '1 s', case when next_poll_at = 'infinity' then next_poll_at end)`;

/** Whatever the source asks for, and whatever an earlier version has stored of that. */
const MAX_PAUSE_SECONDS = 86_400;

const shown = (message: string | null | undefined) => (message ? storableText(message).slice(0, 500) : null);

/**
 * Ends the claim of a read that goes on later. A source that was ended meanwhile stays ended, and one that was changed is
 * due at once. @throws LeaseLost
 */
export async function recordPause(db: Queryable, claim: Claim, pause: PollPause): Promise<void> {
  await endClaim(
    db,
    claim,
    pause.cursor,
    `last_error = coalesce($6, last_error), ${shown(pause.remark) === null ? '' : 'last_error_at = now(),'}
     ${pause.waitsForQuota ? 'last_success_at = now(),' : ''} next_poll_at = ${nextPoll('$5')}`,
    [Math.min(pause.againInSeconds, MAX_PAUSE_SECONDS), shown(pause.remark)],
  );
}

/** Records a read without a fault, clears the last fault, and ends the claim. @throws LeaseLost */
export async function recordSuccess(db: Queryable, claim: Claim, read: PollSuccess): Promise<void> {
  await write(
    db,
    claim,
    `claimed_until = null, cursor = $3, etag = $4, last_modified = $5, lag_ms = coalesce($6, lag_ms),
     first_read_done = first_read_done or $7, failures = 0, last_error = $8, last_success_at = now()
     ${shown(read.remark) === null ? '' : ', last_error_at = now()'}
     ${read.complete ? ', last_complete_at = now()' : ''}`,
    [JSON.stringify(read.cursor), read.etag, read.lastModified, read.lagMs, read.complete, shown(read.remark)],
  );
}

/**
 * Records a read that broke off: the cursor stays, and the next poll is deferred. A source that was ended meanwhile stays
 * ended; of one that was changed meanwhile nothing is recorded, and it is due at once. Ends the claim. @throws LeaseLost
 */
export async function recordFailure(
  db: Queryable,
  claim: Claim,
  fault: { message: string; delaySeconds: number },
): Promise<void> {
  await endClaim(
    db,
    claim,
    null,
    `failures = failures + 1, last_error = $5, last_error_at = now(), next_poll_at = ${nextPoll('$6')}`,
    [shown(fault.message), fault.delaySeconds],
  );
}

/**
 * Records a read that failed by an internal fault: the source is polled again after its interval, and its health shows
 * the fault. Ends the claim. @throws LeaseLost
 */
export async function recordInternalFault(db: Queryable, claim: Claim): Promise<void> {
  await write(db, claim, 'claimed_until = null, last_error = $3, last_error_at = now()', [
    'LotWatch could not store the listings; the error is in its log.',
  ]);
}
