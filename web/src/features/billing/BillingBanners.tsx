import { useMutation } from '@apollo/client/react';
import { BellRing, CreditCard } from 'lucide-react';
import { useRef } from 'react';
import { graphql } from '../../gql/gql.ts';
import { useAlertQuota } from '../../lib/server/alert-quota.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useNow } from '../../lib/state/now.ts';
import { toast } from '../../lib/state/toasts.ts';
import { dateText, plural } from '../../lib/text/time.ts';
import { Banner } from '../../ui/parts/Banner.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { CurrentSubscriptionDocument, evictPlanFacts } from './subscription.ts';
import { useBillingPortal } from './use-billing-portal.ts';

interface SubscriptionState {
  planName: string;
  status: string;
  graceEndsAt?: string | null;
  alertsToResume: number;
}

/** Banners above the pages of a signed-in user: a payment is overdue, or alerts can be resumed. */
export function BillingBanners({ state }: { state: SubscriptionState }) {
  const { status, planName, graceEndsAt } = state;
  const alertsToResume = useAlertsToResume(state);
  return (
    <>
      {status === 'past_due' && graceEndsAt ? <PaymentOverdue planName={planName} graceEndsAt={graceEndsAt} /> : null}
      {alertsToResume > 0 ? <AlertsWait count={alertsToResume} /> : null}
    </>
  );
}

/** Follows changes of alerts; the former count stays while the new one is fetched. */
function useAlertsToResume({ alertsToResume }: SubscriptionState): number {
  const { quota } = useAlertQuota();
  const latest = useRef<number>(undefined);
  if (quota) latest.current = quota.alertsToResume;
  return latest.current ?? alertsToResume;
}

function PaymentOverdue({ planName, graceEndsAt }: { planName: string; graceEndsAt: string }) {
  const { open, isOpening } = useBillingPortal();
  const now = useNow(60_000);
  return (
    <Banner
      label="Payment overdue"
      tone="bad"
      icon={<CreditCard size={18} aria-hidden />}
      action={
        <Button variant="outline" size="sm" aria-busy={isOpening} onClick={() => void open()}>
          {isOpening ? 'Opening...' : 'Update payment'}
        </Button>
      }
    >
      Your last payment didn't go through. You keep {planName} until <strong>{dateText(graceEndsAt, now)}</strong>.
    </Banner>
  );
}

function AlertsWait({ count }: { count: number }) {
  const { resume, isResuming } = useResumeAlerts();
  return (
    <Banner
      label="Paused alerts"
      tone="brand"
      icon={<BellRing size={18} aria-hidden />}
      action={
        <Button
          variant="outline"
          size="sm"
          aria-busy={isResuming}
          aria-disabled={isResuming}
          onClick={() => (isResuming ? undefined : void resume())}
        >
          {isResuming ? 'Resuming...' : 'Resume'}
        </Button>
      }
    >
      {count === 1
        ? '1 alert was paused by a smaller plan. Your plan has room for it now.'
        : `${count} alerts were paused by a smaller plan. Your plan has room for them now.`}
    </Banner>
  );
}

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

/** Resumes the alerts that a smaller plan had paused, as many as the plan allows. */
function useResumeAlerts() {
  const [run, { loading, client }] = useMutation(ResumeAlertsDocument, {
    update: evictPlanFacts,
    onCompleted: ({ resumeAlerts: { length } }) => {
      // The banner that offered it depends on this query.
      void client.query({ query: CurrentSubscriptionDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
      toast(
        'Alerts resumed',
        length === 1 ? '1 alert is active again.' : `${plural(length, 'alert')} are active again.`,
      );
    },
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { resume: () => run(), isResuming: loading };
}
