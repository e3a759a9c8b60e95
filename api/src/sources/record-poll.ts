import type { Queryable } from '../base/database.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import type { SourceCursor } from './claim-source.ts';

/** Remembers how far a read has come; called after that part was stored. */
export async function saveCursor(db: Queryable, name: string, cursor: SourceCursor): Promise<void> {
  await db.query('update sources set cursor = $2 where name = $1', [name, JSON.stringify(cursor)]);
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

/** A read without a fault: the last fault is over. */
export async function recordSuccess(db: Queryable, name: string, read: PollSuccess): Promise<void> {
  await db.query(
    `update sources set cursor = $2, etag = $3, last_modified = $4, lag_ms = coalesce($5, lag_ms),
       first_read_done = first_read_done or $6, failures = 0, last_error = null, last_success_at = now(),
       last_complete_at = case when $6 then now() else last_complete_at end
     where name = $1`,
    [name, JSON.stringify(read.cursor), read.etag, read.lastModified, read.lagMs, read.complete],
  );
}

/**
 * A read that broke off: the cursor stays at what was stored, and the source is left alone for a while. One that was
 * ended meanwhile stays ended.
 */
export async function recordFailure(
  db: Queryable,
  name: string,
  fault: { message: string; delaySeconds: number },
): Promise<void> {
  await db.query(
    `update sources set failures = failures + 1, last_error = $2, last_error_at = now(),
       next_poll_at = case when next_poll_at = 'infinity' then next_poll_at else now() + $3 * interval '1 s' end
     where name = $1`,
    [name, storableText(fault.message).slice(0, 500), fault.delaySeconds],
  );
}

/** A read that failed by our own fault: the source is asked again after its interval, and its health says so. */
export async function recordOurFault(db: Queryable, name: string): Promise<void> {
  await db.query('update sources set last_error = $2, last_error_at = now() where name = $1', [
    name,
    'LotWatch could not take in what came; its log says why.',
  ]);
}
