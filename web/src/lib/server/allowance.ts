import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { AlertAllowanceQuery } from '../../gql/graphql.ts';
import { useFailure } from './faults/use-failure.ts';

export const AllowanceDocument = graphql(`
  query AlertAllowance {
    canCreateAlert {
      canCreateAlert
      needsUpgrade
      alertsUsed
      alertLimit
      alertsToResume
    }
  }
`);

export type Allowance = AlertAllowanceQuery['canCreateAlert'];

/** Whether the viewer's plan has room for another alert; asked once for all who show it. */
export function useAllowance(): { allowance: Allowance | undefined; error: unknown; retry: () => Promise<unknown> } {
  const asked = useQuery(AllowanceDocument);
  return { allowance: asked.data?.canCreateAlert, error: useFailure(asked), retry: () => asked.refetch() };
}
