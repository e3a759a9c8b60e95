import { makePool, type Pool, patience } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import { makeStripePayments } from '../vendors/payments/stripe-payments.ts';
import type { BillingParts } from './billing-parts.ts';
import { makeUserTurns } from './state/user-turns.ts';

const CONNECTIONS = 5;

export interface Billing {
  parts: BillingParts;
  close(): Promise<void>;
}

interface BillingOptions {
  settings: Pick<Settings, 'stripe' | 'publicUrl' | 'confirmEmail'>;
  databaseUrl: string;
  /** A turn takes one only for its statements, not while it waits or asks Stripe. */
  connections?: number;
  log: Log;
  /** Another vendor than the settings name. */
  payments?: Payments;
}

/** Billing with connections of its own. */
export function makeBilling({ settings, databaseUrl, log, ...options }: BillingOptions): Billing {
  const pool: Pool = makePool(databaseUrl, options.connections ?? CONNECTIONS, 'lotwatch-billing', patience.request);
  const { stripe, publicUrl, confirmEmail } = settings;
  const payments = options.payments ?? (stripe && makeStripePayments(stripe));
  return {
    parts: { payments, turn: makeUserTurns(pool), publicUrl, confirmEmail, log },
    close: () => pool.end(),
  };
}
