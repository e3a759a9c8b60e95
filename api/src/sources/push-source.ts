import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';

/**
 * A source that is pushed to is made at its first push.
 * @throws AppError CONFLICT when the name is a polled source's: what is pushed would look unseen to its polls
 */
export async function ensurePushSource(db: Queryable, name: string): Promise<void> {
  // The row is in no snapshot of the statement that makes it: then it is a push's.
  const { rows } = await db.query<{ kind: string }>({
    name: 'ensure-push-source',
    text: `with made as (
             insert into sources (name, kind, first_read_done, next_poll_at)
             select $1, 'push', true, 'infinity' where not exists (select from sources where name = $1)
             on conflict (name) do nothing)
           select kind from sources where name = $1`,
    values: [name],
  });
  if (rows[0] && rows[0].kind !== 'push') {
    throw new AppError('CONFLICT', `The source ${name} is polled; push under another name.`);
  }
}

/** @param lagMs median from listed to seen of what was new, null when nothing says */
export async function recordPush(db: Queryable, name: string, lagMs: number | null): Promise<void> {
  await db.query({
    name: 'record-push',
    text: `update sources set last_polled_at = now(), last_success_at = now(), lag_ms = coalesce($2, lag_ms)
            where name = $1`,
    values: [name, lagMs],
  });
}
