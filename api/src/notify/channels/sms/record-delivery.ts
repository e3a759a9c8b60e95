import type { Pool } from '../../../base/database.ts';
import { completeText } from './complete-texts.ts';

/** The states that the vendor reports of a text, by rank: a state is never replaced by one of a lower rank. */
const ranks = [
  ['accepted', 1],
  ['queued', 1],
  ['sending', 2],
  ['sent', 3],
  ['delivered', 4],
  ['undelivered', 4],
  ['failed', 4],
  ['canceled', 4],
] as const;

export interface Delivery {
  /** The id of the row. */
  textId: string;
  sid: string;
  /** `MessageStatus` of the vendor. */
  status: string;
  /** `ErrorCode` of the vendor. */
  error: string | null;
}

const rankSql = `case t.delivery ${ranks
  .map(([status, rank]) => `when '${status}' then ${rank}`)
  .join(' ')} else 0 end`;

/**
 * Records a report of the vendor about a text. A report proves that the vendor accepted the text, so an unknown one becomes
 * sent. Reports may come twice and in any order; one with another sid is ignored. Returns whether the text exists.
 */
export async function recordDelivery(pool: Pool, { textId, sid, status, error }: Delivery): Promise<boolean> {
  const rank = ranks.find(([name]) => name === status)?.[1];
  if (rank === undefined) return false;
  const { rows } = await pool.query<{ userId: number; isOpen: boolean }>(
    `select user_id as "userId", status in ('sending', 'unknown') as "isOpen"
       from texts where id = $1 and (sid is null or sid = $2)`,
    [textId, sid],
  );
  const [text] = rows;
  if (!text) return false;
  if (text.isOpen) await completeText(pool, { id: textId, userId: text.userId }, { status: 'sent', sid });
  await pool.query({
    name: 'texts-record-delivery',
    text: `update texts t set sid = $2, delivery = $3, delivery_error = $4, delivered_at = case when $3 = 'delivered' then now() end
      where id = $1 and user_id = $6 and (sid is null or sid = $2) and ${rankSql} < $5`,
    values: [textId, sid, status, error, rank, text.userId],
  });
  return true;
}
