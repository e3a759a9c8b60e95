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

/** Whether the viewer's plan allows another alert; fetched once for all components. */
export function useAlertQuota(): { quota: AlertQuota | undefined; error: unknown; retry: () => Promise<unknown> } {
  const result = useQuery(AlertQuotaDocument);
  return { quota: result.data?.canCreateAlert, error: useFailure(result), retry: () => result.refetch() };
}
