import type { Pool } from '../base/database.ts';
import { atLeisure } from './at-leisure.ts';

const BATCH = 200;

/**
 * Marketplace items count as for sale for 30 days after they were last seen; then they are gone. A feed's cars don't
 * while the feed is read: each complete read, an unchanged one too, says that they are there. @returns how many
 * @param signal aborted at shutdown: it stops after the batch that it is at
 */
export async function retireUnseen(pool: Pool, signal?: AbortSignal): Promise<number> {
  let retired = 0;
  await atLeisure(signal, async () => {
    const { rowCount } = await pool.query(
      `update listings set status = 'gone', pending_match = false, changed_at = now()
        where id in (select id from listings
                      where status = 'for_sale' and unseen_since <= (now() at time zone 'UTC')::date - 30
                        and last_seen_at < now() - interval '30 days'
                        and source not in (select name from sources where kind = 'vehicle-feed'
                                              and last_success_at > now() - interval '30 days')
                      limit ${BATCH} for update skip locked)`,
    );
    retired += rowCount ?? 0;
    return (rowCount ?? 0) < BATCH ? 'last' : 'more';
  });
  return retired;
}
