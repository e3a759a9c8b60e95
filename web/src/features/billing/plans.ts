import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/errors.ts';
import { useFailure } from '../../lib/server/use-failure.ts';

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
  retry: () => Promise<unknown>;
}

/** The plans; the only call that is tried a second time by itself. */
export function usePlans(): Plans {
  const asked = useQuery(PlansDocument, { context: { retryOnce: true } });
  const failure = useFailure(asked);
  return {
    plans: asked.data?.plans,
    failure: failure === undefined ? undefined : whyNoPlans(failure),
    retry: () => asked.refetch(),
  };
}
