import type { Queryable } from '../../base/database.ts';
import { toPhoneNumber } from '../../domain/phone-number.ts';
import { monthlyTexts } from '../../domain/text-limits.ts';
import { countedTexts, hasStoppedTexts } from '../../entities/notification-rules.ts';

export interface PhoneState {
  /** Whether the number replied STOP. */
  textsStopped: boolean;
  /** When the open code expires; null when there is none. */
  codeExpiresAt: Date | null;
  textsThisMonth: number;
  monthlyTexts: number;
}

interface StateRow extends Omit<PhoneState, 'monthlyTexts'> {
  planId: number;
  phone: string | null;
  codePhone: string | null;
}

/** Reads what the settings page shows about a user's texts. */
export async function readPhoneState(db: Queryable, userId: number): Promise<PhoneState> {
  const { rows } = await db.query<StateRow>(
    `select u.plan_id as "planId",
            u.phone_confirmed_at is not null and ${hasStoppedTexts('u.phone')} as "textsStopped",
            c.expires_at as "codeExpiresAt", c.phone as "codePhone", u.phone,
            (select count(*)::int from texts t where t.user_id = $1 and ${countedTexts}) as "textsThisMonth"
       from users u
       left join lateral (
         select * from phone_codes where user_id = u.id order by id desc limit 1
       ) c on u.phone_confirmed_at is null and c.used_at is null and c.expires_at > now()
      where u.id = $1`,
    [userId],
  );
  const [row] = rows;
  if (!row) return { textsStopped: false, codeExpiresAt: null, textsThisMonth: 0, monthlyTexts: 0 };
  const { planId, phone, codePhone, textsStopped, textsThisMonth } = row;
  const isOfPhone = codePhone !== null && phone !== null && toPhoneNumber(phone) === codePhone;
  return {
    textsStopped,
    codeExpiresAt: isOfPhone ? row.codeExpiresAt : null,
    textsThisMonth,
    monthlyTexts: monthlyTexts(planId),
  };
}
