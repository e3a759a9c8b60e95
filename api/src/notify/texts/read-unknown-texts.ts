import type { Queryable } from '../../base/database.ts';
import { maskedPhone } from '../../domain/phone-number.ts';

export interface UnknownTextRow {
  id: string;
  kind: 'match' | 'code';
  userId: number;
  username: string | null;
  alertId: number | null;
  /** '••• 0123' */
  to: string;
  cars: number;
  claimedAt: Date;
  reason: string | null;
}

/** Texts of which nobody knows whether the vendor took them, the newest first. None of them is ever sent again. */
export async function readUnknownTexts(db: Queryable, limit: number): Promise<UnknownTextRow[]> {
  const { rows } = await db.query<UnknownTextRow & { phone: string }>(
    `select t.id, t.kind, t.user_id as "userId", u.username, t.alert_id as "alertId", t.to_phone as phone,
            t.created_at as "claimedAt", t.error as reason,
            (select count(distinct n.listing_id)::int from notifications n where n.text_id = t.id) as cars
       from texts t left join users u on u.id = t.user_id
      where t.status = 'unknown' order by t.created_at desc limit $1`,
    [limit],
  );
  return rows.map(({ phone, ...row }) => ({ ...row, to: maskedPhone(phone) }));
}
