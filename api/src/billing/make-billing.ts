import { makePool, type Pool, statementTimeouts } from '../base/database.ts';
import type { DatabaseAddress } from '../base/database-address.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import { makeStripePayments } from '../vendors/payments/stripe-payments.ts';
import { makeUserLock, type WithUserLock } from './user-lock.ts';

/** The answer to every operation that needs payments while none can be taken. */
export const paymentsMissing = (): AppError => new AppError('NOT_CONFIGURED', 'Payments are not set up');

/** The parts of the running process that billing needs. */
export interface BillingParts {
  /** null where payments are not set up. */
  payments: Payments | null;
  withUserLock: WithUserLock;
  /** Where the payment pages lead back to; without a trailing slash. */
  publicUrl: string;
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  log: Log;
}

/** Billing parts with payments set up. */
export type PaidParts = BillingParts & { payments: Payments };

const CONNECTIONS = 5;

export interface Billing {
  parts: BillingParts;
  close(): Promise<void>;
}

interface BillingOptions {
  settings: Pick<Settings, 'stripe' | 'publicUrl' | 'confirmEmail'>;
  database: DatabaseAddress;
  /** A user lock takes a connection only for its statements, not while it waits or while Stripe answers. */
  connections?: number;
  log: Log;
  /** Used instead of the vendor that the settings name. */
  payments?: Payments;
}

/** Makes billing with a connection pool of its own, which `close` ends. */
export function makeBilling({ settings, database, log, ...options }: BillingOptions): Billing {
  const pool: Pool = makePool(
    database,
    options.connections ?? CONNECTIONS,
    'lotwatch-billing',
    statementTimeouts.request,
  );
  followChosenLayout(pool);
  const { stripe, publicUrl, confirmEmail } = settings;
  const payments = options.payments ?? (stripe && makeStripePayments(stripe));
  return {
    parts: { payments, withUserLock: makeUserLock(pool), publicUrl, confirmEmail, log },
    close: () => pool.end(),
  };
}
