import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { AllowanceDocument } from '../../../lib/server/allowance.ts';
import { CurrentSubscriptionDocument } from '../subscription.ts';

const MARK = 'lotwatch.left-to-pay';
/** What was done over there is told to the server, not to this page: it is there within seconds. */
const LOOK_AFTER_MS = [700, 2000, 5000, 10_000];

/** Leaves for the pages where payments are made and managed. */
export function leaveToPay(url: string): void {
  sessionStorage.setItem(MARK, 'yes');
  location.assign(url);
}

/** Who comes back from those pages sees what changed there, without reloading. */
export function useComingBack(): void {
  const client = useApolloClient();
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const known = () => JSON.stringify(client.readQuery({ query: CurrentSubscriptionDocument }));
    const follow = () => {
      if (sessionStorage.getItem(MARK) === null) return;
      let first: string | undefined;
      const look = async (): Promise<void> => {
        sessionStorage.removeItem(MARK);
        first ??= known();
        if (known() !== first) return;
        await client.refetchQueries({ include: [CurrentSubscriptionDocument, AllowanceDocument] });
      };
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
