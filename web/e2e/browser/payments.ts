import type { Page } from 'playwright-core';
import { answering } from './faults.ts';

/** A subscription as the server tells it. */
export const subscription = (planId: string, planName: string, status = 'active') => ({
  __typename: 'CurrentSubscription',
  planId,
  subscriptionPlanId: planId,
  planName,
  status,
  currentPeriodEnd: null,
});

/** What the server will say of a checkout once payments can be taken. */
export const verified = (page: Page, planId: string, planName: string, status?: string) =>
  answering(page, 'VerifySubscription', {
    verifySubscription: {
      __typename: 'VerifyResult',
      message: 'The last invoice is not paid yet.',
      subscription: subscription(planId, planName, status),
    },
  });

/** What the server will say of a chosen plan: the new subscription, or where it is paid. */
export const subscribed = (page: Page, result: { subscription?: unknown; url?: string; sessionId?: string }) =>
  answering(page, 'Subscribe', {
    subscribe: { __typename: 'SubscribeResult', subscription: null, url: null, sessionId: null, ...result },
  });

/** Whatever plan is chosen is none of the server's: its own refusal is shown. */
export const choosingNoPlan = (page: Page) =>
  page.route('**/graphql', (route) => {
    const call = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (call.operationName !== 'Subscribe') return route.fallback();
    return route.fallback({ postData: JSON.stringify({ ...call, variables: { planId: '5' } }) });
  });
