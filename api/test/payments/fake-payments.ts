import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import type { PaidSubscription } from '../../src/domain/billing/derive-plan.ts';
import {
  type PaymentCheckout,
  PaymentFault,
  type Payments,
  type PortalRequest,
} from '../../src/vendors/payments/payments.ts';
import { makeStripePayments } from '../../src/vendors/payments/stripe-payments.ts';

const DAY_MS = 86_400_000;
const WEBHOOK_SECRET = 'whsec_test';
export const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** A payment service in memory that a test can control. Stripe's own client reads the events. */
export interface FakePayments extends Payments {
  checkouts: Map<string, PaymentCheckout>;
  subscriptions: Map<string, PaidSubscription & { customerId: string }>;
  customers: Set<string>;
  /** The address that was set last, by customer. */
  addresses: Map<string, string | null>;
  /** Names of the write calls, in order. */
  writes: string[];
  portalVisits: PortalRequest[];
  /** While set, every call fails: without an answer, or with a refusal. */
  fault: 'silent' | 'refuses' | null;
  /** How long every call takes. */
  delayMs: number;
  /** Pays an open checkout. @returns the subscription's id */
  pay(sessionId: string): string;
  change(subscriptionId: string, patch: Partial<PaidSubscription>): void;
}

export function makeFakePayments(): FakePayments {
  let counter = 0;
  const made = new Map<string, string>();
  const next = (kind: string) => `${kind}_${++counter}`;
  const { readEvent } = makeStripePayments({ secretKey: 'sk_test', webhookSecret: WEBHOOK_SECRET, apiBase: undefined });

  const fake: FakePayments = {
    checkouts: new Map(),
    subscriptions: new Map(),
    customers: new Set(),
    addresses: new Map(),
    writes: [],
    portalVisits: [],
    fault: null,
    delayMs: 0,

    pay(sessionId) {
      const checkout = fake.checkouts.get(sessionId);
      if (checkout?.status !== 'open') throw new Error(`${sessionId} can't be paid`);
      Object.assign(checkout, { status: 'complete', isPaid: true, url: null });
      const id = next('sub');
      fake.subscriptions.set(id, {
        id,
        itemId: `si_${id}`,
        customerId: checkout.customerId ?? '',
        planId: checkout.planId,
        phase: 'active',
        cancels: false,
        periodEnd: inDays(30),
        unpaidSince: null,
        isRefunded: false,
      });
      return id;
    },
    change(subscriptionId, patch) {
      const subscription = fake.subscriptions.get(subscriptionId);
      if (!subscription) throw new Error(`no subscription ${subscriptionId}`);
      Object.assign(subscription, patch);
    },

    makeCustomer: (_person, key) =>
      write('makeCustomer', () => {
        const id = made.get(key) ?? next('cus');
        made.set(key, id);
        fake.customers.add(id);
        return id;
      }),
    changeAddress: (id, email) =>
      write('changeAddress', () => {
        const isAccepted = !email?.includes('refused');
        fake.addresses.set(id, isAccepted ? email : null);
        return isAccepted;
      }),
    hasCustomer: (id) => read(() => fake.customers.has(id)),
    deleteCustomer: (id) => write('deleteCustomer', () => void fake.customers.delete(id)),
    startCheckout: ({ customerId, planId }, key) =>
      write('startCheckout', () => {
        if (!fake.customers.has(customerId)) throw new PaymentFault(new Error('No such customer'), true);
        const id = made.get(key) ?? next('cs_test');
        made.set(key, id);
        const url = `https://pay.example/${id}`;
        const checkout = { id, customerId, planId, url, status: 'open', isPaid: false, expiresAt: inDays(1) } as const;
        if (!fake.checkouts.has(id)) fake.checkouts.set(id, checkout);
        return { ...(fake.checkouts.get(id) ?? checkout) };
      }),
    readCheckout: (id) => read(() => copyOf(fake.checkouts.get(id))),
    expireCheckout: (id) =>
      write('expireCheckout', () => {
        const checkout = fake.checkouts.get(id);
        if (checkout?.status === 'open') Object.assign(checkout, { status: 'expired', url: null });
        return copyOf(checkout);
      }),
    readSubscriptions: (customerId) =>
      read(() =>
        [...fake.subscriptions.values()].filter((one) => one.customerId === customerId).map((one) => ({ ...one })),
      ),
    setCancels: (id, cancels) => write('setCancels', () => fake.change(id, { cancels })),
    endSubscription: (id) => write('endSubscription', () => fake.change(id, { phase: 'ended' })),
    openPortal: (visit) =>
      write('openPortal', () => {
        fake.portalVisits.push(visit);
        return `https://portal.example/${fake.portalVisits.length}`;
      }),
    customerOfCharge: () => read(() => [...fake.customers][0] ?? null),
    readEvent,
  };

  const copyOf = <T extends object>(value: T | undefined): T | null => (value ? { ...value } : null);
  async function read<T>(answer: () => T): Promise<T> {
    if (fake.delayMs > 0) await sleep(fake.delayMs);
    if (fake.fault) throw new PaymentFault(new Error(fake.fault), fake.fault === 'refuses');
    return answer();
  }
  function write<T>(name: string, answer: () => T): Promise<T> {
    fake.writes.push(name);
    return read(answer);
  }
  return fake;
}

const stripe = new Stripe('sk_test');

/** A webhook request signed as Stripe does. @param atSeconds the time of the signature, as a Unix time */
export function signedEvent(event: object, atSeconds = Math.floor(Date.now() / 1000), secret = WEBHOOK_SECRET) {
  const body = JSON.stringify(event);
  const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: atSeconds });
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
}
