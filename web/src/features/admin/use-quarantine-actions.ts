import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import type { QuarantineChoice } from './QuarantineFilter.tsx';
import {
  DismissQuarantinedDocument,
  QuarantineDocument,
  RetryQuarantinedDocument,
  SourceHealthDocument,
} from './quarantine-documents.ts';
import { addRetried, type Retried, retriedText } from './retry-words.ts';

export interface RetryFilter {
  ids?: string[];
  source?: string | undefined;
  code?: string | undefined;
}

const nothing: Retried = { tried: 0, accepted: 0, updated: 0, unchanged: 0, newer: 0, rejected: 0 };

/** Retries and dismisses records, each with a toast; afterwards the lists on screen, of `shown`, are fetched again. */
export function useQuarantineActions(shown: QuarantineChoice, onDone: () => void) {
  const client = useApolloClient();
  /** How many of a long retry have been tried; null while none is under way. */
  const [tried, setTried] = useState<number | null>(null);

  const run = async (what: string, work: () => Promise<string>) => {
    setTried(0);
    try {
      toast(what, await work());
    } catch (error) {
      toast(`${what}: that failed`, readFault(error).message, 'destructive');
    }
    // A record is in several lists: those that aren't on screen are fetched when they are shown.
    const kept = `quarantine:${JSON.stringify({ source: shown.source || null, code: shown.code || null })}`;
    client.cache.modify({
      fields: { quarantine: (page, { storeFieldName, DELETE }) => (storeFieldName === kept ? page : DELETE) },
    });
    await client.refetchQueries({ include: [QuarantineDocument, SourceHealthDocument] }).catch(() => undefined);
    setTried(null);
    onDone();
  };

  const retrySome = async (filter: RetryFilter, after: string | null) => {
    const { data } = await client.mutate({ mutation: RetryQuarantinedDocument, variables: { ...filter, after } });
    return data?.retryQuarantined ?? { ...nothing, endCursor: null };
  };
  const retryAll = async (filter: RetryFilter) => {
    let sum = nothing;
    for (let after: string | null = null; ; ) {
      const { endCursor = null, ...retried } = await retrySome(filter, after);
      sum = addRetried(sum, retried);
      setTried(sum.tried);
      if (endCursor === null) return retriedText(sum);
      after = endCursor;
    }
  };

  return {
    tried,
    retry: (filter: RetryFilter) => run('Tried again', () => retryAll(filter)),
    dismiss: (id: string) =>
      run('Dismissed', async () => {
        await client.mutate({ mutation: DismissQuarantinedDocument, variables: { ids: [id] } });
        return 'The record has left the quarantine.';
      }),
  };
}
