import { z } from 'zod';
import { refundCharge } from '../billing/charge.ts';
import { payOverdue } from '../billing/subscriptions.ts';
import { call } from '../protocol/call.ts';
import { flag, listFields, mergeMetadata, metadata, text, whole } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { badRequest, missingResource } from '../protocol/stripe-error.ts';

const is = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value;

const invoiceCalls = [
  call('GET', '/v1/invoices/:id', {}, (change, _given, id) => change.edit('invoice', id)),
  call(
    'GET',
    '/v1/invoices',
    {
      ...listFields,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    },
    (change, { customer, subscription, status, ...page }) => {
      const wanted = change
        .all('invoice')
        .filter(
          (one) =>
            is(customer, one.customer) &&
            is(status, one.status) &&
            is(subscription, one.parent.subscription_details.subscription),
        );
      return listOf('/v1/invoices', wanted, page);
    },
  ),
  call('POST', '/v1/invoices/:id/pay', { off_session: flag.optional() }, (change, _given, id) => {
    const invoice = change.edit('invoice', id);
    if (invoice.status !== 'open') throw badRequest('Invoice is already paid');
    payOverdue(change, change.edit('subscription', invoice.parent.subscription_details.subscription));
    return invoice;
  }),
  call(
    'GET',
    '/v1/invoice_payments',
    {
      ...listFields,
      invoice: text.optional(),
      payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text.optional() }).optional(),
      status: z.enum(['open', 'paid', 'canceled']).optional(),
    },
    (change, { invoice, payment, status, ...page }) => {
      const wanted = change
        .all('invoice_payment')
        .filter(
          (one) =>
            is(invoice, one.invoice) &&
            is(status, one.status) &&
            is(payment?.payment_intent, one.payment.payment_intent),
        );
      return listOf('/v1/invoice_payments', wanted, page);
    },
  ),
];

export const paymentCalls = [
  ...invoiceCalls,
  call('GET', '/v1/payment_intents/:id', {}, (change, _given, id) => change.edit('payment_intent', id)),
  call('GET', '/v1/payment_intents', { ...listFields, customer: text.optional() }, (change, given) => {
    const wanted = change.all('payment_intent').filter((one) => is(given.customer, one.customer));
    return listOf('/v1/payment_intents', wanted, given);
  }),
  call('GET', '/v1/charges/:id', {}, (change, _given, id) => change.edit('charge', id)),
  call(
    'GET',
    '/v1/charges',
    { ...listFields, customer: text.optional(), payment_intent: text.optional() },
    (change, { customer, payment_intent: intent, ...page }) => {
      const wanted = change
        .all('charge')
        .filter((one) => is(customer, one.customer ?? undefined) && is(intent, one.payment_intent));
      return listOf('/v1/charges', wanted, page);
    },
  ),
  call(
    'POST',
    '/v1/refunds',
    {
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: whole.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: metadata.optional(),
    },
    (change, { charge, payment_intent: intent, ...given }) => {
      const id = charge ?? (intent && change.find('payment_intent', intent)?.latest_charge);
      if (!id) throw missingResource('payment_intent', intent ?? '', 'payment_intent');
      return refundCharge(change, change.edit('charge', id, 'charge'), {
        ...given,
        metadata: mergeMetadata({}, given.metadata),
      });
    },
  ),
  call('GET', '/v1/refunds/:id', {}, (change, _given, id) => change.edit('refund', id)),
  call(
    'GET',
    '/v1/refunds',
    { ...listFields, charge: text.optional(), payment_intent: text.optional() },
    (change, { charge, payment_intent: intent, ...page }) => {
      const wanted = change.all('refund').filter((one) => is(charge, one.charge) && is(intent, one.payment_intent));
      return listOf('/v1/refunds', wanted, page);
    },
  ),
];
