import type { Page } from 'playwright-core';
import { changeViewer, intercept } from './calls.ts';
import { answering } from './faults.ts';

/** A subscription in the server's answer. */
export const subscription = (planId: string, planName: string, status = 'active') => ({
  __typename: 'CurrentSubscription',
  planId,
  subscriptionPlanId: planId,
  planName,
  status,
  currentPeriodEnd: null,
  graceEndsAt: null,
  alertsToResume: 0,
});

/** Sets the server's answer about a paid checkout. */
export const verified = (page: Page, planId: string, planName: string, status?: string) =>
  answering(page, 'VerifySubscription', {
    verifySubscription: {
      __typename: 'VerifyResult',
      message: 'The last invoice is not paid yet.',
      paid: true,
      subscription: subscription(planId, planName, status),
    },
  });

/** Sets the server's answer to a chosen plan: the new subscription, or the address of the payment. */
export const subscribed = (page: Page, result: { subscription?: unknown; url?: string; sessionId?: string }) =>
  answering(page, 'Subscribe', {
    subscribe: { __typename: 'SubscribeResult', subscription: null, url: null, sessionId: null, ...result },
  });

const card = (page: Page, plan: string) => page.getByRole('article', { name: `${plan} plan` });

/** Chooses a plan on /subscription; ends on the payment page, or on the page that confirms a change. */
export async function choosePlan(page: Page, plan: string): Promise<void> {
  await page.goto('/subscription');
  await card(page, plan)
    .getByRole('button', { name: `Choose Plan: ${plan}` })
    .click();
  await page.waitForURL(/\/dev\/(checkout|portal)\//);
}

/** Presses a button of the sandbox's pages. */
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Pays for a plan as a user would; ends on the success page. */
export async function payFor(page: Page, plan: string): Promise<void> {
  await choosePlan(page, plan);
  await press(page, /^Pay /);
  await page.getByRole('heading', { name: `You're on ${plan}` }).waitFor();
}

/** Opens the page where payments are managed. */
export async function manageBilling(page: Page): Promise<void> {
  await page.goto('/subscription');
  await press(page, 'Manage billing');
  await page.waitForURL('**/dev/portal/**');
}

/** Changes these fields of the user's plan in the server's answers. */
export const subscriptionState = (page: Page, fields: Record<string, unknown>) =>
  changeViewer(page, (me) => Object.assign(me.subscription, fields));

/** Makes the server refuse every chosen plan as unknown. */
export const choosingNoPlan = (page: Page) =>
  intercept(page, 'Subscribe', (route) =>
    route.fallback({ postData: JSON.stringify({ ...route.request().postDataJSON(), variables: { planId: '5' } }) }),
  );
