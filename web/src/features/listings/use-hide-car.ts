import { useApolloClient } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { announce } from '../../lib/state/announce.ts';
import { noteHidden } from '../../lib/state/hidden-cars.ts';
import { toast } from '../../lib/state/toasts.ts';

const HideCarDocument = graphql(`
  mutation HideCar($id: ID!, $hidden: Boolean!) {
    hideCar(id: $id, hidden: $hidden) {
      id
    }
  }
`);

const MatchCountsDocument = graphql(`
  query MatchCounts {
    alerts {
      id
      matchCount
    }
  }
`);

/** The last call about each car. An undo that reached the server before its car was hidden would do nothing. */
const lastCalls = new Map<string, Promise<void>>();

/**
 * Hides a car from all alerts, or shows it again, each call after the one before. The page changes at once, and back if the
 * server refuses.
 */
export function useHideCar({ id, carId, title }: { id: string; carId: string; title: string }) {
  const client = useApolloClient();

  async function send(hidden: boolean, isLast: () => boolean): Promise<void> {
    try {
      await client.mutate({ mutation: HideCarDocument, variables: { id, hidden } });
      announce(hidden ? `${title} is hidden from your matches.` : `${title} is among your matches again.`);
    } catch (error) {
      if (isLast()) noteHidden(carId, !hidden);
      const what = hidden ? 'hide the car' : 'show the car again';
      toast('Error', `Failed to ${what}: ${readFault(error).message}`, 'destructive');
    }
  }

  return async (hidden: boolean): Promise<void> => {
    noteHidden(carId, hidden);
    const before = lastCalls.get(carId) ?? Promise.resolve();
    const call: Promise<void> = before.then(() => send(hidden, () => lastCalls.get(carId) === call));
    lastCalls.set(carId, call);
    await call;
    if (lastCalls.get(carId) !== call) return;
    lastCalls.delete(carId);
    await client.query({ query: MatchCountsDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
  };
}
