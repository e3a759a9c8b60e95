import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';

/**
 * Lays down that what is known of a user's payments, and what is told of them there, is looked at anew, as soon as the
 * transaction has committed and for as long as it takes. Nothing happens for who never came to pay.
 */
export async function lookAtPayments(db: Queryable, userId: number): Promise<void> {
  const { rows } = await db.query(
    'update billing_customers set next_check_at = now() where user_id = $1 and customer_id is not null returning user_id',
    [userId],
  );
  if (rows.length > 0) await db.query(`select pg_notify('${channels.work}', 'billing')`);
}
