import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { AlertQuotaDocument } from '../../lib/server/alert-quota.ts';
import { CurrentSubscriptionDocument } from './subscription.ts';

const MARK = 'lotwatch.left-to-pay';
/** The payment page reports changes to the server, not to this page; they arrive within seconds. */
const REFETCH_AFTER_MS = [700, 2000, 5000, 10_000];

/** Leaves for the pages where payments are made and managed. */
export function openPaymentPage(url: string): void {
  sessionStorage.setItem(MARK, 'yes');
  location.assign(url);
}

/** The browser's back button may restore the page as it was left; `then` updates it. */
export function useRestoredPage(then: () => void): void {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && latest.current();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}

/** Fetches once for each call until the data has changed; the first data to arrive is not a change. */
export function fetchUntilChanged(
  known: () => string | undefined,
  fetchAgain: () => Promise<unknown>,
): () => Promise<void> {
  let first: string | undefined;
  return async () => {
    first ??= known();
    if (known() === first) await fetchAgain();
  };
}

/** Shows changes made on the payment pages when the user comes back, without a reload. */
export function useRefreshAfterPayment(): void {
  const client = useApolloClient();
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const known = () => {
      const data = client.readQuery({ query: CurrentSubscriptionDocument });
      return data ? JSON.stringify(data) : undefined;
    };
    const fetchAgain = () => {
      sessionStorage.removeItem(MARK);
      return client.refetchQueries({ include: [CurrentSubscriptionDocument, AlertQuotaDocument] });
    };
    const follow = () => {
      if (sessionStorage.getItem(MARK) === null) return;
      const fetchOnce = fetchUntilChanged(known, fetchAgain);
      // The page makes the same call and shows its failure.
      for (const wait of REFETCH_AFTER_MS) timers.add(setTimeout(() => void fetchOnce().catch(() => undefined), wait));
    };
    follow();
    addEventListener('pageshow', follow);
    return () => {
      removeEventListener('pageshow', follow);
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client]);
}
