import { useMutation } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { verificationFailure } from '../../../lib/server/faults/fault-words.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { evictPlanFacts } from '../subscription.ts';
import { outcomeOf } from './verification.ts';

const VerifySubscriptionDocument = graphql(`
  mutation VerifySubscription($sessionId: String!, $planId: ID) {
    verifySubscription(sessionId: $sessionId, planId: $planId) {
      message
      paid
      subscription {
        ...CurrentSubscription_subscription
      }
    }
  }
`);

export type Payment =
  | { state: 'verifying' }
  | { state: 'paid'; planName: string }
  /** Not verified yet; by hand it can be tried again. */
  | { state: 'processing'; heading: string; text: string };

const stillProcessing = 'Your payment is processing';
const notVerified = 'Your payment is not verified yet';

interface VerifyPayment {
  payment: Payment;
  /** The plan that is verified by hand at the moment. */
  pendingId: string | null;
  verify: (planId: string) => Promise<void>;
}

/** Verifies a checkout as soon as it is shown, then by hand; each outcome has its toast. */
export function useVerifyPayment(sessionId: string, expectedId: string | undefined): VerifyPayment {
  const [run] = useMutation(VerifySubscriptionDocument);
  const [payment, setPayment] = useState<Payment>({ state: 'verifying' });
  const [pendingId, setPendingId] = useState<string | null>(null);

  const ask = async (planId: string | undefined, failureTitle: string): Promise<void> => {
    const tell = (title: string, text: string, tone: 'notice' | 'destructive') => {
      const heading = title === 'Payment Status' ? stillProcessing : notVerified;
      setPayment({ state: 'processing', heading, text });
      toast(title, text, tone);
    };
    try {
      const { data } = await run({ variables: { sessionId, planId }, update: evictPlanFacts });
      if (!data) throw new Error();
      const outcome = outcomeOf(data.verifySubscription, planId);
      if (!outcome.isPaid) return tell(outcome.title, outcome.text, 'notice');
      setPayment({ state: 'paid', planName: outcome.planName });
      toast('Payment Successful!', `You are subscribed to the ${outcome.planName} plan.`);
    } catch (error) {
      tell(failureTitle, verificationFailure(error), 'destructive');
    }
  };

  // Effects run twice in development: a payment is asked for once.
  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for the address that was opened.
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void ask(expectedId, 'Verification Error');
  }, []);

  return {
    payment,
    pendingId,
    async verify(planId) {
      setPendingId(planId);
      await ask(planId, 'Verification Failed');
      setPendingId(null);
    },
  };
}
