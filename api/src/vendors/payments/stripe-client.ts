import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { whenUsed } from '../../base/when-used.ts';
import { namesOnlyCharge, type PaymentEvent, PaymentFault } from './payments.ts';

const require = createRequire(import.meta.url);
/** Stripe's package, which is loaded at the first call. */
export const stripePackage = whenUsed(() => require('stripe') as typeof Stripe);

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** The address of a server in place of Stripe's own, such as http://127.0.0.1:12111. */
  apiBase: string | undefined;
  /** The timeout of one try. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 6_000;
const RETRIES = 2;

/** Makes Stripe's official client, with a timeout. */
export function makeStripeClient({ secretKey, apiBase, timeoutMs = TIMEOUT_MS }: StripeSettings): Stripe {
  const base = apiBase === undefined ? null : new URL(apiBase);
  const StripeClient = stripePackage();
  return new StripeClient(secretKey, {
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

/** Whether Stripe does not know the requested id. */
const isMissing = (error: unknown): boolean =>
  error instanceof stripePackage().errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.statusCode === 404);

/** Whether Stripe refuses the email address. */
export const isRefusedAddress = (error: unknown): boolean =>
  error instanceof stripePackage().errors.StripeInvalidRequestError && error.param === 'email';

/** Runs calls to Stripe. @throws PaymentFault for any error except AppError */
export async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new PaymentFault(
      error,
      error instanceof stripePackage().errors.StripeError && error.statusCode !== undefined,
    );
  }
}

/** @returns null when Stripe does not know the id */
export async function nullIfMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Source: https://docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE_SECONDS = 300;

interface EventObject {
  id?: unknown;
  customer?: unknown;
  charge?: unknown;
}

const namesCharge = new RegExp(namesOnlyCharge);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Reads an event of Stripe. For a refund or a dispute the object is the charge, which has the customer.
 * @throws AppError VALIDATION unless Stripe signed exactly these bytes within the last five minutes
 */
export function readStripeEvent(
  stripe: Stripe,
  secret: string,
  body: Buffer,
  signature: string | undefined,
): PaymentEvent {
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS);
  } catch (cause) {
    throw new AppError('VALIDATION', 'The signature is invalid.', { cause });
  }
  const { id, type, data } = event;
  const object = (data?.object ?? {}) as EventObject;
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new AppError('VALIDATION', 'The body is not a valid event.');
  const isCustomer = /^customer\.(created|updated|deleted)$/.test(type);
  const objectId = namesCharge.test(type) ? text(object.charge) : text(object.id);
  return { id, type, objectId, customerId: isCustomer ? text(object.id) : text(object.customer) };
}
