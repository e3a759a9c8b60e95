import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choosePlan, manageBilling, payFor, press } from './browser/payments.ts';
import { giveAlert, newName, newPerson, registerOn } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, seesToast, useBrowser } from './browser/support.ts';

const plan = (page: Page, name: string) => page.getByRole('article', { name: `${name} plan` });
const isOn = (page: Page, name: string) => plan(page, name).getByText('Current Plan').waitFor();
const backToLotWatch = (page: Page) => page.getByRole('link', { name: 'Back to LotWatch' }).click();
const aDate = /[A-Z][a-z]{2} \d{1,2}, \d{4}/;

describe.skipIf(!canBrowse)('paying for a plan', () => {
  const browser = useBrowser();

  it('leads from registration over the payment page to a plan of five alerts', async () => {
    const page = await browser.open({});
    await registerOn(page, newName());
    await choosePlan(page, 'Starter');
    await sees(page, 'Test mode: nothing is charged', 'LotWatch Starter', 'Due today');
    expect(await page.locator('script').count()).toBe(0);
    await press(page, 'Pay $4.99');
    await seesToast(page, 'Payment Successful!', 'You are subscribed to the Starter plan.');
    await sees(page, "You're on Starter");
    await page.getByRole('link', { name: 'Back to Subscription' }).click();
    await isOn(page, 'Starter');
    await sees(page, '0 of 5 active alerts used');
    await page.getByText(/^Renews on /).waitFor();
  });

  it('changes nothing when the card is declined or the checkout cancelled', async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await choosePlan(page, 'Pro');
    await press(page, 'Decline');
    await sees(page, 'Your card was declined. Nothing was paid; you can try again.');
    await press(page, 'Cancel');
    await seesToast(page, 'Checkout Canceled', 'Nothing was charged, and your plan stays as it is.');
    await arrivesAt(page, '/subscription');
    await isOn(page, 'Free');
  });

  it('changes a paid plan on the confirmation page, and shows it without reloading', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await payFor(page, 'Starter');
    await choosePlan(page, 'Pro');
    await sees(page, 'Confirm your new plan', 'LotWatch Pro, $14.99 per month');
    await press(page, 'Confirm');
    await arrivesAt(page, '/subscription');
    await isOn(page, 'Pro');
    await sees(page, '0 of 20 active alerts used');
  });

  it('explains what moving to Free does and when, and reverts it', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await payFor(page, 'Starter');
    await page.goto('/subscription');
    await plan(page, 'Free').getByRole('button').click();
    const dialog = page.getByRole('alertdialog', { name: 'Move to Free?' });
    await expect.poll(() => dialog.textContent()).toMatch(/You keep Starter until .+, and nothing more is charged\./);
    await dialog.getByRole('button', { name: 'Keep Starter' }).click();
    await page.getByText(/^Renews on /).waitFor();
    await plan(page, 'Free').getByRole('button').click();
    await dialog.getByRole('button', { name: 'Move to Free' }).click();
    await sees(page, 'Subscription updated', 'Ends soon');
    expect(await page.getByText(/^Ends on /).textContent()).toMatch(aDate);
    await isOn(page, 'Starter');
    expect(
      await plan(page, 'Free')
        .getByRole('button', { name: /^Starts / })
        .isDisabled(),
    ).toBe(true);
    await press(page, 'Resume Starter');
    await seesToast(page, 'Subscription updated', 'You are on the Starter plan.');
    await page.getByText(/^Renews on /).waitFor();
  });

  it('shows on every page that a payment is overdue, until it is paid', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await payFor(page, 'Starter');
    await manageBilling(page);
    await press(page, 'Let the next payment fail');
    await press(page, 'Let the period end now');
    await sees(page, 'Payment overdue');
    await backToLotWatch(page);
    const banner = page.getByRole('region', { name: 'Payment overdue' });
    await banner.waitFor();
    expect(await banner.textContent()).toMatch(/You keep Starter until .*\d{4}\./);
    await page.goto('/dashboard');
    await banner.getByRole('button', { name: 'Update payment' }).click();
    await page.waitForURL('**/dev/portal/**');
    await press(page, 'Pay the overdue invoice');
    await backToLotWatch(page);
    await page.getByText(/^Renews on /).waitFor();
    expect(await banner.count()).toBe(0);
  });

  it('pauses the newest alerts when the plan ends, and resumes them on a larger one', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await payFor(page, 'Starter');
    for (const location of ['Kiana, AK', 'Gambell, AK', 'Kiana, AK']) await giveAlert(person, { location, radius: 5 });
    await page.goto('/subscription');
    await plan(page, 'Free').getByRole('button').click();
    await page.getByText('Your newest 2 alerts pause then; nothing is deleted.').waitFor();
    await press(page, 'Move to Free');
    await sees(page, 'Ends soon');
    await manageBilling(page);
    await press(page, 'Let the period end now');
    await sees(page, 'Your subscription has ended');
    await backToLotWatch(page);
    await isOn(page, 'Free');
    await page.goto('/my-alerts');
    await page.getByText("Paused: above your plan's limit").nth(1).waitFor();
    await payFor(page, 'Pro');
    const banner = page.getByRole('region', { name: 'Paused alerts' });
    await banner.getByText('2 alerts were paused by a smaller plan. Your plan has room for them now.').waitFor();
    await page.goto('/my-alerts');
    await page.getByRole('switch', { checked: false }).first().click();
    await banner.getByText('1 alert was paused by a smaller plan. Your plan has room for it now.').waitFor();
    await banner.getByRole('button', { name: 'Resume' }).click();
    await seesToast(page, 'Alerts resumed', '1 alert is active again.');
    await banner.waitFor({ state: 'detached' });
    await sees(page, '3 of 20 used');
  });

  it('ends the plan immediately when the payment is refunded', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await payFor(page, 'Elite');
    await manageBilling(page);
    await press(page, 'Refund the last invoice');
    await backToLotWatch(page);
    await isOn(page, 'Free');
  });
});
