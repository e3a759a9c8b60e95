import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { plansFailure } from '../../lib/server/faults/fault-words.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';

const PlansDocument = graphql(`
  query Plans {
    plans {
      ...PlanGrid_plan
    }
  }
`);

interface Plans {
  /** Undefined while loading and after a failure. */
  plans: readonly PlanGrid_PlanFragment[] | undefined;
  failure: string | undefined;
  retry: () => Promise<unknown>;
}

/** The plans; the only call that is retried automatically. */
export function usePlans(): Plans {
  const result = useQuery(PlansDocument, { context: { retryOnce: true } });
  const failure = useFailure(result);
  return {
    plans: result.data?.plans,
    failure: failure === undefined ? undefined : plansFailure(failure),
    retry: () => result.refetch(),
  };
}

/** The text of the button that chooses a plan. */
export const choiceText = ({ price }: { price: string }): string => (Number(price) > 0 ? 'Choose Plan' : 'Get Started');
