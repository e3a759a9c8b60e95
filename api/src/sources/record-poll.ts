import type { Queryable } from '../base/database.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import { type Claim, LeaseLost, type SourceCursor } from './claim-source.ts';

/** @throws LeaseLost */
async function write(db: Queryable, { name, token }: Claim, assignments: string, values: unknown[]): Promise<void> {
  const { rowCount } = await db.query(`update sources set ${assignments} where name = $1 and claim_token = $2`, [
    name,
    token,
    ...values,
  ]);
  if (!rowCount) throw new LeaseLost(name);
}

/** Remembers how far a read has come; called after that part was stored. @throws LeaseLost */
export async function saveCursor(db: Queryable, claim: Claim, cursor: SourceCursor): Promise<void> {
  await write(db, claim, 'cursor = $3', [JSON.stringify(cursor)]);
}

export interface PollSuccess {
  cursor: SourceCursor;
  etag: string | null;
  lastModified: string | null;
  /** Median of what was new, null when nothing was. */
  lagMs: number | null;
  /** The whole of a new source has been read once: from now on it is announced. */
  complete: boolean;
}

/** A read without a fault: the last fault is over. Ends the claim. @throws LeaseLost */
export async function recordSuccess(db: Queryable, claim: Claim, read: PollSuccess): Promise<void> {
  await write(
    db,
    claim,
    `claimed_until = null, cursor = $3, etag = $4, last_modified = $5, lag_ms = coalesce($6, lag_ms),
     first_read_done = first_read_done or $7, failures = 0, last_error = null, last_success_at = now(),
     last_complete_at = case when $7 then now() else last_complete_at end`,
    [JSON.stringify(read.cursor), read.etag, read.lastModified, read.lagMs, read.complete],
  );
}

/**
 * A read that broke off: the cursor stays at what was stored, and the source is left alone for a while. One that was
 * ended meanwhile stays ended. Ends the claim. @throws LeaseLost
 */
export async function recordFailure(
  db: Queryable,
  claim: Claim,
  fault: { message: string; delaySeconds: number },
): Promise<void> {
  await write(
    db,
    claim,
    `claimed_until = null, failures = failures + 1, last_error = $3, last_error_at = now(),
     next_poll_at = case when next_poll_at = 'infinity' then next_poll_at else now() + $4 * interval '1 s' end`,
    [storableText(fault.message).slice(0, 500), fault.delaySeconds],
  );
}

/**
 * A read that failed by our own fault: the source is asked again after its interval, and its health says so. Ends the
 * claim. @throws LeaseLost
 */
export async function recordOurFault(db: Queryable, claim: Claim): Promise<void> {
  await write(db, claim, 'claimed_until = null, last_error = $3, last_error_at = now()', [
    'LotWatch could not take in what came; its log says why.',
  ]);
}
