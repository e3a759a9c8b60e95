import { AppError } from '../../base/errors.ts';
import {
  type Call,
  canCreateAlert,
  currentSubscription,
  deletionRequest,
  field,
  found,
  outcome,
  plan,
  sentence,
  user,
} from './call.ts';

/** Accounts and sessions. */
export const accountCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/user',
    summary: 'The signed-in user',
    tag: 'Account',
    signedIn: true,
    operation: `{ me { ${user} } }`,
    answer: found('me', () => new AppError('UNAUTHENTICATED', 'Please sign in first.')),
  },
  {
    method: 'POST',
    path: '/login',
    summary: 'Sign in; a cookie holds the session',
    tag: 'Account',
    operation: `mutation ($username: String!, $password: String!, $code: String) {
      login(username: $username, password: $password, code: $code) { ${user} }
    }`,
    answer: field('login'),
    failures: ['UNAUTHENTICATED', 'CODE_NEEDED'],
  },
  {
    method: 'POST',
    path: '/register',
    summary: 'Create an account and sign in',
    tag: 'Account',
    operation: `mutation ($input: RegisterInput!) { register(input: $input) { ${user} } }`,
    status: 201,
    answer: field('register'),
    failures: ['CONFLICT'],
    guarded: true,
    oneNeeded: ['email', 'phone'],
  },
  {
    method: 'POST',
    path: '/logout',
    summary: 'End the session',
    tag: 'Account',
    operation: 'mutation { logout }',
    answer: sentence('You are signed out.'),
  },
  {
    method: 'PATCH',
    path: '/user/profile',
    summary: 'Change where alerts are sent',
    tag: 'Account',
    operation: `mutation ($input: ProfileInput!) { updateProfile(input: $input) { ${user} } }`,
    answer: field('updateProfile'),
    guarded: true,
  },
  {
    method: 'POST',
    path: '/user/change-password',
    summary: 'Change the password; all other sessions end',
    tag: 'Account',
    operation: `mutation ($currentPassword: String!, $newPassword: String!) {
      changePassword(currentPassword: $currentPassword, newPassword: $newPassword) { message }
    }`,
    answer: field('changePassword'),
  },
  {
    method: 'POST',
    path: '/user/confirm-password',
    summary: 'Confirm the current password, for ten minutes of this session',
    tag: 'Account',
    operation:
      'mutation ($currentPassword: String!) { confirmPassword(currentPassword: $currentPassword) { message } }',
    answer: field('confirmPassword'),
  },
];

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
    summary: "Whether the user's plan allows another alert",
    tag: 'Subscription',
    operation: `{ canCreateAlert { ${canCreateAlert} } }`,
    answer: field('canCreateAlert'),
  },
  {
    method: 'GET',
    path: '/subscription/plans',
    summary: 'All plans, the Free plan first',
    tag: 'Subscription',
    operation: `{ plans { ${plan} } }`,
    answer: field('plans'),
  },
  {
    method: 'POST',
    path: '/subscription',
    summary: 'Choose a plan: Free takes effect at once, a paid plan leads to a payment page',
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
    summary: 'Check whether a checkout was paid, and if so move the user to its plan',
    tag: 'Subscription',
    operation: `mutation ($sessionId: String!, $planId: ID) {
      verifySubscription(sessionId: $sessionId, planId: $planId) { message paid subscription { ${currentSubscription} } }
    }`,
    answer: field('verifySubscription'),
    failures: ['NOT_FOUND', 'CONFLICT', 'VENDOR', 'NOT_CONFIGURED'],
  },
];

/** The admin's calls about deletion requests. */
export const rightsCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/admin/deletion-requests',
    summary: 'Deletion requests, newest first',
    tag: 'Admin',
    operation: `query ($status: DeletionStatus) { deletionRequests(status: $status) { ${deletionRequest} } }`,
    query: { status: 'status' },
    answer: field('deletionRequests'),
  },
  {
    method: 'PATCH',
    path: '/admin/deletion-requests/{requestId}',
    summary: 'Approve or reject a pending request, or change the notes of an open one',
    tag: 'Admin',
    operation: `mutation ($requestId: ID!, $status: DeletionStatus!, $notes: String) {
      updateDeletionRequest(requestId: $requestId, status: $status, notes: $notes) { ${deletionRequest} }
    }`,
    answer: field('updateDeletionRequest'),
    failures: ['CONFLICT'],
  },
  {
    method: 'POST',
    path: '/admin/execute-deletion/{userId}',
    summary: 'Permanently erase a user whose deletion request is approved, with all their data',
    tag: 'Admin',
    operation: 'mutation ($userId: ID!) { executeDeletion(userId: $userId) { message } }',
    answer: field('executeDeletion'),
    failures: ['CONFLICT'],
  },
];

export const contactCalls: readonly Call[] = [
  {
    method: 'POST',
    path: '/contact',
    summary: 'Send a message to the operators of this LotWatch',
    tag: 'Contact',
    operation: 'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }',
    status: 201,
    answer: field('sendContactMessage'),
  },
];

const delays = 'matches p50Ms p95Ms';

export const statusCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/status',
    summary: 'Whether LotWatch works, how fast it reads its sources and delivers, and what does not work',
    tag: 'Status',
    operation: `{ status { checkedAt isWorking
      sources { name state lastSuccessAt lagP50Ms lagP95Ms lagListings }
      channels { channel lastDay { ${delays} } last30Days { ${delays} } delayedSince }
      incidents { subject message since }
    } }`,
    answer: field('status'),
  },
];
