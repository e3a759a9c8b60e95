export interface InvoiceLine {
  id: string;
  object: 'line_item';
  /** Cents; negative for a credit. */
  amount: number;
  currency: string;
  description: string;
  discountable: boolean;
  discounts: never[];
  invoice: string;
  livemode: false;
  metadata: Record<string, string>;
  period: { start: number; end: number };
  quantity: number;
  subtotal: number;
  parent: {
    type: 'subscription_item_details';
    invoice_item_details: null;
    subscription_item_details: {
      invoice_item: string | null;
      proration: boolean;
      proration_details: null;
      subscription: string;
      subscription_item: string;
    };
  };
}

export interface Invoice {
  id: string;
  object: 'invoice';
  created: number;
  livemode: false;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  amount_overpaid: number;
  amount_shipping: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  collection_method: 'charge_automatically';
  currency: string;
  customer: string;
  customer_email: string | null;
  customer_name: string | null;
  description: string | null;
  due_date: number | null;
  effective_at: number;
  starting_balance: number;
  ending_balance: number;
  hosted_invoice_url: string | null;
  invoice_pdf: string | null;
  lines: { object: 'list'; data: InvoiceLine[]; has_more: false; url: string };
  metadata: Record<string, string>;
  next_payment_attempt: number | null;
  number: string;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { metadata: Record<string, string>; subscription: string };
  };
  period_start: number;
  period_end: number;
  post_payment_credit_notes_amount: number;
  pre_payment_credit_notes_amount: number;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  total: number;
}

/** An item of the next invoice. */
export interface InvoiceItem {
  id: string;
  object: 'invoiceitem';
  date: number;
  livemode: false;
  amount: number;
  currency: string;
  customer: string;
  description: string;
  discountable: boolean;
  discounts: never[];
  invoice: string | null;
  metadata: Record<string, string>;
  parent: {
    type: 'subscription_details';
    subscription_details: { subscription: string; subscription_item: string };
  };
  period: { start: number; end: number };
  proration: boolean;
  quantity: number;
  tax_rates: never[];
}

export interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  created: number;
  livemode: false;
  amount_paid: number | null;
  amount_requested: number;
  currency: string;
  invoice: string;
  is_default: boolean;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'open' | 'paid' | 'canceled';
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  created: number;
  livemode: false;
  amount: number;
  amount_capturable: number;
  amount_received: number;
  capture_method: 'automatic';
  confirmation_method: 'automatic';
  client_secret: string;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: { type: 'card_error'; code: string; decline_code: string; message: string } | null;
  latest_charge: string | null;
  metadata: Record<string, string>;
  payment_method: string | null;
  payment_method_types: string[];
  status: 'requires_payment_method' | 'succeeded';
}

export interface Charge {
  id: string;
  object: 'charge';
  created: number;
  livemode: false;
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Record<string, string>;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface Refund {
  id: string;
  object: 'refund';
  created: number;
  amount: number;
  charge: string;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string | null;
  status: 'succeeded';
}
