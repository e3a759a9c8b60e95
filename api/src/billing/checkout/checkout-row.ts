import type { Queryable } from '../../base/database.ts';
import type { PaymentCheckout } from '../../vendors/payments/payments.ts';

/** A payment page that we sent a user to, or are about to. */
export interface CheckoutRow {
  id: number;
  planId: number;
  /** Under which the vendor makes it once. */
  key: string;
  /** null until the vendor has made it. */
  sessionId: string | null;
  url: string | null;
}

const columns = 'id, plan_id as "planId", key, session_id as "sessionId", url';
const LOOK_EVERY = "interval '30 minutes'";

/** A user has one at most. */
export async function readOpenCheckout(db: Queryable, userId: number): Promise<CheckoutRow | null> {
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

/** null when the user is gone. */
export async function insertCheckout(db: Queryable, userId: number, planId: number): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `insert into billing_checkouts (user_id, plan_id) select id, $2 from users where id = $1 for key share
     returning ${columns}`,
    [userId, planId],
  );
  return rows[0] ?? null;
}

/** @returns false when the row, and so its user, is gone */
export async function writeCheckout(db: Queryable, id: number, told: PaymentCheckout): Promise<boolean> {
  const { rowCount } = await db.query(
    `update billing_checkouts set session_id = $2, url = $3, status = $4, expires_at = $5,
            next_look_at = case when $4 = 'open' then now() + ${LOOK_EVERY} end where id = $1`,
    [id, told.id, told.url, told.status, told.expiresAt],
  );
  return rowCount === 1;
}

export async function closeCheckout(db: Queryable, id: number, status: 'expired' | 'failed'): Promise<void> {
  await db.query('update billing_checkouts set status = $2, next_look_at = null where id = $1', [id, status]);
}
