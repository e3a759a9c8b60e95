import { useQuery } from '@apollo/client/react';
import { useRef } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/errors.ts';

const PlansDocument = graphql(`
  query Plans {
    plans {
      ...PlanGrid_plan
    }
  }
`);

/** Why the plans are not there: the server's words, else the status. */
function whyNoPlans(error: unknown): string {
  const { said, status, message } = readFault(error);
  if (said) return said;
  return status !== undefined && status >= 300 ? `${status}: Could not retrieve subscription plans` : message;
}

interface Plans {
  /** Undefined while loading, and when they could not be loaded. */
  plans: readonly PlanGrid_PlanFragment[] | undefined;
  failure: string | undefined;
  isLoading: boolean;
  retry: () => void;
}

/** The plans; the only call that is tried a second time by itself. */
export function usePlans(): Plans {
  const { data, error, loading, refetch } = useQuery(PlansDocument, {
    context: { retryOnce: true },
    notifyOnNetworkStatusChange: true,
  });
  // While it is tried again, there is no `error`: what stands on the page stays until there is an answer.
  const failure = useRef<string>(undefined);
  if (data) failure.current = undefined;
  else if (error) failure.current = whyNoPlans(error);
  return {
    plans: data?.plans,
    failure: failure.current,
    isLoading: loading,
    // A second failure comes back as `error`.
    retry: () => void refetch().catch(() => undefined),
  };
}
