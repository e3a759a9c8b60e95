import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { readCustomer } from './customer.ts';
import { type BillingParts, paymentsMissing } from './make-billing.ts';

/**
 * @returns the address of the page where the viewer's payments are managed
 * @throws AppError NOT_CONFIGURED without payments, CONFLICT for a user without a customer, VENDOR
 */
export async function openBillingPortal(
  db: Queryable,
  { payments, publicUrl }: BillingParts,
  viewer: { id: number },
): Promise<string> {
  if (!payments) throw paymentsMissing();
  const customer = await readCustomer(db, viewer.id);
  if (!customer?.customerId) throw new AppError('CONFLICT', 'There are no payments yet. Please choose a plan first.');
  return payments.openPortal({ customerId: customer.customerId, returnUrl: `${publicUrl}/subscription` });
}
