import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import { openPaymentPage, useRestoredPage } from './payment-page.ts';

const OpenBillingPortalDocument = graphql(`
  mutation OpenBillingPortal {
    openBillingPortal
  }
`);

/** Leads to the page where payments are managed. */
export function useBillingPortal() {
  const [run] = useMutation(OpenBillingPortalDocument);
  const [isOpening, setOpening] = useState(false);
  useRestoredPage(() => setOpening(false));
  const open = async (): Promise<void> => {
    if (isOpening) return;
    setOpening(true);
    try {
      const { data } = await run();
      if (data) openPaymentPage(data.openBillingPortal);
    } catch (error) {
      setOpening(false);
      toast('Error', readFault(error).message, 'destructive');
    }
  };
  return { open, isOpening };
}
