import type { Log } from '../base/log.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import type { UserTurns } from './state/user-turns.ts';

/** What billing uses of the running process. */
export interface BillingParts {
  /** null where nobody takes payments. */
  payments: Payments | null;
  turn: UserTurns;
  /** Where the payment pages lead back to; without a trailing slash. */
  publicUrl: string;
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  log: Log;
}

/** The same once payments are known to be there. */
export type PaidParts = BillingParts & { payments: Payments };
