import { useMutation } from '@apollo/client/react';
import { useEffect } from 'react';
import { type Entry, MarkNotificationsReadDocument } from './notification-documents.ts';

/** The latest time at which one of these was settled, unless all of them are read. */
export function unreadUpTo(entries: readonly Pick<Entry, 'unread' | 'settledAt'>[]): string | null {
  if (!entries.some(({ unread }) => unread)) return null;
  const times = entries.flatMap(({ settledAt }) => settledAt ?? []);
  return times.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1) ?? null;
}

/**
 * Marks as read what is shown, once the page is visible. The rows stay marked as new until they are loaded again, so that
 * the reader sees which ones they are.
 */
export function useMarkRead(entries: readonly Entry[]): (upTo: string) => Promise<unknown> {
  const [run] = useMutation(MarkNotificationsReadDocument, {
    // The number at the bell stays, and the next visit marks them.
    onError: () => undefined,
  });
  const upTo = unreadUpTo(entries);
  useEffect(() => {
    if (upTo === null) return;
    const mark = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', mark);
      void run({ variables: { upTo } });
    };
    document.addEventListener('visibilitychange', mark);
    mark();
    return () => document.removeEventListener('visibilitychange', mark);
  }, [upTo, run]);
  return (time) => run({ variables: { upTo: time } });
}
