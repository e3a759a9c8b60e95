import type { ApolloCache } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { CurrentSubscription_SubscriptionFragment } from '../../gql/graphql.ts';
import { type AlertQuota, useAlertQuota } from '../../lib/server/alert-quota.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { dateText } from '../../lib/text/time.ts';

export const CurrentSubscriptionFragment = graphql(`
  fragment CurrentSubscription_subscription on CurrentSubscription {
    planId
    subscriptionPlanId
    planName
    status
    currentPeriodEnd
    graceEndsAt
    alertsToResume
  }
`);

export const CurrentSubscriptionDocument = graphql(`
  query CurrentSubscription {
    currentSubscription {
      ...CurrentSubscription_subscription
    }
  }
`);

/** The viewer's subscription, and why it isn't known. */
export function useCurrentSubscription() {
  const result = useQuery(CurrentSubscriptionDocument);
  return {
    current: result.data?.currentSubscription,
    error: useFailure(result),
    retry: () => result.refetch(),
  };
}

/** A plan and how much of it is used. */
export interface SubscriptionUse {
  current: CurrentSubscription_SubscriptionFragment;
  quota: AlertQuota;
}

/** The viewer's plan and how much of it is used; undefined until both are known. */
export function useSubscription() {
  const { current, ...subscription } = useCurrentSubscription();
  const { quota, ...limits } = useAlertQuota();
  const use: SubscriptionUse | undefined = current && quota ? { current, quota } : undefined;
  const error = subscription.error ?? limits.error;
  const retry = () =>
    Promise.all([
      subscription.error === undefined ? null : subscription.retry(),
      limits.error === undefined ? null : limits.retry(),
    ]);
  return { use, error, retry };
}

/** Fetches shown data again that depends on the plan. */
export function evictPlanFacts(cache: ApolloCache): void {
  for (const fieldName of ['currentSubscription', 'canCreateAlert', 'alerts']) {
    cache.evict({ id: 'ROOT_QUERY', fieldName });
  }
  cache.gc();
}

/** When a plan renews, ends, or leaves its grace period; undefined for a free plan. */
export function periodText({
  status,
  currentPeriodEnd: end,
  graceEndsAt: grace,
}: CurrentSubscription_SubscriptionFragment): string | undefined {
  if (status === 'past_due') return grace ? `Kept until ${dateText(grace)}` : undefined;
  if (!end) return undefined;
  return status === 'canceling' ? `Ends on ${dateText(end)}` : `Renews on ${dateText(end)}`;
}

/** Whether it is Starter or a larger plan. */
export const isPaid = (planId: string): boolean => Number(planId) > 1;

/** Whether it is Elite, with keys, webhooks and bulk calls. */
export const hasApi = (planId: string): boolean => planId === '4';
