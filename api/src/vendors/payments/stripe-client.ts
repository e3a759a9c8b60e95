import Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { PaymentFault } from './payments.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Another server than Stripe's own, like http://127.0.0.1:12111. */
  apiBase: string | undefined;
  /** Of one try. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 6_000;
const RETRIES = 2;

/** Stripe's official client, with an end to its patience. */
export function makeStripeClient({ secretKey, apiBase, timeoutMs = TIMEOUT_MS }: StripeSettings): Stripe {
  const base = apiBase === undefined ? null : new URL(apiBase);
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(base && {
      protocol: base.protocol === 'http:' ? 'http' : 'https',
      host: base.hostname,
      port: base.port || (base.protocol === 'http:' ? 80 : 443),
    }),
  });
}

/** Whether Stripe knows nothing under the id that was asked for. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.statusCode === 404);

/** Whether Stripe takes no such e-mail address. */
export const isRefusedAddress = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'email';

/** Runs calls to Stripe. @throws PaymentFault for whatever goes wrong, AppError as it is */
export async function askStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new PaymentFault(error, error instanceof Stripe.errors.StripeError && error.statusCode !== undefined);
  }
}

/** null where Stripe knows nothing under the id. */
export async function orMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
