import { z } from 'zod';
import { changePrice, endSubscription, setCancelAtPeriodEnd } from '../billing/subscriptions.ts';
import { call } from '../protocol/call.ts';
import { clearable, flag, listFields, mergeMetadata, metadata, text } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { badRequest, missingResource } from '../protocol/stripe-error.ts';
import type { Subscription } from '../state/objects.ts';
import type { Change } from '../state/store.ts';

const cancellationDetails = z
  .strictObject({
    comment: clearable.optional(),
    feedback: z
      .enum([
        'customer_service',
        'low_quality',
        'missing_features',
        'other',
        'switched_service',
        'too_complex',
        'too_expensive',
        'unused',
        '',
      ])
      .transform((given) => given || null)
      .optional(),
  })
  .optional();

const fields = {
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails,
  metadata: metadata.optional(),
  description: clearable.optional(),
  items: z
    .array(z.strictObject({ id: text, price: text, quantity: z.literal('1').optional() }))
    .length(1)
    .optional(),
  proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
};

function livingSubscription(change: Change, id: string): Subscription {
  const sub = change.edit('subscription', id);
  if (sub.status === 'canceled') throw missingResource('subscription', id, 'id');
  return sub;
}

/** The former values of the top-level attributes that a change has touched. */
export function changedFrom(before: Subscription, after: Subscription): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof Subscription]),
    ),
  );
}

/** Changes a subscription, and emits an event if that made a difference. */
export function updating(change: Change, sub: Subscription, work: () => void): Subscription {
  const before = structuredClone(sub);
  work();
  const changed = changedFrom(before, sub);
  if (Object.keys(changed).length > 0) change.emit('customer.subscription.updated', sub, changed);
  return sub;
}

export const subscriptionCalls = [
  call(
    'GET',
    '/v1/subscriptions',
    {
      ...listFields,
      customer: text.optional(),
      price: text.optional(),
      status: z
        .enum([
          'all',
          'ended',
          'active',
          'past_due',
          'canceled',
          'incomplete',
          'incomplete_expired',
          'trialing',
          'unpaid',
          'paused',
        ])
        .optional(),
    },
    (change, { customer, price, status, ...page }) => {
      const isWanted = ({ status: is }: Subscription): boolean => {
        if (status === undefined) return is !== 'canceled';
        return status === 'all' || status === is || (status === 'ended' && is === 'canceled');
      };
      const wanted = change
        .all('subscription')
        .filter(
          (one) =>
            isWanted(one) &&
            (customer === undefined || one.customer === customer) &&
            (price === undefined || one.items.data[0].price.id === price),
        );
      return listOf('/v1/subscriptions', wanted, page);
    },
  ),
  call('GET', '/v1/subscriptions/:id', {}, (change, _given, id) => change.edit('subscription', id)),
  call('POST', '/v1/subscriptions/:id', fields, (change, given, id) => {
    const sub = livingSubscription(change, id);
    return updating(change, sub, () => {
      const [wanted] = given.items ?? [];
      if (wanted) {
        const price = change.find('price', wanted.price);
        if (!price) throw missingResource('price', wanted.price, 'items[0][price]');
        if (wanted.id !== sub.items.data[0].id) throw missingResource('subscription item', wanted.id, 'items[0][id]');
        changePrice(change, sub, price, given.proration_behavior ?? 'create_prorations');
      }
      if (given.cancel_at_period_end !== undefined && given.cancel_at_period_end !== sub.cancel_at_period_end)
        setCancelAtPeriodEnd(change, sub, given.cancel_at_period_end);
      if (given.description !== undefined) sub.description = given.description;
      sub.metadata = mergeMetadata(sub.metadata, given.metadata);
      Object.assign(sub.cancellation_details, given.cancellation_details);
    });
  }),
  call(
    'DELETE',
    '/v1/subscriptions/:id',
    { cancellation_details: cancellationDetails, invoice_now: flag.optional(), prorate: flag.optional() },
    (change, given, id) => {
      if (given.invoice_now || given.prorate) throw badRequest('The sandbox ends a subscription without an invoice.');
      const sub = livingSubscription(change, id);
      Object.assign(sub.cancellation_details, given.cancellation_details);
      endSubscription(change, sub, 'cancellation_requested');
      return sub;
    },
  ),
];
