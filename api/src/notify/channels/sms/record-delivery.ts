import type { Pool } from '../../../base/database.ts';
import { completeText } from '../../../entities/shared/texts.ts';

/** What the vendor reports of a text; the later of them stand for good, whatever comes after. */
const ranks: Readonly<Record<string, number>> = {
  queued: 1,
  sending: 2,
  sent: 3,
  delivered: 4,
  undelivered: 4,
  failed: 4,
};

export interface Delivery {
  /** Ours. */
  textId: string;
  sid: string;
  /** `MessageStatus` of the vendor. */
  status: string;
  /** `ErrorCode` of the vendor. */
  error: string | null;
}

const rankSql = `case t.delivery ${Object.entries(ranks)
  .map(([status, rank]) => `when '${status}' then ${rank}`)
  .join(' ')} else 0 end`;

/**
 * Records how far a text has come. That the vendor reports it means that it was accepted, so a text of unknown fate is
 * sent. Reports may come twice and in any order; one with another sid is ignored. Returns whether the text is ours.
 */
export async function recordDelivery(pool: Pool, { textId, sid, status, error }: Delivery): Promise<boolean> {
  const rank = ranks[status];
  if (rank === undefined) return false;
  const { rows } = await pool.query<{ isOpen: boolean }>(
    `select status in ('sending', 'unknown') as "isOpen" from texts where id = $1 and (sid is null or sid = $2)`,
    [textId, sid],
  );
  const [text] = rows;
  if (!text) return false;
  if (text.isOpen) await completeText(pool, textId, { status: 'sent', sid });
  await pool.query(
    `update texts t set sid = $2, delivery = $3, delivery_error = $4
      where id = $1 and (sid is null or sid = $2) and ${rankSql} < $5`,
    [textId, sid, status, error, rank],
  );
  return true;
}
