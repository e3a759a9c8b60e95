import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { collectCalls } from './browser/calls.ts';
import { failing, holding } from './browser/faults.ts';
import { choosingNoPlan, subscribed, subscription, verified } from './browser/payments.ts';
import { giveAlert, newPerson, putOnPlan, RARE_ALERT } from './browser/people.ts';
import { arrivesAt, canBrowse, lotWatch, sees, seesToast, useBrowser } from './browser/support.ts';

const plan = (page: Page, name: string) => page.getByRole('article', { name: `${name} plan` });

describe.skipIf(!canBrowse)('the subscription page', () => {
  const browser = useBrowser();

  it('marks the current plan, and shows how much is used and what each plan would change', async () => {
    const person = await newPerson();
    await putOnPlan(person, 2);
    await giveAlert(person);
    await giveAlert(person, { ...RARE_ALERT, location: 'Homer, AK' });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/subscription');
    await sees(page, '2 of 5 active alerts used', 'Room for 3 more alerts.');
    expect(await page.getByRole('heading', { name: 'What a paid plan adds' }).count()).toBe(0);
    const texts = {
      Free: [
        'Forever free',
        '$0',
        '1 active alert',
        'Email notifications',
        'Basic search filters',
        '1 alert would pause',
        'Get Started',
      ],
      Starter: [
        'Current Plan',
        '$4.99 per month',
        '5 alerts',
        'Email and SMS',
        'Priority processing',
        '2 of 5 used',
        'Your plan',
      ],
      Pro: ['Most Popular', '$14.99 per month', '20 alerts', 'Email and SMS', 'Premium support', 'Choose Plan'],
      Elite: ['For dealers', '$69.99 per month', '100 alerts', 'Email and SMS', 'API access', 'Choose Plan'],
    };
    for (const [name, shown] of Object.entries(texts)) {
      const text = await plan(page, name).textContent();
      for (const one of shown) expect(text).toContain(one);
    }
    expect(await plan(page, 'Starter').getByRole('button', { name: 'Your plan' }).isDisabled()).toBe(true);
    expect(await page.getByText('2 of 20 used').count()).toBe(0);
    expect(await page.getByText('Current Plan', { exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'Contact sales' }).click();
    await arrivesAt(page, '/contact-us');
  });

  it('explains why a plan was not chosen, and keeps the focus on its button', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await page.goto('/subscription');
    await sees(page, 'What a paid plan adds', '0 of 1 active alert used');
    const pro = plan(page, 'Pro').getByRole('button');
    await failing(page, 'Subscribe', { message: 'Payments are not set up', code: 'NOT_CONFIGURED' });
    const release = await holding(page, 'Subscribe');
    await pro.focus();
    await page.keyboard.press('Enter');
    await sees(page, 'Choosing...');
    await plan(page, 'Elite').getByRole('button').dispatchEvent('click');
    release();
    await seesToast(page, 'Error', 'Payments are not set up');
    expect(release.calls()).toBe(1);
    await expect.poll(() => pro.evaluate((element) => element === document.activeElement)).toBe(true);
    const restore = await failing(page, 'Subscribe', 'offline');
    await pro.click();
    await seesToast(page, 'Error', 'Failed to subscribe to the plan');
    await restore();
    await page.unrouteAll();
    await choosingNoPlan(page);
    await pro.click();
    await seesToast(page, 'Error', 'Selected plan not found');
  });

  it('shows the new plan, or leads to the payment and reports a cancelled one', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/subscription');
    const pro = plan(page, 'Pro').getByRole('button');
    await pro.waitFor();
    await subscribed(page, { subscription: subscription('3', 'Pro') });
    await putOnPlan(person, 3);
    await pro.click();
    await seesToast(page, 'Subscription updated', 'You are on the Pro plan.');
    await sees(page, '0 of 20 active alerts used');
    await plan(page, 'Pro').getByText('Current Plan').waitFor();
    await subscribed(page, { sessionId: 'cs_7' });
    await plan(page, 'Elite').getByRole('button').click();
    await page.waitForURL('**/subscription-success?session_id=cs_7&plan_id=4');
    await page.goto('/subscription');
    await subscribed(page, { sessionId: 'cs_8', url: `${lotWatch().url}/contact?paying` });
    await plan(page, 'Elite').getByRole('button').click();
    await page.waitForURL('**/contact?paying');
    await page.goto('/subscription?canceled=true');
    await seesToast(page, 'Checkout Canceled', 'Nothing was charged, and your plan stays as it is.');
    expect(page.url()).toBe(`${lotWatch().url}/subscription`);
    await page.goBack();
    await arrivesAt(page, '/contact');
  });

  it('retries only the call for the plans, and shows the server’s message', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    const calls = collectCalls(page);
    const asked = (name: string) => calls.filter(({ operationName }) => operationName === name).length;
    const restore = await failing(page, ['Plans', 'CurrentSubscription'], { status: 502, body: '{}' });
    await page.goto('/subscription');
    await sees(page, '502: Could not retrieve subscription plans', 'Failed to check subscription status');
    expect([asked('Plans'), asked('CurrentSubscription')]).toEqual([2, 1]);
    await restore();
    const silenced = await failing(page, 'Plans', { message: 'The plans are being changed.', code: 'UNAVAILABLE' });
    const retry = page.getByRole('button', { name: 'Try Again' }).last();
    await retry.focus();
    await page.keyboard.press('Enter');
    await sees(page, 'Trying again...', 'The plans are being changed.');
    expect([asked('Plans'), await retry.evaluate((element) => element === document.activeElement)]).toEqual([4, true]);
    await silenced();
    await retry.click();
    await plan(page, 'Elite').waitFor();
  });

  it('has debug calls for missing plans, and stays signed in', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await failing(page, 'Plans', 'starting');
    await page.goto('/subscription');
    await sees(page, 'LotWatch is starting');
    const use = async (name: string): Promise<unknown> => {
      await page.getByRole('button', { name, exact: true }).click();
      return JSON.parse((await page.getByRole('region', { name: `Answer to ${name}` }).textContent()) ?? '');
    };
    expect(await use('Test API Connection')).toMatchObject({ subscription: { planName: 'Free' } });
    expect(await use('Check Plans')).toMatchObject({ count: 4, status: 'ok' });
    expect(await use('Create Default Plans')).toMatchObject({ count: 4, status: 'ok' });
    const made = (await use('Create Test User')) as { username: string; password: string };
    await sees(page, `Created ${made.username}. You are still signed in as yourself.`);
    const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { username } }';
    expect(await (await newPerson()).ask(login, { u: made.username, p: made.password })).toEqual({
      login: { username: made.username },
    });
    await page.reload();
    await page.getByRole('button', { name: `Account menu of ${person.name}` }).waitFor();
    await page.route('**/api/debug/**', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html></html>' }),
    );
    await page.getByRole('button', { name: 'Check Plans' }).click();
    await page.getByText(/^502: /).waitFor();
  });
});

describe.skipIf(!canBrowse)('the page after the checkout', () => {
  const browser = useBrowser();

  it('verifies the payment, reports it, and shows the new plan everywhere', async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    await sees(page, '0 of 1 used');
    const calls = collectCalls(page);
    await page.goto('/subscription-success?session_id=cs_1&plan_id=3');
    await seesToast(page, 'Verification Error', 'Checkout not found');
    await sees(page, 'Your payment is not verified yet');
    const asked = () =>
      calls.filter(({ operationName }) => operationName === 'VerifySubscription').map((one) => one.variables);
    expect(asked()).toEqual([{ sessionId: 'cs_1', planId: '3' }]);
    // The plan is paid on the server; the page gets it with the answer.
    await putOnPlan(person, 3);
    await verified(page, '3', 'Pro');
    await page.getByRole('button', { name: 'Verify Pro' }).click();
    await seesToast(page, 'Payment Successful!', 'You are subscribed to the Pro plan.');
    await sees(page, "You're on Pro", '0 of 20 used');
    expect(asked()).toHaveLength(2);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("You're on Pro");
    await page.getByRole('link', { name: 'Back to Subscription' }).click();
    await arrivesAt(page, '/subscription');
    await plan(page, 'Pro').getByText('Current Plan').waitFor();
  });

  it('keeps processing until the server has verified it, with a toast for each reason, and accepts any address', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    const release = await holding(page, 'VerifySubscription');
    await page.goto('/subscription-success?session_id=cs_1&plan_id=9');
    await page.getByRole('status', { name: 'Verifying' }).waitFor();
    const calls = collectCalls(page);
    await verified(page, '1', 'Free');
    release();
    await seesToast(page, 'Verification Error', 'Checkout not found');
    await page.getByRole('button', { name: 'Verify Starter' }).click();
    const processing = 'Your payment was received, but your subscription is not updated yet. It is still processing.';
    await seesToast(page, 'Payment Status', processing);
    await sees(page, 'Your payment is processing');
    await verified(page, '4', 'Elite', 'past_due');
    await page.getByRole('button', { name: 'Verify Elite' }).click();
    await seesToast(page, 'Verification Issue', 'The last invoice is not paid yet.');
    await failing(page, 'VerifySubscription', 'offline');
    await page.getByRole('button', { name: 'Verify Pro' }).click();
    await seesToast(page, 'Verification Failed', 'Verification failed. Please try again or contact support.');
    expect(
      calls.filter(({ operationName }) => operationName === 'VerifySubscription').map((one) => one.variables),
    ).toEqual(['2', '4', '3'].map((planId) => ({ sessionId: 'cs_1', planId })));
    await page.unrouteAll();
    await page.goto(`/subscription-success?session_id=${encodeURIComponent('<img src=x onerror=alert(1)>'.repeat(9))}`);
    await seesToast(page, 'Verification Error', 'Invalid input');
    await page.goto('/subscription-success');
    await sees(page, 'There is no payment to verify');
    await page.getByRole('link', { name: 'Back to Subscription' }).click();
    await arrivesAt(page, '/subscription');
  });
});
