import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';

/**
 * A source that is pushed to is made at its first push.
 * @throws AppError CONFLICT when the name is a polled source's: what is pushed would look unseen to its polls
 */
export async function ensurePushSource(db: Queryable, name: string): Promise<void> {
  const { rows } = await db.query<{ kind: string }>('select kind from sources where name = $1', [name]);
  if (rows[0] && rows[0].kind !== 'push') {
    throw new AppError('CONFLICT', `The source ${name} is polled; push under another name.`);
  }
  await db.query(
    `insert into sources (name, kind, first_read_done, next_poll_at) values ($1, 'push', true, 'infinity')
     on conflict (name) do nothing`,
    [name],
  );
}

/** @param lagMs median from listed to seen of what was new, null when nothing says */
export async function recordPush(db: Queryable, name: string, lagMs: number | null): Promise<void> {
  await db.query(
    `update sources set last_polled_at = now(), last_success_at = now(), lag_ms = coalesce($2, lag_ms)
      where name = $1`,
    [name, lagMs],
  );
}
