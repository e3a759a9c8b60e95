import { expect, it } from 'vitest';
import { shapeFaults } from './checking-proxy.ts';

const charge = { id: 'ch_1', object: 'charge', amount: 499, refunded: false, metadata: { any: 'thing' } };

it('finds nothing in objects as Stripe has them, in lists and where ids are expanded', () => {
  expect(shapeFaults({ object: 'list', url: '/v1/charges', has_more: false, data: [charge] })).toEqual([]);
  expect(shapeFaults({ id: 'pi_1', object: 'payment_intent', latest_charge: charge })).toEqual([]);
  expect(shapeFaults({ id: 'cus_1', object: 'customer', deleted: true })).toEqual([]);
});

it('finds fields that Stripe lacks, and fields of another type, wherever they are', () => {
  expect(shapeFaults({ ...charge, plan: 2, amount: '499' })).toEqual([
    '(charge).amount: string instead of number',
    '(charge).plan: unknown to Stripe',
  ]);
  const invoice = { object: 'invoice', charge: 'ch_1', parent: { subscription_details: { plan: '2' } } };
  expect(shapeFaults({ object: 'list', data: [invoice] })).toEqual([
    '.data[](invoice).charge: unknown to Stripe',
    '.data[](invoice).parent.subscription_details.plan: unknown to Stripe',
  ]);
  expect(shapeFaults({ object: 'bill' })).toHaveLength(1);
});
