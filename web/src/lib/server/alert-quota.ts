import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { AlertQuotaQuery } from '../../gql/graphql.ts';
import { useFailure } from './faults/use-failure.ts';

export const AlertQuotaDocument = graphql(`
  query AlertQuota {
    canCreateAlert {
      canCreateAlert
      needsUpgrade
      alertsUsed
      alertLimit
      alertsToResume
    }
  }
`);

export type AlertQuota = AlertQuotaQuery['canCreateAlert'];

/** Whether the viewer's plan has room for another alert; asked once for all who show it. */
export function useAlertQuota(): { quota: AlertQuota | undefined; error: unknown; retry: () => Promise<unknown> } {
  const asked = useQuery(AlertQuotaDocument);
  return { quota: asked.data?.canCreateAlert, error: useFailure(asked), retry: () => asked.refetch() };
}
