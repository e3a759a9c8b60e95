import { makePool, type Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import { makeStripePayments } from '../vendors/payments/stripe-payments.ts';
import type { BillingParts } from './billing-parts.ts';
import { makeUserTurns } from './state/user-turns.ts';

/** Longer than Stripe may take: whoever waits for another's turn waits for Stripe. */
const PATIENCE_MS = 30_000;
const CONNECTIONS = 5;

export interface Billing {
  parts: BillingParts;
  close(): Promise<void>;
}

interface BillingOptions {
  settings: Pick<Settings, 'stripe' | 'publicUrl' | 'confirmEmail'>;
  databaseUrl: string;
  /** How many users' turns may be under way at a time. */
  connections?: number;
  log: Log;
  /** Another vendor than the settings name. */
  payments?: Payments;
}

/** Billing with connections of its own. */
export function makeBilling({ settings, databaseUrl, log, ...options }: BillingOptions): Billing {
  const pool: Pool = makePool(databaseUrl, options.connections ?? CONNECTIONS, 'lotwatch-billing', PATIENCE_MS);
  const { stripe, publicUrl, confirmEmail } = settings;
  const payments = options.payments ?? (stripe && makeStripePayments(stripe));
  return {
    parts: { payments, turn: makeUserTurns(pool), publicUrl, confirmEmail, log },
    close: () => pool.end(),
  };
}
