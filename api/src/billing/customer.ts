import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import type { PlanStatus } from '../domain/billing/derive-plan.ts';
import type { PaidParts } from './make-billing.ts';
import type { UserLease } from './user-lock.ts';

/** A user's row of payments. */
export interface CustomerRow {
  userId: number;
  /** null before the customer is created at the vendor and after it was deleted there. */
  customerId: string | null;
  creationKey: string;
  subscriptionId: string | null;
  status: PlanStatus;
  currentPeriodEnd: Date | null;
  graceEndsAt: Date | null;
}

const CUSTOMER_COLUMNS = `user_id as "userId", customer_id as "customerId", creation_key as "creationKey",
  subscription_id as "subscriptionId", status, current_period_end as "currentPeriodEnd",
  grace_ends_at as "graceEndsAt"`;

export async function readCustomer(db: Queryable, userId: number): Promise<CustomerRow | null> {
  const { rows } = await db.query<CustomerRow>(`select ${CUSTOMER_COLUMNS} from billing_customers where user_id = $1`, [
    userId,
  ]);
  return rows[0] ?? null;
}

export async function userOfCustomer(db: Queryable, customerId: string): Promise<number | null> {
  const { rows } = await db.query<{ userId: number }>(
    'select user_id as "userId" from billing_customers where customer_id = $1',
    [customerId],
  );
  return rows[0]?.userId ?? null;
}

/** Unlinks a customer that was deleted at the vendor; a later payment creates a new one. */
export async function unlinkCustomer(db: Queryable, userId: number): Promise<void> {
  await db.query(
    'update billing_customers set customer_id = null, told_email = null, creation_key = gen_random_uuid() where user_id = $1',
    [userId],
  );
}

/**
 * Requests that the user's payments and address are synchronised with the vendor once the transaction has committed, with
 * retries until it succeeds. A user without a customer needs none.
 */
export async function requestSync(db: Queryable, userId: number): Promise<void> {
  const { rows } = await db.query(
    'update billing_customers set next_check_at = now() where user_id = $1 and customer_id is not null returning user_id',
    [userId],
  );
  if (rows.length > 0) await db.query(`select pg_notify('${channels.work}', 'billing')`);
}

/**
 * The e-mail address that a customer `c` of a user `u` should have at the vendor: until a new address is confirmed the
 * former one stays. `$2`: whether addresses must be confirmed.
 */
const wanted = `case when u.email is null or not $2 or u.email_confirmed_at is not null then u.email
  else c.told_email end`;

/** Whether the vendor's address of the customer differs from the wanted one. */
export const isAddressDue = `(c.customer_id is not null and ${wanted} is distinct from c.told_email)`;

/**
 * Sends a changed e-mail address to the vendor, under the user lock. It is idempotent, since it sends the current address.
 * @throws PaymentFault; the change is then still due
 */
export async function syncAddress(
  { payments, confirmEmail, log }: PaidParts,
  lease: UserLease,
  userId: number,
): Promise<void> {
  const { rows } = await lease.query<{ customerId: string; email: string | null }>(
    `select c.customer_id as "customerId", ${wanted} as email
       from users u join billing_customers c on c.user_id = u.id where u.id = $1 and ${isAddressDue}`,
    [userId, confirmEmail],
  );
  const [due] = rows;
  if (!due) return;
  const isTaken = await payments.changeAddress(due.customerId, due.email);
  if (!isTaken) log.warn('the payment service refuses an address', { user: userId });
  await lease.query('update billing_customers set told_email = $2 where user_id = $1 and customer_id = $3', [
    userId,
    due.email,
    due.customerId,
  ]);
}
