import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { TEXT_GIVE_UP_MS } from '../../domain/text-limits.ts';
import type { ClaimedText } from './claim-text.ts';

const AGAIN_MS = 250;
/** What was not taken is tried again so much later. */
export const RETRY_MS = 30_000;

/** Writes down what became of a text, however long the database is away: forgotten, it would be of unknown fate. */
export async function surely(
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
  id: string,
  write: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (signal?.aborted) throw error;
      log.warn('what became of a text could not be recorded yet', { text: id, error });
    }
    await sleep(AGAIN_MS);
  }
}

/**
 * Gives back what the vendor has certainly not taken: its notifications wait for a text of their own, those that have
 * waited for too long are over.
 */
export async function giveBack(pool: Pool, { text, lastTextedAt }: ClaimedText, reason: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    // The alert first, as whoever erases its owner holds it before the rows below.
    await client.query('select from alerts where id = $1 for no key update', [text.alertId]);
    const { rowCount } = await client.query(
      `update texts set status = 'failed', error = $2, settled_at = now() where id = $1 and status = 'sending'`,
      [text.id, reason.slice(0, 500)],
    );
    if (!rowCount) return;
    await client.query(
      `update notifications
          set status = case when late then 'failed' else 'waiting' end, settled_at = case when late then now() end,
              text_id = case when late then text_id end, due_at = now() + interval '${RETRY_MS} ms'
         from (select id as old, created_at < now() - interval '${TEXT_GIVE_UP_MS} ms' as late
                 from notifications where text_id = $1) n
        where id = n.old and status = 'sending'`,
      [text.id],
    );
    await client.query('update alerts set last_texted_at = $2 where id = $1', [text.alertId, lastTextedAt]);
  });
}

/** Texts that a process left behind: whether the vendor took them is unknown, so they are never sent again. */
export async function giveUpLeftBehind(pool: Pool, staleMs: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'texts-left-behind',
    text: `with lost as (
         update texts set status = 'unknown', settled_at = now(), error = 'The process that sent it ended before it knew.'
          where status = 'sending' and created_at < now() - $1 * interval '1 ms' returning id
       ), told as (
         update notifications n set status = 'unknown', settled_at = now() from lost
          where n.text_id = lost.id and n.status = 'sending'
       )
       select 1 from lost`,
    values: [staleMs],
  });
  return rowCount ?? 0;
}
