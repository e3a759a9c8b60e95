import type { Charge, Invoice, InvoiceItem, InvoicePayment, PaymentIntent, Refund } from './payment-objects.ts';
import type { PortalConfiguration, PortalSession } from './portal-objects.ts';

export type Metadata = Record<string, string>;

interface Common {
  id: string;
  created: number;
  livemode: false;
}

export interface Customer extends Common {
  object: 'customer';
  balance: number;
  currency: string | null;
  delinquent: boolean;
  description: string | null;
  email: string | null;
  invoice_prefix: string;
  metadata: Metadata;
  name: string | null;
  next_invoice_sequence: number;
  phone: string | null;
  preferred_locales: string[];
  tax_exempt: string;
  default_source: null;
}

/** A customer who was deleted. */
export interface DeletedCustomer {
  id: string;
  object: 'customer';
  deleted: true;
}

export interface Product extends Common {
  object: 'product';
  active: boolean;
  default_price: string | null;
  description: string | null;
  images: string[];
  marketing_features: never[];
  metadata: Metadata;
  name: string;
  type: 'service';
  updated: number;
  url: string | null;
  tax_code: string | null;
  unit_label: string | null;
  statement_descriptor: string | null;
}

export interface Price extends Common {
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  currency: string;
  lookup_key: string | null;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
    meter: null;
    usage_type: 'licensed';
    trial_period_days: null;
  } | null;
  tax_behavior: string;
  tiers_mode: null;
  type: 'recurring' | 'one_time';
  /** Cents. */
  unit_amount: number;
  unit_amount_decimal: string;
}

export interface CheckoutSession extends Common {
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  automatic_tax: { enabled: boolean; liability: null; status: null; provider: null };
  allow_promotion_codes: boolean | null;
  billing_address_collection: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  currency: string;
  customer: string | null;
  customer_creation: string | null;
  customer_details: { email: string | null; name: string | null; phone: null; tax_exempt: string } | null;
  customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  locale: string | null;
  metadata: Metadata;
  mode: 'subscription';
  payment_intent: null;
  payment_link: null;
  payment_method_collection: string;
  payment_method_types: string[];
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string;
  ui_mode: string;
  url: string | null;
}

export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_start: number;
  current_period_end: number;
  discounts: never[];
  metadata: Metadata;
  price: Price;
  quantity: number;
  subscription: string;
  tax_rates: never[];
}

export interface Subscription extends Common {
  object: 'subscription';
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  collection_method: 'charge_automatically';
  currency: string;
  customer: string;
  days_until_due: null;
  default_payment_method: string | null;
  description: string | null;
  discounts: never[];
  ended_at: number | null;
  items: { object: 'list'; data: [SubscriptionItem]; has_more: false; url: string };
  latest_invoice: string | null;
  metadata: Metadata;
  pending_setup_intent: null;
  pending_update: null;
  schedule: null;
  start_date: number;
  status: 'active' | 'past_due' | 'canceled';
  trial_end: null;
  trial_start: null;
}

export interface Event extends Common {
  object: 'event';
  api_version: string;
  type: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  /** 1 until the webhook has accepted it. */
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
}

/** Not Stripe's: the answer to a request with an idempotency key, which a repeated request gets again. */
export interface StoredAnswer {
  id: string;
  object: 'kept_answer';
  created: number;
  fingerprint: string;
  body: string;
}

/** Not Stripe's: the subscription that a checkout will start, which a session does not show. */
export interface StoredOrder {
  id: string;
  object: 'kept_order';
  price: string;
  metadata: Metadata;
  description: string | null;
}

/** Not Stripe's: a setting of the portal page for a customer. */
export interface PortalSetting {
  id: string;
  object: 'wish';
  nextPaymentFails: boolean;
}

export interface Kinds {
  customer: Customer | DeletedCustomer;
  product: Product;
  price: Price;
  'checkout.session': CheckoutSession;
  subscription: Subscription;
  invoice: Invoice;
  invoiceitem: InvoiceItem;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  event: Event;
  kept_answer: StoredAnswer;
  kept_order: StoredOrder;
  wish: PortalSetting;
}

export type Kind = keyof Kinds;
export type Stored = Kinds[Kind];
