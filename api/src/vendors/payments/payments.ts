import { AppError } from '../../base/errors.ts';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';

/** A payment page, and what became of it. */
export interface PaymentCheckout {
  id: string;
  status: 'open' | 'complete' | 'expired';
  /** Whether the money is there; a page can be complete while a bank takes its time. */
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

export interface PortalVisit {
  customerId: string;
  /** Where the portal leads back to. */
  returnUrl: string;
  /** Straight to the page that confirms another plan. */
  change?: { subscriptionId: string; itemId: string; planId: number };
}

/** That something happened, and to whom: what it is now is read anew. */
export interface PaymentEvent {
  id: string;
  type: string;
  objectId: string | null;
  customerId: string | null;
}

/** Types of the events whose object names its customer only by a charge: a regular expression, for PostgreSQL as well. */
export const namesOnlyCharge = '^(refund|charge[.]refund|charge[.]dispute)[.]';

/** Who takes the payments. Every write carries a key under which it happens once, however often it is sent. */
export interface Payments {
  /** @param key of the caller's, the same for every try @returns the customer's id */
  makeCustomer(person: { userId: number; username: string }, key: string): Promise<string>;
  /**
   * Tells where receipts go; null takes the address away. Nothing happens when the customer is gone.
   * @returns false for an address that the vendor does not take: then there is none
   */
  changeAddress(customerId: string, email: string | null): Promise<boolean>;
  hasCustomer(customerId: string): Promise<boolean>;
  /** Ends what the customer pays for, too. Nothing happens when there is no such customer any more. */
  deleteCustomer(customerId: string): Promise<void>;
  /** @param key of the caller's, the same for every try */
  startCheckout(checkout: NewCheckout, key: string): Promise<PaymentCheckout>;
  /** null when there is none of that id. */
  readCheckout(sessionId: string): Promise<PaymentCheckout | null>;
  /** Makes the page useless. @returns the checkout as it is then: complete, where somebody was faster */
  expireCheckout(sessionId: string): Promise<PaymentCheckout | null>;
  /** All that the customer ever had. None for a customer who is gone. */
  readSubscriptions(customerId: string): Promise<PaidSubscription[]>;
  /** Whether the subscription ends with its period. */
  setCancels(subscriptionId: string, cancels: boolean): Promise<void>;
  /** At once. Nothing happens when it has ended before. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** @returns the address of a page of the vendor's */
  openPortal(visit: PortalVisit): Promise<string>;
  customerOfCharge(chargeId: string): Promise<string | null>;
  /** @throws AppError VALIDATION unless exactly these bytes were signed, a few minutes ago at most */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent;
}

/** What is worth logging of an error: of a fault what the vendor or the network said. */
export const reasonOf = (error: unknown): unknown => (error instanceof PaymentFault ? error.cause : error);

/** The vendor did not do what was asked. `answered`: it said so itself, so that a new try needs a new key. */
export class PaymentFault extends AppError {
  readonly answered: boolean;
  constructor(cause: unknown, answered: boolean) {
    super('VENDOR', "We can't reach the payment service right now. Please try again in a minute.", { cause });
    this.name = 'PaymentFault';
    this.answered = answered;
  }
}
