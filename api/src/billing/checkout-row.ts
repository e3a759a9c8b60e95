import type { Queryable } from '../base/database.ts';
import type { PaymentCheckout } from '../vendors/payments/payments.ts';
import type { PaidParts } from './make-billing.ts';
import type { UserLease } from './user-lock.ts';

/** A payment page to which a user was sent, or is about to be. */
export interface CheckoutRow {
  id: number;
  planId: number;
  /** The idempotency key with which the vendor creates it. */
  key: string;
  /** null until the vendor has created it. */
  sessionId: string | null;
  url: string | null;
}

const columns = 'id, plan_id as "planId", key, session_id as "sessionId", url';
const CHECK_EVERY = "interval '30 minutes'";

/** Reads the user's open checkout, of which there is at most one. */
async function readOpenCheckout(db: Queryable, userId: number): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `select ${columns} from billing_checkouts where user_id = $1 and status in ('starting', 'open')`,
    [userId],
  );
  return rows[0] ?? null;
}

export async function readOwnCheckout(db: Queryable, userId: number, sessionId: string): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `select ${columns} from billing_checkouts where session_id = $1 and user_id = $2`,
    [sessionId, userId],
  );
  return rows[0] ?? null;
}

/** @returns null when the user is gone */
export async function insertCheckout(db: Queryable, userId: number, planId: number): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `insert into billing_checkouts (user_id, plan_id) select id, $2 from users where id = $1 for key share
     returning ${columns}`,
    [userId, planId],
  );
  return rows[0] ?? null;
}

/** @returns false when the row, and so its user, is gone */
export async function writeCheckout(db: Queryable, id: number, checkout: PaymentCheckout): Promise<boolean> {
  const { rowCount } = await db.query(
    `update billing_checkouts set session_id = $2, url = $3, status = $4, expires_at = $5,
            next_check_at = case when $4 = 'open' then now() + ${CHECK_EVERY} end where id = $1`,
    [id, checkout.id, checkout.url, checkout.status, checkout.expiresAt],
  );
  return rowCount === 1;
}

export async function closeCheckout(db: Queryable, id: number, status: 'expired' | 'failed'): Promise<void> {
  await db.query('update billing_checkouts set status = $2, next_check_at = null where id = $1', [id, status]);
}

/**
 * Reads from the vendor what became of the user's open checkout and writes it down, under the user lock.
 * @returns the checkout if it is still open or was not created yet
 * @throws PaymentFault
 */
export async function refreshCheckout(
  { payments }: PaidParts,
  lease: UserLease,
  userId: number,
): Promise<CheckoutRow | null> {
  const row = await readOpenCheckout(lease, userId);
  if (!row?.sessionId) return row;
  const checkout = await payments.readCheckout(row.sessionId);
  if (checkout) await writeCheckout(lease, row.id, checkout);
  else await closeCheckout(lease, row.id, 'failed');
  return checkout?.status === 'open' ? row : null;
}
