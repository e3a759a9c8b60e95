import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';

const SaveListingDocument = graphql(`
  mutation SaveListing($id: ID!, $saved: Boolean!) {
    saveListing(id: $id, saved: $saved) {
      id
      saved
    }
  }
`);

/** What saving does is said once, and not with each car. */
let isExplained = false;

/**
 * Saves a listing or removes it from the saved ones. The card changes at once, and back if the server refuses.
 * @returns whether it was done
 */
export function useSaveListing(id: string): (saved: boolean) => Promise<boolean> {
  const [run] = useMutation(SaveListingDocument, {
    onCompleted({ saveListing }) {
      if (!saveListing.saved || isExplained) return;
      isExplained = true;
      toast(
        'Car saved',
        'While an alert that found it sends messages, you are told when it gets 5 % cheaper, and when it is sold.',
      );
    },
    onError(error, options) {
      const fault = readFault(error);
      const what = options?.variables?.saved ? 'save the car' : 'remove the car from your saved cars';
      toast('Error', fault.fields.saved ?? `Failed to ${what}: ${fault.message}`, 'destructive');
    },
  });
  return (saved) => {
    const saveListing = { __typename: 'Listing', id, saved };
    const saving = run({ variables: { id, saved }, optimisticResponse: { saveListing } });
    return saving.then(
      () => true,
      () => false,
    );
  };
}
