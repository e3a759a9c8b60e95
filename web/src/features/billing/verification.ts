import type { VerifySubscriptionMutation } from '../../gql/graphql.ts';
import { isPaid } from './subscription.ts';

type Verified = VerifySubscriptionMutation['verifySubscription'];

/** The plans that a payment can be verified for by hand. */
export const verifiablePlans = [
  { id: '2', name: 'Starter' },
  { id: '3', name: 'Pro' },
  { id: '4', name: 'Elite' },
] as const;

/** The plan in the address, if it is a paid one. */
export function expectedPlanId(given: string | null): string | undefined {
  return verifiablePlans.find(({ id }) => id === given)?.id;
}

export type Outcome = { isPaid: true; planName: string } | { isPaid: false; title: string; text: string };

/** The state of a payment, from the server's answer. */
export function outcomeOf({ paid, message, subscription }: Verified, expectedId: string | undefined): Outcome {
  const { planId, planName, status } = subscription;
  if (!paid) return { isPaid: false, title: 'Payment Status', text: message };
  if (!isPaid(planId) || (expectedId !== undefined && planId !== expectedId)) {
    const text = 'Your payment was received, but your subscription is not updated yet. It is still processing.';
    return { isPaid: false, title: 'Payment Status', text };
  }
  if (status === 'past_due') return { isPaid: false, title: 'Verification Issue', text: message };
  return { isPaid: true, planName };
}
