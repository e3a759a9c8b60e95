import { field, outcome } from './answers.ts';
import type { Call } from './call.ts';
import { canCreateAlert, currentSubscription, plan } from './selections.ts';

export const subscriptionCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/subscription/current',
    summary: "The user's plan",
    tag: 'Subscription',
    operation: `{ currentSubscription { ${currentSubscription} } }`,
    answer: field('currentSubscription'),
  },
  {
    method: 'GET',
    path: '/subscription/can-create-alert',
    summary: "Whether the user's plan has room for another alert",
    tag: 'Subscription',
    operation: `{ canCreateAlert { ${canCreateAlert} } }`,
    answer: field('canCreateAlert'),
  },
  {
    method: 'GET',
    path: '/subscription/plans',
    summary: 'All plans, the free one first',
    tag: 'Subscription',
    operation: `{ plans { ${plan} } }`,
    answer: field('plans'),
  },
  {
    method: 'POST',
    path: '/subscription',
    summary: 'Choose a plan: Free holds at once, for a paid one comes the address of a payment page',
    tag: 'Subscription',
    operation: `mutation ($planId: ID!) {
      subscribe(planId: $planId) { subscription { ${currentSubscription} } url sessionId message }
    }`,
    answer: outcome('subscribe', [['subscription'], ['url']], ['sessionId', 'message']),
    failures: ['NOT_FOUND', 'CONFLICT', 'VENDOR', 'NOT_CONFIGURED'],
    once: true,
  },
  {
    method: 'GET',
    path: '/subscription/session',
    summary: 'A checkout that the user started',
    tag: 'Subscription',
    operation:
      'query ($sessionId: String!) { checkoutSession(sessionId: $sessionId) { id status metadata { planId } } }',
    query: { session_id: 'sessionId' },
    answer: field('checkoutSession'),
    failures: ['NOT_FOUND', 'VENDOR', 'NOT_CONFIGURED'],
  },
  {
    method: 'POST',
    path: '/subscription/verify',
    summary: 'Look whether a checkout was paid, and move the user to its plan',
    tag: 'Subscription',
    operation: `mutation ($sessionId: String!, $planId: ID) {
      verifySubscription(sessionId: $sessionId, planId: $planId) { message paid subscription { ${currentSubscription} } }
    }`,
    answer: field('verifySubscription'),
    failures: ['NOT_FOUND', 'CONFLICT', 'VENDOR', 'NOT_CONFIGURED'],
  },
];
