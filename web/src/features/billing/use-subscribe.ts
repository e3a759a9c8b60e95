import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import type { CurrentSubscription_SubscriptionFragment } from '../../gql/graphql.ts';
import { subscribeFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { dateText } from '../../lib/text/time.ts';
import { openPaymentPage, useRestoredPage } from './payment-page.ts';
import { evictPlanFacts } from './subscription.ts';

const SubscribeDocument = graphql(`
  mutation Subscribe($planId: ID!) {
    subscribe(planId: $planId) {
      subscription {
        ...CurrentSubscription_subscription
      }
      url
      sessionId
    }
  }
`);

function changedText({ planName, status, currentPeriodEnd }: CurrentSubscription_SubscriptionFragment): string {
  if (status !== 'canceling' || !currentPeriodEnd) return `You are on the ${planName} plan.`;
  return `Your ${planName} plan ends on ${dateText(currentPeriodEnd)}. Until then nothing changes.`;
}

/** Chooses a plan: leads to the payment page, or shows the new plan. */
export function useSubscribe() {
  const [run] = useMutation(SubscribeDocument);
  const navigate = useNavigate();
  const [chosenId, setChosenId] = useState<string | null>(null);
  useRestoredPage(() => setChosenId(null));
  const choose = async (planId: string): Promise<void> => {
    setChosenId(planId);
    try {
      const { data } = await run({ variables: { planId }, update: evictPlanFacts });
      const { subscription, url, sessionId } = data?.subscribe ?? {};
      if (url) {
        openPaymentPage(url);
        return;
      }
      setChosenId(null);
      if (sessionId) {
        void navigate(`/subscription-success?${new URLSearchParams({ session_id: sessionId, plan_id: planId })}`);
      } else if (subscription) {
        toast('Subscription updated', changedText(subscription));
      }
    } catch (error) {
      setChosenId(null);
      toast('Error', subscribeFailure(error), 'destructive');
    }
  };
  return { choose, chosenId };
}
