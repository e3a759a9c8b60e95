import type { PaidParts } from '../billing-parts.ts';
import type { UserLease } from './user-turns.ts';

/**
 * The address that a customer `c` of a user `u` should have at the vendor: an unconfirmed one waits, and until then the
 * one before stays. `$2`: whether addresses must be confirmed.
 */
const wanted = `case when u.email is null or not $2 or u.email_confirmed_at is not null then u.email
  else c.told_email end`;

/** Whether the vendor has another address of theirs than it should. */
export const isAddressDue = `(c.customer_id is not null and ${wanted} is distinct from c.told_email)`;

/**
 * Passes a changed address on, in the user's turn: by whatever it is now, so that how often it is done, or how many
 * changes there were, makes no difference.
 * @throws PaymentFault; it is then due as before
 */
export async function tellAddress(
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
  if (!isTaken) log.warn('the payment service does not take an address', { user: userId });
  await lease.query('update billing_customers set told_email = $2 where user_id = $1 and customer_id = $3', [
    userId,
    due.email,
    due.customerId,
  ]);
}
