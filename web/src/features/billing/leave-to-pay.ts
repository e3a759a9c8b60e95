import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { AlertQuotaDocument } from '../../lib/server/alert-quota.ts';
import { CurrentSubscriptionDocument } from './subscription.ts';

const MARK = 'lotwatch.left-to-pay';
/** What was done over there is told to the server, not to this page: it is there within seconds. */
const LOOK_AFTER_MS = [700, 2000, 5000, 10_000];

/** Leaves for the pages where payments are made and managed. */
export function leaveToPay(url: string): void {
  sessionStorage.setItem(MARK, 'yes');
  location.assign(url);
}

/** Who comes back by the browser's button may find the page as it was left: `then` puts it right. */
export function useShownAgain(then: () => void): void {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && latest.current();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}

/** Asks once a call, until what is known has changed; what isn't known yet is no first. */
export function askUntilChanged(known: () => string | undefined, ask: () => Promise<unknown>): () => Promise<void> {
  let first: string | undefined;
  return async () => {
    first ??= known();
    if (known() === first) await ask();
  };
}

/** Who comes back from those pages sees what changed there, without reloading. */
export function useComingBack(): void {
  const client = useApolloClient();
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const known = () => {
      const data = client.readQuery({ query: CurrentSubscriptionDocument });
      return data ? JSON.stringify(data) : undefined;
    };
    const ask = () => {
      sessionStorage.removeItem(MARK);
      return client.refetchQueries({ include: [CurrentSubscriptionDocument, AlertQuotaDocument] });
    };
    const follow = () => {
      if (sessionStorage.getItem(MARK) === null) return;
      const look = askUntilChanged(known, ask);
      // What fails here is asked for by the page itself, too, which shows it.
      for (const wait of LOOK_AFTER_MS) timers.add(setTimeout(() => void look().catch(() => undefined), wait));
    };
    follow();
    addEventListener('pageshow', follow);
    return () => {
      removeEventListener('pageshow', follow);
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client]);
}
