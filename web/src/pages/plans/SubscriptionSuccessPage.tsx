import { useSearchParams } from 'react-router-dom';
import { NoPayment, PaymentOutcome } from '../../features/billing/PaymentOutcome.tsx';
import { expectedPlanId } from '../../features/billing/verification.ts';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';

/** Where the payment page leads back to, with `session_id` and sometimes `plan_id`. */
export function SubscriptionSuccessPage() {
  useDocumentTitle('Payment');
  const [query] = useSearchParams();
  const sessionId = query.get('session_id') ?? '';
  if (sessionId === '') return <NoPayment />;
  return <PaymentOutcome key={sessionId} sessionId={sessionId} expectedId={expectedPlanId(query.get('plan_id'))} />;
}
