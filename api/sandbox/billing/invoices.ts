import { newId } from '../state/ids.ts';
import type { Subscription } from '../state/objects.ts';
import type { Invoice, InvoiceLine } from '../state/payment-objects.ts';
import type { Change } from '../state/store.ts';
import { newPaymentIntent, tryCharge } from './charge.ts';

const DAY = 86_400;

/** An amount of an invoice in cents; negative for a credit. */
export interface InvoiceAmount {
  amount: number;
  description: string;
  period: { start: number; end: number };
  proration: boolean;
  invoiceItem?: string;
}

function line(owed: InvoiceAmount, invoice: string, sub: Subscription): InvoiceLine {
  const [item] = sub.items.data;
  return {
    id: newId('il'),
    object: 'line_item',
    amount: owed.amount,
    currency: sub.currency,
    description: owed.description,
    discountable: !owed.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: owed.invoiceItem ?? null,
        proration: owed.proration,
        proration_details: null,
        subscription: sub.id,
        subscription_item: item.id,
      },
    },
    period: owed.period,
    quantity: 1,
    subtotal: owed.amount,
  };
}

/** Moves the pending items into an invoice. */
function takePendingItems(change: Change, sub: Subscription, invoice: string): InvoiceAmount[] {
  const waiting = change
    .all('invoiceitem')
    .filter((item) => item.invoice === null && item.parent.subscription_details.subscription === sub.id);
  return waiting.map(({ id }) => {
    const item = change.edit('invoiceitem', id);
    item.invoice = invoice;
    const { amount, description, period, proration } = item;
    return { amount, description, period, proration, invoiceItem: id };
  });
}

/**
 * Makes an invoice of a subscription and tries to pay it from the customer's credit and card.
 * @returns the invoice; it stays open when the payment failed
 */
export function bill(
  change: Change,
  sub: Subscription,
  reason: Invoice['billing_reason'],
  owed: readonly InvoiceAmount[],
  succeeds: boolean,
): Invoice {
  const customer = change.customer(sub.customer);
  const id = newId('in');
  const lines = [...owed, ...takePendingItems(change, sub, id)].map((one) => line(one, id, sub));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const after = total + customer.balance;
  const due = Math.max(0, after);
  const [item] = sub.items.data;
  const invoice = change.put<Invoice>({
    id,
    object: 'invoice',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: change.now,
    currency: sub.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    description: null,
    due_date: null,
    effective_at: change.now,
    ending_balance: Math.min(0, after),
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: sub.metadata, subscription: sub.id },
    },
    period_end: item.current_period_end,
    period_start: item.current_period_start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'open',
    status_transitions: { finalized_at: change.now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    total,
  });
  customer.balance = invoice.ending_balance;
  customer.next_invoice_sequence += 1;
  sub.latest_invoice = id;
  change.emit('invoice.created', { ...invoice, status: 'draft' });
  change.emit('invoice.finalized', invoice);
  if (due === 0) markPaid(change, invoice);
  else {
    const intent = newPaymentIntent(change, customer, due, 'Subscription');
    change.put({
      id: newId('inpay'),
      object: 'invoice_payment',
      amount_paid: null,
      amount_requested: due,
      created: change.now,
      currency: invoice.currency,
      invoice: id,
      is_default: true,
      livemode: false,
      payment: { type: 'payment_intent', payment_intent: intent.id },
      status: 'open',
      status_transitions: { canceled_at: null, paid_at: null },
    });
    tryToPay(change, invoice, succeeds);
  }
  return invoice;
}

function markPaid(change: Change, invoice: Invoice): void {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = change.now;
  change.emit('invoice.paid', invoice);
  change.emit('invoice.payment_succeeded', invoice);
}

/** Tries once to pay an open invoice. */
export function tryToPay(change: Change, invoice: Invoice, succeeds: boolean): void {
  const found = change.all('invoice_payment').find((one) => one.invoice === invoice.id && one.status === 'open');
  if (!found) return;
  const payment = change.edit('invoice_payment', found.id);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  tryCharge(change, change.edit('payment_intent', payment.payment.payment_intent), succeeds);
  if (!succeeds) {
    invoice.next_payment_attempt = change.now + 3 * DAY;
    change.emit('invoice.payment_failed', invoice);
    return;
  }
  payment.status = 'paid';
  payment.amount_paid = payment.amount_requested;
  payment.status_transitions.paid_at = change.now;
  change.emit('invoice_payment.paid', payment);
  markPaid(change, invoice);
}
