import { AppError } from '../../base/errors.ts';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';

/** A payment page and its state. */
export interface PaymentCheckout {
  id: string;
  status: 'open' | 'complete' | 'expired';
  /** Whether the payment has arrived; a page can be complete while a bank still processes the payment. */
  isPaid: boolean;
  customerId: string | null;
  planId: number;
  /** Where to pay; null once that is over. */
  url: string | null;
  expiresAt: Date;
}

export interface NewCheckout {
  customerId: string;
  userId: number;
  planId: number;
  /** May hold {CHECKOUT_SESSION_ID}, which the vendor replaces. */
  successUrl: string;
  cancelUrl: string;
}

export interface PortalRequest {
  customerId: string;
  /** Where the portal leads back to. */
  returnUrl: string;
  /** Opens the page that confirms a change to another plan. */
  change?: { subscriptionId: string; itemId: string; planId: number };
}

/** An event says what happened to whom; the current state is read from the vendor. */
export interface PaymentEvent {
  id: string;
  type: string;
  objectId: string | null;
  customerId: string | null;
}

/** Types of events whose object names only a charge and not its customer: a regular expression, also for PostgreSQL. */
export const namesOnlyCharge = '^(refund|charge[.]refund|charge[.]dispute)[.]';

/** The payment vendor. Every write carries an idempotency key. */
export interface Payments {
  /** @param key the idempotency key, the same for every try @returns the customer's id */
  makeCustomer(person: { userId: number; username: string }, key: string): Promise<string>;
  /**
   * Sets the e-mail address for receipts; null clears it. Nothing happens when the customer is gone.
   * @returns false for an address that the vendor refuses; the address is then cleared
   */
  changeAddress(customerId: string, email: string | null): Promise<boolean>;
  hasCustomer(customerId: string): Promise<boolean>;
  /** Deletes the customer and ends their subscriptions. Nothing happens when the customer is gone. */
  deleteCustomer(customerId: string): Promise<void>;
  /** @param key the idempotency key, the same for every try */
  startCheckout(checkout: NewCheckout, key: string): Promise<PaymentCheckout>;
  /** @returns null for an unknown id */
  readCheckout(sessionId: string): Promise<PaymentCheckout | null>;
  /** Expires the page. @returns the checkout as it is then: complete when it was paid before */
  expireCheckout(sessionId: string): Promise<PaymentCheckout | null>;
  /** Reads all subscriptions that the customer ever had; none for a customer who is gone. */
  readSubscriptions(customerId: string): Promise<PaidSubscription[]>;
  /** Whether the subscription ends with its period. */
  setCancels(subscriptionId: string, cancels: boolean): Promise<void>;
  /** Ends the subscription at once. Nothing happens when it has ended before. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** @returns the address of a page of the vendor's */
  openPortal(visit: PortalRequest): Promise<string>;
  customerOfCharge(chargeId: string): Promise<string | null>;
  /** @throws AppError VALIDATION unless exactly these bytes were signed, a few minutes ago at most */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

/** The error to log: the cause of a payment fault, else the error itself. */
export const reasonOf = (error: unknown): unknown => (error instanceof PaymentFault ? error.cause : error);

/** A call to the vendor failed. `answered`: the vendor refused it, so that a new try needs a new idempotency key. */
export class PaymentFault extends AppError {
  readonly answered: boolean;
  constructor(cause: unknown, answered: boolean) {
    super('VENDOR', "We can't reach the payment service right now. Please try again in a minute.", { cause });
    this.name = 'PaymentFault';
    this.answered = answered;
  }
}
