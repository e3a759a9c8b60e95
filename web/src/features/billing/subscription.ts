import type { ApolloCache } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { SubscriptionUseQuery } from '../../gql/graphql.ts';

export const CurrentSubscriptionFragment = graphql(`
  fragment CurrentSubscription_subscription on CurrentSubscription {
    planId
    subscriptionPlanId
    planName
    status
    currentPeriodEnd
  }
`);

const SubscriptionUseDocument = graphql(`
  query SubscriptionUse {
    currentSubscription {
      ...CurrentSubscription_subscription
    }
    canCreateAlert {
      canCreateAlert
      needsUpgrade
      alertsUsed
      alertLimit
    }
  }
`);

export type SubscriptionUse = SubscriptionUseQuery;

/** The viewer's plan and how much of it is used. */
export function useSubscription() {
  const { data, error, refetch } = useQuery(SubscriptionUseDocument);
  return { use: data, error: data ? undefined : error, retry: () => void refetch().catch(() => undefined) };
}

/** What depends on the plan is asked again wherever it is shown. */
export function forgetPlanFacts(cache: ApolloCache): void {
  for (const fieldName of ['currentSubscription', 'canCreateAlert', 'alerts']) {
    cache.evict({ id: 'ROOT_QUERY', fieldName });
  }
  cache.gc();
}

/** From Starter on. */
export const isPaid = (planId: string): boolean => Number(planId) > 1;
