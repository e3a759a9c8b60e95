import { BellRing, CreditCard } from 'lucide-react';
import { useRef } from 'react';
import { useAllowance } from '../../../lib/server/allowance.ts';
import { dateText } from '../../../lib/text/time.ts';
import { Banner } from '../../../ui/parts/Banner.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { useBillingPortal } from './use-billing-portal.ts';
import { useResumeAlerts } from './use-resume-alerts.ts';

interface Standing {
  planName: string;
  status: string;
  graceEndsAt?: string | null;
  alertsToResume: number;
}

/** Above the pages of a signed-in user: a payment is overdue, or alerts wait to be resumed. */
export function BillingBanners({ standing }: { standing: Standing }) {
  const { status, planName, graceEndsAt } = standing;
  const alertsToResume = useAlertsToResume(standing);
  return (
    <>
      {status === 'past_due' && graceEndsAt ? <PaymentOverdue planName={planName} graceEndsAt={graceEndsAt} /> : null}
      {alertsToResume > 0 ? <AlertsWait count={alertsToResume} /> : null}
    </>
  );
}

/** Follows what is done to alerts; the count of before stays while it is asked for anew. */
function useAlertsToResume({ alertsToResume }: Standing): number {
  const { allowance } = useAllowance();
  const latest = useRef<number>(undefined);
  if (allowance) latest.current = allowance.alertsToResume;
  return latest.current ?? alertsToResume;
}

function PaymentOverdue({ planName, graceEndsAt }: { planName: string; graceEndsAt: string }) {
  const { open, isOpening } = useBillingPortal();
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
      Your last payment didn't go through. You keep {planName} until <strong>{dateText(graceEndsAt)}</strong>.
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
        ? '1 alert was paused by a smaller plan. Now there is room for it.'
        : `${count} alerts were paused by a smaller plan. Now there is room for them.`}
    </Banner>
  );
}
