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

/** Saves a listing or removes it from the saved ones. The card changes at once, and back if the server refuses. */
export function useSaveListing(id: string): (saved: boolean) => void {
  const [run] = useMutation(SaveListingDocument, {
    onCompleted({ saveListing }) {
      if (!saveListing.saved || isExplained) return;
      isExplained = true;
      toast(
        'Car saved',
        'While an alert that found it sends messages, you are told when it gets 5 % cheaper, and when it is sold.',
      );
    },
    onError(error) {
      const fault = readFault(error);
      toast('Error', fault.fields.saved ?? `Failed to save the car: ${fault.message}`, 'destructive');
    },
  });
  return (saved) => {
    const saveListing = { __typename: 'Listing', id, saved };
    void run({ variables: { id, saved }, optimisticResponse: { saveListing } });
  };
}
