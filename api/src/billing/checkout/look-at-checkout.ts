import type { PaidParts } from '../billing-parts.ts';
import type { UserLease } from '../state/user-turns.ts';
import { type CheckoutRow, closeCheckout, readOpenCheckout, writeCheckout } from './checkout-row.ts';

/**
 * Reads anew what became of a user's open checkout, in their turn.
 * @returns the checkout where it is still open or was never made
 */
export async function lookAtCheckout(
  { payments }: PaidParts,
  lease: UserLease,
  userId: number,
): Promise<CheckoutRow | null> {
  const row = await readOpenCheckout(lease, userId);
  if (!row?.sessionId) return row;
  const told = await payments.readCheckout(row.sessionId);
  if (told) await writeCheckout(lease, row.id, told);
  else await closeCheckout(lease, row.id, 'failed');
  return told?.status === 'open' ? row : null;
}
