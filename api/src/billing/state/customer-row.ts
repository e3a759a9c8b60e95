import type { Queryable } from '../../base/database.ts';
import type { PlanStatus } from '../../domain/billing/derive-plan.ts';

/** What is known of a user's payments. */
export interface CustomerRow {
  userId: number;
  /** null until the vendor knows the user, and when it has forgotten them. */
  customerId: string | null;
  makeKey: string;
  subscriptionId: string | null;
  status: PlanStatus;
  currentPeriodEnd: Date | null;
  graceEndsAt: Date | null;
}

const columns = `user_id as "userId", customer_id as "customerId", make_key as "makeKey",
  subscription_id as "subscriptionId", status, current_period_end as "currentPeriodEnd",
  grace_ends_at as "graceEndsAt"`;

export async function readCustomer(db: Queryable, userId: number): Promise<CustomerRow | null> {
  const { rows } = await db.query<CustomerRow>(`select ${columns} from billing_customers where user_id = $1`, [userId]);
  return rows[0] ?? null;
}

export async function userOfCustomer(db: Queryable, customerId: string): Promise<number | null> {
  const { rows } = await db.query<{ userId: number }>(
    'select user_id as "userId" from billing_customers where customer_id = $1',
    [customerId],
  );
  return rows[0]?.userId ?? null;
}

/** The vendor has forgotten the customer: whoever pays again becomes a new one. */
export async function forgetCustomer(db: Queryable, userId: number): Promise<void> {
  await db.query(
    'update billing_customers set customer_id = null, told_email = null, make_key = gen_random_uuid() where user_id = $1',
    [userId],
  );
}
