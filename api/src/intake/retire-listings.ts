import type { Pool } from '../base/database.ts';

const BATCH = 1000;

/**
 * Marketplace items count as for sale for 30 days after they were last seen; then they are gone. A feed's cars don't
 * while the feed is read: each complete read, an unchanged one too, says that they are there. @returns how many
 */
export async function retireUnseen(pool: Pool): Promise<number> {
  let retired = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `update listings set status = 'gone', pending_match = false, changed_at = now()
        where id in (select id from listings
                      where status = 'for_sale' and last_seen_at < now() - interval '30 days'
                        and source not in (select name from sources where kind = 'vehicle-feed'
                                              and last_success_at > now() - interval '30 days')
                      limit ${BATCH} for update skip locked)`,
    );
    retired += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return retired;
  }
}
