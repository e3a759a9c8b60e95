import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import type { BillingParts } from '../billing/make-billing.ts';
import { processDuePayments } from '../billing/process-due-payments.ts';
import type { Job } from './job.ts';

/** Brings plans up to date with what Stripe says, and deletes the Stripe customers of erased accounts. */
export const processPaymentsJob: Job<{ pool: Pool; billing: BillingParts }> = {
  name: 'process-payments',
  everyMs: 60_000,
  wakeUp: { channel: channels.work, payload: 'billing' },
  async run({ pool, billing }) {
    return { nextInMs: await processDuePayments(billing, pool) };
  },
};
