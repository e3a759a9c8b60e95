import { useApolloClient } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { readNewCounts } from '../../lib/server/new-counts.ts';
import { announce } from '../../lib/state/announce.ts';
import { makeCallQueue } from '../../lib/state/call-queue.ts';
import { noteHidden } from '../../lib/state/hidden-cars.ts';
import { toast } from '../../lib/state/toasts.ts';

const HideCarDocument = graphql(`
  mutation HideCar($id: ID!, $hidden: Boolean!) {
    hideCar(id: $id, hidden: $hidden) {
      id
      hidden
    }
  }
`);

/** The calls about each car. An undo that reached the server before its car was hidden would do nothing. */
const setHidden = makeCallQueue<boolean>();

/**
 * Hides a car from all alerts, or shows it again, each call after the one before. The page changes at once, and ends in what
 * the server holds, which it says.
 */
export function useHideCar({ id, carId, title }: { id: string; carId: string; title: string }) {
  const client = useApolloClient();

  const report = (hidden: boolean, error: unknown) => {
    const what = hidden ? 'hide the car' : 'show the car again';
    toast('Error', `Failed to ${what}: ${readFault(error).message}`, 'destructive');
  };

  /** Done when the server has answered, or the change waits for it; an undo of what waits takes its place. */
  const send = (hidden: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      let waited = false;
      const onWaits = () => {
        waited = true;
        resolve(undefined);
      };
      const call = { mutation: HideCarDocument, variables: { id, hidden }, context: { onWaits } };
      client.mutate(call).then(resolve, (error: unknown) => {
        reject(error);
        if (!waited) return;
        noteHidden(carId, !hidden);
        report(hidden, error);
      });
    });

  return async (hidden: boolean): Promise<void> => {
    noteHidden(carId, hidden);
    const { held, error, isLast } = await setHidden(carId, !hidden, hidden, () => send(hidden));
    if (!isLast) return;
    noteHidden(carId, held);
    // A call that failed may have changed nothing that the last successful one had not set.
    if (held === hidden)
      announce(hidden ? `${title} is hidden from your matches.` : `${title} is among your matches again.`);
    else report(hidden, error);
    await readNewCounts(client);
  };
}
