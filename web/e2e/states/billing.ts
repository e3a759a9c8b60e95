import type { Page } from 'playwright-core';
import { answering, failing, holding } from '../browser/faults.ts';
import { choosingNoPlan, subscription, subscriptionState, verified } from '../browser/payments.ts';
import type { State } from './state.ts';

const card = (page: Page, place: number) => page.getByRole('article').nth(place);
const choose = (place: number) => (page: Page) => card(page, place).getByRole('button').click();

/** Clicks all debug tools in order. */
async function useTools(page: Page): Promise<void> {
  const tools = page.locator('section[aria-labelledby=debug]');
  for (const index of [0, 1, 2, 3]) {
    await tools.getByRole('listitem').nth(index).getByRole('button').click();
    await tools.locator('pre').nth(index).waitFor();
  }
}

const quota = (alertsUsed: number, alertLimit: number, alertsToResume = 0) => ({
  canCreateAlert: {
    __typename: 'CanCreateAlert',
    canCreateAlert: true,
    needsUpgrade: false,
    alertsUsed,
    alertLimit,
    alertsToResume,
  },
});

/** A Pro plan paid until noon UTC, which is the same date in every time zone. */
async function onPro(page: Page, status: string): Promise<void> {
  const paid = { ...subscription('3', 'Pro', status), currentPeriodEnd: '2031-12-22T18:00:00Z' };
  await answering(page, 'CurrentSubscription', { currentSubscription: paid });
  await answering(page, 'AlertQuota', quota(7, 20));
}

const verifyBySecondButton = (page: Page) => page.locator('#main').getByRole('button').nth(1).click();

const paying: readonly State[] = [
  {
    name: 'subscription-success/no-payment',
    isLong: true,
    who: 'empty',
    path: '/subscription-success',
    texts: [],
    also: ['There is no payment to verify'],
  },
  {
    name: 'subscription-success/verifying',
    isLong: true,
    who: 'empty',
    path: '/subscription-success?session_id=cs_1',
    texts: [],
    also: ['Verifying your payment'],
    prepare: (page) => holding(page, 'VerifySubscription'),
  },
  {
    name: 'subscription-success/paid',
    who: 'empty',
    path: '/subscription-success?session_id=cs_1&plan_id=3',
    texts: ['Payment Successful!'],
    also: ["You're on Pro"],
    prepare: (page) => verified(page, '3', 'Pro'),
  },
  {
    name: 'subscription-success/refused',
    who: 'empty',
    path: '/subscription-success?session_id=cs_1&plan_id=2',
    texts: ['Verification Error'],
    also: ['Checkout not found', 'Your payment is not verified yet'],
  },
  {
    name: 'subscription-success/unreachable',
    sizes: ['desktop'],
    who: 'empty',
    path: '/subscription-success?session_id=cs_1',
    texts: ['Verification Failed', 'Verification failed. Please try again or contact support.'],
    also: ['Verify Starter', 'Verify Elite'],
    prepare: (page) => failing(page, 'VerifySubscription', 'offline'),
    act: verifyBySecondButton,
  },
  {
    name: 'subscription-success/overdue',
    isLong: true,
    sizes: ['phone'],
    who: 'empty',
    path: '/subscription-success?session_id=cs_1',
    texts: ['Verification Issue'],
    also: ['The last invoice is not paid yet.'],
    prepare: (page) => verified(page, '3', 'Pro', 'past_due'),
  },
  {
    name: 'subscription-success/not-updated',
    isLong: true,
    sizes: ['desktop'],
    who: 'empty',
    path: '/subscription-success?session_id=cs_1',
    texts: ['Payment Status'],
    also: [/still processing/],
    prepare: (page) => verified(page, '1', 'Free'),
  },
];

export const billingStates: readonly State[] = [
  {
    name: 'subscription/free',
    who: 'empty',
    path: '/subscription',
    texts: ['Subscription', 'Current Plan', 'Most Popular', 'Choose Plan', 'Forever free'],
    also: ['0 of 1 active alert used', 'What a paid plan adds', 'Contact sales'],
  },
  {
    name: 'subscription/full',
    isLong: true,
    who: 'full',
    path: '/subscription',
    texts: ['Current Plan'],
    also: ['1 of 1 active alert used', 'To create more, choose a larger plan or pause an alert.'],
  },
  {
    name: 'subscription/paid',
    who: 'user',
    path: '/subscription',
    texts: ['Get Started'],
    also: ['Starter', 'Active'],
  },
  {
    name: 'subscription/overdue',
    isLong: true,
    sizes: ['desktop'],
    who: 'user',
    path: '/subscription',
    texts: ['Most Popular'],
    also: ['Payment overdue', '7 of 20 active alerts used', 'Kept until Nov 29, 2031', 'Update payment'],
    async prepare(page) {
      const graceEndsAt = '2031-11-29T18:00:00Z';
      await answering(page, 'CurrentSubscription', {
        currentSubscription: { ...subscription('3', 'Pro', 'past_due'), graceEndsAt },
      });
      await answering(page, 'AlertQuota', quota(7, 20));
      await subscriptionState(page, { planName: 'Pro', status: 'past_due', graceEndsAt });
    },
  },
  {
    name: 'subscription/canceling',
    isLong: true,
    who: 'user',
    path: '/subscription',
    texts: ['Current Plan'],
    also: ['Ends soon', 'Ends on Dec 22, 2031', 'Resume Pro', 'Manage billing', 'Starts Dec 22, 2031'],
    prepare: (page) => onPro(page, 'canceling'),
  },
  {
    name: 'subscription/moving-to-free',
    who: 'user',
    path: '/subscription',
    texts: [],
    also: ['Move to Free?', /You keep Pro until Dec 22, 2031/, 'Keep Pro'],
    prepare: (page) => onPro(page, 'active'),
    act: choose(0),
  },
  {
    name: 'subscription/alerts-wait',
    isLong: true,
    who: 'user',
    path: '/subscription',
    texts: [],
    also: ['3 alerts were paused by a smaller plan. Your plan has room for them now.', 'Resume'],
    async prepare(page) {
      const currentSubscription = { ...subscription('2', 'Starter'), alertsToResume: 3 };
      await answering(page, 'CurrentSubscription', { currentSubscription });
      await answering(page, 'AlertQuota', quota(2, 5, 3));
      await subscriptionState(page, { alertsToResume: 3 });
    },
  },
  {
    name: 'subscription/loading',
    who: 'empty',
    path: '/subscription',
    texts: [],
    also: ['Loading plans'],
    prepare: (page) => holding(page, ['Plans', 'CurrentSubscription']),
  },
  {
    name: 'subscription/choosing',
    who: 'empty',
    path: '/subscription',
    texts: [],
    also: ['Choosing...'],
    prepare: (page) => holding(page, 'Subscribe'),
    act: choose(2),
  },
  {
    name: 'subscription/refused',
    who: 'empty',
    path: '/subscription',
    texts: ['Error'],
    also: ['Payments are not set up'],
    prepare: (page) => failing(page, 'Subscribe', { message: 'Payments are not set up', code: 'NOT_CONFIGURED' }),
    act: choose(2),
  },
  {
    name: 'subscription/unreachable',
    sizes: ['desktop'],
    who: 'empty',
    path: '/subscription',
    texts: ['Error', 'Failed to subscribe to the plan'],
    prepare: (page) => failing(page, 'Subscribe', 'offline'),
    act: choose(1),
  },
  {
    name: 'subscription/plan-gone',
    sizes: ['phone'],
    who: 'empty',
    path: '/subscription',
    texts: ['Selected plan not found'],
    prepare: choosingNoPlan,
    act: choose(3),
  },
  {
    name: 'subscription/canceled',
    isLong: true,
    sizes: ['phone'],
    who: 'empty',
    path: '/subscription?canceled=true',
    texts: ['Checkout Canceled'],
  },
  {
    name: 'subscription/plans-failed',
    isLong: true,
    who: 'empty',
    path: '/subscription',
    texts: ['Try Again', '{status}: Could not retrieve subscription plans'],
    also: ['Test API Connection', 'Create Test User', 'Check Plans', 'Create Default Plans'],
    prepare: (page) => failing(page, 'Plans', 'bad-gateway'),
  },
  {
    name: 'subscription/tools-used',
    who: 'empty',
    path: '/subscription',
    texts: [],
    also: ['The API answered with your plan.', /^Created test-\w+\./, 'The server has 4 plans: ok.'],
    prepare: (page) => failing(page, 'Plans', 'starting'),
    act: useTools,
  },
  {
    name: 'subscription/status-failed',
    sizes: ['desktop'],
    who: 'empty',
    path: '/subscription',
    texts: ['Failed to check subscription status'],
    also: ['Starter'],
    prepare: (page) => failing(page, 'CurrentSubscription', 'starting'),
  },
  ...paying,
];
