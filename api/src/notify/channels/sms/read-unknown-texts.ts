import type { Queryable } from '../../../base/database.ts';
import type { CarMailKind } from '../../../domain/mail-kinds.ts';
import { maskedPhone } from '../../../domain/phone-number.ts';

export interface UnknownTextRow {
  id: string;
  kind: CarMailKind | 'code';
  userId: number;
  username: string | null;
  alertId: number | null;
  /** '••• 0123' */
  to: string;
  cars: number;
  claimedAt: Date;
  reason: string | null;
}

export interface UnknownTextRows {
  rows: UnknownTextRow[];
  hasMore: boolean;
}

/**
 * Reads a page of the texts of which it is unknown whether the vendor accepted them, newest first. They are never sent
 * again. @param after the id of a text: the page has older ones
 */
export async function readUnknownTexts(
  db: Queryable,
  { first, after }: { first: number; after?: string | undefined },
): Promise<UnknownTextRows> {
  const { rows } = await db.query<Omit<UnknownTextRow, 'to'> & { phone: string }>(
    `select t.id, t.kind, t.user_id as "userId", u.username, t.alert_id as "alertId", t.to_phone as phone,
            t.created_at as "claimedAt", t.error as reason,
            (select count(distinct n.listing_id)::int from notifications n
              where n.text_id = t.id and n.user_id = t.user_id) as cars
       from texts t left join users u on u.id = t.user_id
      where t.status = 'unknown'
        and ($2::uuid is null or (t.created_at, t.id) < (select c.created_at, c.id from texts c where c.id = $2))
      order by t.created_at desc, t.id desc limit $1`,
    [first + 1, after ?? null],
  );
  const shown = rows.slice(0, first).map(({ phone, ...row }) => ({ ...row, to: maskedPhone(phone) }));
  return { rows: shown, hasMore: rows.length > first };
}

export async function countUnknownTexts(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::int as total from texts where status = 'unknown'`,
  );
  return rows[0]?.total ?? 0;
}
