import type { Client } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import { toPhoneNumber } from '../../domain/phone-number.ts';
import { isPaidPlan, SMS_NEEDS_PLAN } from '../../domain/plan-list.ts';

const PHONE_LOCK = 7_403;

function refusePhone(message: string): never {
  throw new AppError('VALIDATION', message, { fields: { phone: message } });
}

export interface HeldPhone {
  /** E.164. */
  phone: string;
  isConfirmed: boolean;
}

/**
 * The number of a user whose plan has texts, with their row held until the transaction ends.
 * @throws AppError UNAUTHENTICATED, PLAN_REQUIRED, VALIDATION on `phone` where there is none, or none that can get texts
 */
export async function lockPhone(client: Client, userId: number): Promise<HeldPhone> {
  const { rows } = await client.query<{ planId: number; phone: string | null; isConfirmed: boolean }>(
    `select plan_id as "planId", phone, phone_confirmed_at is not null as "isConfirmed"
       from users where id = $1 for no key update`,
    [userId],
  );
  const [user] = rows;
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  if (!isPaidPlan(user.planId)) throw new AppError('PLAN_REQUIRED', SMS_NEEDS_PLAN, { needsUpgrade: true });
  if (user.phone === null) refusePhone('Please add a phone number first');
  const phone = toPhoneNumber(user.phone) ?? refusePhone('Please enter a phone number that can get text messages');
  return { phone, isConfirmed: user.isConfirmed };
}

/** Whoever counts or confirms a number does so alone, whichever account asks. Take it after the user's row. */
export async function lockNumber(client: Client, phone: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${PHONE_LOCK}, hashtext($1))`, [phone]);
}
