import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { AlertMatchesQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { lastArrival } from '../../lib/state/live-arrivals.ts';
import { toast } from '../../lib/state/toasts.ts';
import { useListChoice } from '../listings/choice/use-list-choice.ts';
import { AlertMatchesDocument } from './MatchList.tsx';
import { useSortedArrivals } from './use-sorted-arrivals.ts';

const noMatches: AlertMatchesQuery['matches']['nodes'] = [];

/**
 * An alert's matches as the page's address chooses them. Newest first, matches that arrive live are added; in any other
 * list they are counted until it is read again.
 */
export function useAlertMatches(alertId: string) {
  const choice = useListChoice();
  const result = useQuery(AlertMatchesDocument, {
    variables: { alertId, ...choice.variables },
    // What is in the cache of another list may have moved.
    fetchPolicy: choice.isPlain ? 'cache-first' : 'cache-and-network',
  });
  const error = useFailure(result);
  const isOld = result.data === undefined;
  const page = isOld && error ? undefined : (result.data ?? result.previousData)?.matches;
  const { count, countFrom } = useSortedArrivals(alertId, choice.only, page?.nodes ?? noMatches);
  const [revision, setRevision] = useState(0);

  /** @returns whether the list was read again, and is drawn */
  async function showArrived(): Promise<boolean> {
    const number = lastArrival();
    try {
      await result.refetch();
      flushSync(() => {
        countFrom(number);
        setRevision((before) => before + 1);
      });
      return true;
    } catch (fault) {
      toast('Error', `The new matches could not be loaded: ${readFault(fault).message}`, 'destructive');
      return false;
    }
  }

  return {
    choice,
    page,
    error,
    /** The list of the choice before is shown until the server has answered. */
    isOld,
    /** Another list begins at its head, and none of its cars is new in it. */
    listKey: `${choice.key} ${revision}`,
    /** How many cars arrived that a sorted or filtered list does not show yet. */
    arrived: choice.isPlain ? 0 : count,
    showArrived,
    refetch: () => result.refetch(),
    loadOlder: () => result.fetchMore({ variables: { after: page?.endCursor ?? null } }),
  };
}
