import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { expect, it } from 'vitest';
import {
  alertFailure,
  contactFailure,
  loginFailure,
  notificationFailure,
  plansFailure,
  subscribeFailure,
  verificationFailure,
} from './fault-words.ts';

function http(status: number, bodyText: string, type = 'application/json'): Error {
  const response = new Response(null, { status, statusText: 'Oh', headers: { 'content-type': type } });
  return new ServerError('x', { response, bodyText });
}

const graphql = (message: string, extensions: Record<string, unknown> = {}) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions }] });

const unreachable = "We can't reach LotWatch. Check your connection and try again.";

it.each([
  ['401', http(401, '{"message":"Who are you?"}'), 'Invalid username or password'],
  ['UNAUTHENTICATED', graphql('Whatever', { code: 'UNAUTHENTICATED' }), 'Invalid username or password'],
  ['a message', http(429, '{"message":"Too many logins."}'), 'Too many logins.'],
  ["GraphQL's message", graphql('Username is required', { code: 'VALIDATION' }), 'Username is required'],
  ['text', http(503, 'Back at noon', 'text/plain'), 'Back at noon'],
  ['nothing', http(500, '', 'text/plain'), 'Login failed'],
  ['JSON without words', http(500, '{}'), 'Login failed'],
  ['GraphQL without words', graphql(''), 'Login failed'],
  ['an error page', http(502, '<!doctype html><p>nginx', 'text/html'), '502: Oh'],
  ['no answer', new TypeError('Failed to fetch'), unreachable],
])('a login that fails with %s', (_name, error, text) => {
  expect(loginFailure(error)).toBe(text);
});

const limit =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";
const failed = (text: string) => ({ title: 'Error', text: `Failed to create alert: ${text}` });

it.each([
  [
    'the plan, in words',
    graphql('The maximum number of alerts is 5.', { code: 'PLAN_LIMIT', needsUpgrade: true }),
    { title: 'Subscription Limit Reached', text: 'The maximum number of alerts is 5.' },
  ],
  ['the plan, without words', http(403, '{"needsUpgrade":true}'), { title: 'Subscription Limit Reached', text: limit }],
  [
    'the plan, for another reason',
    graphql('SMS is for paid plans.', { code: 'PLAN_REQUIRED', needsUpgrade: true }),
    failed('SMS is for paid plans.'),
  ],
  ['403 in words', http(403, '{"message":"Not yours."}'), failed('Not yours.')],
  ['403 without words', http(403, 'no', 'text/plain'), failed('Access denied')],
  ['FORBIDDEN without words', graphql('', { code: 'FORBIDDEN' }), failed('Access denied')],
  ['words', graphql('Boom'), failed('Boom')],
  ['no words', http(500, '{}'), failed('An error occurred')],
  ['no JSON', http(500, 'x', 'text/plain'), failed('500: Oh')],
  ['no answer', new TypeError('x'), failed(unreachable)],
])('an alert that is not created because of %s', (_name, error, toast) => {
  expect(alertFailure('create', error)).toEqual(toast);
});

it('names the act that failed', () => {
  expect(alertFailure('update', graphql(limit))).toEqual({ title: 'Error', text: `Failed to update alert: ${limit}` });
  expect(alertFailure('delete', graphql('Boom')).text).toBe('Failed to delete alert: Boom');
  expect(alertFailure('update', new Error('Alert ID is required for updates')).text).toBe(
    'Failed to update alert: Alert ID is required for updates',
  );
});

const plansLost = '502: Could not retrieve subscription plans';
const messageLost = 'Failed to send your message. Please try again later.';
const mailLost = 'Failed to send notification. Please check your email settings.';
const paymentLost = 'Verification failed. Please try again or contact support.';

it.each([
  ['a message', contactFailure, messageLost, unreachable],
  ['a test notification', notificationFailure, mailLost, mailLost],
  ['the plans', plansFailure, plansLost, unreachable],
  ['a subscription', subscribeFailure, 'Failed to subscribe to the plan', 'Failed to subscribe to the plan'],
  ['a payment', verificationFailure, paymentLost, paymentLost],
])("prefers the server's words about %s", (_name, failure, silent, unanswered) => {
  expect(failure(graphql('Boom'))).toBe('Boom');
  expect(failure(http(502, '{}'))).toBe(silent);
  expect(failure(new TypeError('x'))).toBe(unanswered);
});
