import type Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { namesOnlyCharge, type PaymentEvent } from './payments.ts';

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
 * What Stripe says happened. Of a refund or a dispute the charge is named, which knows its customer.
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
