import type { EntityManager } from '@mikro-orm/postgresql';
import { checkSessionId } from './checkout-session.ts';
import { findPlan } from './find-plan.ts';
import { paymentsMissing } from './payments-missing.ts';

interface VerifyInput {
  /** Of the checkout, as the payment page handed it back. */
  sessionId: string;
  /** The plan that the caller expects; undefined when left out, null for a text that is no id. */
  planId: number | null | undefined;
}

/**
 * Looks whether a checkout was paid, and moves the caller to its plan.
 * @throws AppError VALIDATION, NOT_FOUND for an unknown plan, NOT_CONFIGURED without payments
 */
export async function verifySubscription(em: EntityManager, { sessionId, planId }: VerifyInput): Promise<never> {
  checkSessionId(sessionId);
  if (planId !== undefined) await findPlan(em, planId);
  throw paymentsMissing();
}
