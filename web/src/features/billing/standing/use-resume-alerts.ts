import { useMutation } from '@apollo/client/react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { plural } from '../../../lib/text/time.ts';
import { CurrentSubscriptionDocument, forgetPlanFacts } from '../subscription.ts';

const ResumeAlertsDocument = graphql(`
  mutation ResumeAlerts {
    resumeAlerts {
      id
      isActive
      pausedByPlan
      expiresAt
      daysRemaining
    }
  }
`);

/** Lets the alerts that a smaller plan had paused watch again, as many as fit. */
export function useResumeAlerts() {
  const [run, { loading, client }] = useMutation(ResumeAlertsDocument, {
    update: forgetPlanFacts,
    onCompleted: ({ resumeAlerts: { length } }) => {
      // The banner that offered it stands on this.
      void client.query({ query: CurrentSubscriptionDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
      toast('Alerts resumed', length === 1 ? '1 alert watches again.' : `${plural(length, 'alert')} watch again.`);
    },
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { resume: () => run(), isResuming: loading };
}
