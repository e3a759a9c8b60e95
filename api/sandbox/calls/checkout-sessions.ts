import { z } from 'zod';
import { expireCheckout, orderOf, sessionId, storeOrder } from '../billing/checkout.ts';
import { nameOf } from '../billing/subscriptions.ts';
import { call } from '../protocol/call.ts';
import { address, flag, listFields, mergeMetadata, metadata, text, whole } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { badRequest, missingResource } from '../protocol/stripe-error.ts';
import type { CheckoutSession, Price } from '../state/objects.ts';
import type { Change } from '../state/store.ts';

const HALF_HOUR = 1800;
const DAY = 86_400;

const fields = {
  mode: z.literal('subscription', 'the sandbox knows subscriptions only'),
  line_items: z.array(z.strictObject({ price: text, quantity: z.literal('1') })).length(1),
  success_url: address,
  cancel_url: address.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({ metadata: metadata.optional(), description: text.max(500).optional() })
    .optional(),
  expires_at: whole.optional(),
  allow_promotion_codes: flag.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  locale: text.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  ui_mode: z.enum(['hosted', 'hosted_page']).optional(),
};

function payablePrice(change: Change, id: string): Price {
  const param = 'line_items[0][price]';
  const price = change.find('price', id);
  if (!price) throw missingResource('price', id, param);
  if (!price.active) throw badRequest('The price specified is inactive.', param);
  if (!price.recurring) throw badRequest('You must provide at least one recurring price in subscription mode.', 'mode');
  return price;
}

function expiry(now: number, given = now + DAY): number {
  if (given < now + HALF_HOUR - 5 || given > now + DAY + 5)
    throw badRequest('`expires_at` must be between 30 minutes and 24 hours from now.', 'expires_at');
  return given;
}

/** Returns a checkout, which expires first when its time is over. */
export function currentSession(change: Change, id: string): CheckoutSession {
  const session = change.edit('checkout.session', id);
  if (session.status === 'open' && session.expires_at <= change.now) expireCheckout(change, session);
  return session;
}

export const checkoutCalls = [
  call('POST', '/v1/checkout/sessions', fields, (change, given, _id, { publicUrl }) => {
    const [line] = given.line_items;
    const price = payablePrice(change, line?.price ?? '');
    if (given.customer !== undefined) {
      if (given.customer_email !== undefined)
        throw badRequest('You may only specify one of these parameters: customer, customer_email.');
      change.customer(given.customer);
    }
    const id = sessionId();
    const { metadata: onSubscription = {}, description = null } = given.subscription_data ?? {};
    storeOrder(change, id, { price: price.id, metadata: onSubscription, description });
    return change.put<CheckoutSession>({
      id,
      object: 'checkout.session',
      allow_promotion_codes: given.allow_promotion_codes ?? null,
      amount_subtotal: price.unit_amount,
      amount_total: price.unit_amount,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      billing_address_collection: given.billing_address_collection ?? null,
      cancel_url: given.cancel_url ?? null,
      client_reference_id: given.client_reference_id ?? null,
      created: change.now,
      currency: price.currency,
      customer: given.customer ?? null,
      customer_creation: given.customer === undefined ? 'always' : null,
      customer_details: null,
      customer_email: given.customer_email ?? null,
      expires_at: expiry(change.now, given.expires_at),
      invoice: null,
      livemode: false,
      locale: given.locale ?? null,
      metadata: given.metadata ?? {},
      mode: 'subscription',
      payment_intent: null,
      payment_link: null,
      payment_method_collection: given.payment_method_collection ?? 'always',
      payment_method_types: ['card'],
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: given.success_url,
      ui_mode: given.ui_mode ?? 'hosted_page',
      url: `${publicUrl}/dev/checkout/${id}`,
    });
  }),
  call(
    'GET',
    '/v1/checkout/sessions',
    {
      ...listFields,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
    },
    (change, { customer, subscription, status, ...page }) => {
      const wanted = change
        .all('checkout.session')
        .map(({ id }) => currentSession(change, id))
        .filter(
          (one) =>
            (customer === undefined || one.customer === customer) &&
            (subscription === undefined || one.subscription === subscription) &&
            (status === undefined || one.status === status),
        );
      return listOf('/v1/checkout/sessions', wanted, page);
    },
  ),
  call('GET', '/v1/checkout/sessions/:id', {}, (change, _given, id) => currentSession(change, id)),
  call('POST', '/v1/checkout/sessions/:id', { metadata: metadata.optional() }, (change, given, id) => {
    const session = currentSession(change, id);
    session.metadata = mergeMetadata(session.metadata, given.metadata);
    return session;
  }),
  call('POST', '/v1/checkout/sessions/:id/expire', {}, (change, _given, id) => {
    const session = currentSession(change, id);
    if (session.status !== 'open') {
      const why = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`;
      throw badRequest(why);
    }
    expireCheckout(change, session);
    return session;
  }),
  call('GET', '/v1/checkout/sessions/:id/line_items', listFields, (change, given, id) => {
    const { price } = orderOf(change, change.edit('checkout.session', id).id);
    const amounts = { amount_discount: 0, amount_subtotal: price.unit_amount, amount_tax: 0 };
    const line = {
      id: `li_${id.slice(-14)}`,
      object: 'item',
      ...amounts,
      amount_total: price.unit_amount,
      currency: price.currency,
      description: nameOf(change, price),
      price,
      quantity: 1,
    };
    return listOf(`/v1/checkout/sessions/${id}/line_items`, [line], given);
  }),
];
