import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { AlertAllowanceQuery } from '../../gql/graphql.ts';

export const AllowanceDocument = graphql(`
  query AlertAllowance {
    canCreateAlert {
      canCreateAlert
      needsUpgrade
      alertsUsed
      alertLimit
    }
  }
`);

type Allowance = AlertAllowanceQuery['canCreateAlert'];

/** Whether the viewer's plan has room for another alert; asked once for all who show it. */
export function useAllowance(): { allowance: Allowance | undefined; error: unknown } {
  const { data, error } = useQuery(AllowanceDocument);
  return { allowance: data?.canCreateAlert, error };
}
