import { refuseInvalid } from '../base/errors.ts';
import { generic } from '../domain/form-rules.ts';
import { paymentsMissing } from './payments-missing.ts';

const MAX_SESSION_ID = 255;

/** A checkout, as whoever takes the payment knows it. */
export interface Checkout {
  id: string;
  /** 'open', 'complete' or 'expired'. */
  status: string;
  metadata: { planId: string };
}

/** @throws AppError VALIDATION for what can't be the id of a checkout */
export function checkSessionId(sessionId: string): void {
  if (sessionId.trim() === '') refuseInvalid({ sessionId: generic.required });
  if (sessionId.length > MAX_SESSION_ID || !/^[\w-]+$/.test(sessionId)) refuseInvalid({ sessionId: generic.invalid });
}

/** A checkout of the caller's. @throws AppError VALIDATION, NOT_CONFIGURED without payments */
export function checkoutSession(sessionId: string): Promise<Checkout> {
  checkSessionId(sessionId);
  throw paymentsMissing();
}
