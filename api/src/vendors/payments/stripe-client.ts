import Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { namesOnlyCharge, type PaymentEvent, PaymentFault } from './payments.ts';

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

/** Makes Stripe's official client, with a timeout. */
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
const isMissing = (error: unknown): boolean =>
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

/** @returns null where Stripe does not know the id */
export async function orMissing<T>(asked: Promise<T>): Promise<T | null> {
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
 * Reads an event of Stripe's. For a refund or a dispute it has the id of the charge, which knows its customer.
 * @throws AppError VALIDATION unless Stripe signed exactly these bytes, five minutes ago at most
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
    throw new AppError('VALIDATION', 'The signature does not fit.', { cause });
  }
  const { id, type, data } = event;
  const object = (data?.object ?? {}) as EventObject;
  if (typeof id !== 'string' || typeof type !== 'string') throw new AppError('VALIDATION', 'This is no event.');
  const isCustomer = /^customer\.(created|updated|deleted)$/.test(type);
  const objectId = namesCharge.test(type) ? text(object.charge) : text(object.id);
  return { id, type, objectId, customerId: isCustomer ? text(object.id) : text(object.customer) };
}
