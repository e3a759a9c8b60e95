import type { Pool } from '../../base/database.ts';
import { batch } from './batch.ts';

export interface MatchKey {
  alertId: number;
  listingId: number;
}

/** When the first message about a match was handed to the provider; nothing while it wasn't. */
export function handedOverLoader(pool: Pool) {
  return batch<MatchKey, Date>(
    async (keys) => {
      const { rows } = await pool.query<MatchKey & { handedOverAt: Date }>({
        name: 'load-handed-over',
        text: `select n.alert_id as "alertId", n.listing_id as "listingId", min(least(m.sent_at, t.sent_at)) as "handedOverAt"
           from unnest($1::int8[], $2::int8[]) as k (alert_id, listing_id)
           join notifications n on n.alert_id = k.alert_id and n.listing_id = k.listing_id
           left join mails m on m.id = n.mail_id
           left join texts t on t.id = n.text_id
          where coalesce(m.sent_at, t.sent_at) is not null group by n.alert_id, n.listing_id`,
        values: [keys.map((key) => key.alertId), keys.map((key) => key.listingId)],
      });
      return new Map(rows.map((row) => [textOf(row), row.handedOverAt]));
    },
    (key) => textOf(key),
  );
}

const textOf = (key: MatchKey) => `${key.alertId}/${key.listingId}`;
