import { AppError } from '../../base/errors.ts';
import { queueFarewell } from '../../entities/shared/queue-farewell.ts';
import { PaymentFault } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';
import { forgetCustomer, readCustomer } from '../state/customer-row.ts';
import { tellAddress } from '../state/tell-address.ts';
import type { UserLease } from '../state/user-turns.ts';

/** Whoever's account was erased meanwhile. */
export const accountGone = (): AppError => new AppError('UNAUTHENTICATED', 'Please sign in first.');

async function readPerson(lease: UserLease, userId: number) {
  const { rows } = await lease.query<{ userId: number; username: string }>(
    'select id as "userId", username from users where id = $1',
    [userId],
  );
  return rows[0] ?? null;
}

/**
 * Who the user is at the vendor; made there the first time, in the user's turn.
 * @throws PaymentFault, AppError UNAUTHENTICATED when the account is gone
 */
export async function makeCustomer(parts: PaidParts, lease: UserLease, userId: number): Promise<string> {
  await lease.query(
    'insert into billing_customers (user_id) select id from users where id = $1 for key share on conflict do nothing',
    [userId],
  );
  const row = await readCustomer(lease, userId);
  const person = await readPerson(lease, userId);
  if (!row || !person) throw accountGone();
  if (row.customerId !== null) return row.customerId;
  const customerId = await made(parts, lease, person, row.makeKey);
  const { rowCount } = await lease.query('update billing_customers set customer_id = $2 where user_id = $1', [
    userId,
    customerId,
  ]);
  if (rowCount === 1) {
    await tellAddress(parts, lease, userId);
    return customerId;
  }
  await queueFarewell(lease, customerId, []);
  throw accountGone();
}

/** After an answer the same key would be answered the same; after none it finds what may have been made. */
async function made(
  { payments }: PaidParts,
  lease: UserLease,
  person: { userId: number; username: string },
  key: string,
): Promise<string> {
  try {
    return await payments.makeCustomer(person, key);
  } catch (error) {
    if (error instanceof PaymentFault && error.answered) await forgetCustomer(lease, person.userId);
    throw error;
  }
}
