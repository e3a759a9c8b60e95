import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPerson, PASSWORD, putOnPlan } from './browser/people.ts';
import { logIn, personAt } from './browser/session.ts';
import { arrivesAt, canBrowse, lotWatch, readOutbox, sees, seesToast, useBrowser } from './browser/support.ts';

const NEW_PASSWORD = 'secret-2';

/** Waits for the mail of this kind to this address. */
async function mailTo(to: string, kind: string) {
  const find = () => readOutbox().find((mail) => mail.to === to && mail.kind === kind);
  await expect.poll(find).toBeDefined();
  return find();
}

const resetLinkTo = async (to: string): Promise<string> =>
  /https?:\S+\/reset-password\/\S+/.exec((await mailTo(to, 'reset'))?.text ?? '')?.[0] ?? '';

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""');

describe.skipIf(!canBrowse)('an account', () => {
  const browser = useBrowser();

  it('is edited on the settings page', async () => {
    const me = await newPerson();
    const phone = personAt(lotWatch().url, await logIn(lotWatch().url, me.name, PASSWORD));
    const page = await browser.open({ cookies: me.cookies, timezoneId: 'Europe/Rome' });
    await page.goto('/settings');
    const edit = page.getByRole('button', { name: 'Edit Contact Info' });
    await edit.click();
    const email = page.getByLabel('Email');
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
    await email.fill('');
    await page.keyboard.press('Enter');
    await sees(page, 'Either email or phone is required for notifications');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await sees(page, me.email);
    await expect.poll(() => focused(page)).toBe('Edit Contact Info');

    await edit.click();
    await email.fill(`new-${me.email}`);
    await page.getByLabel('Phone').fill('(415) 555-0100');
    await page.getByRole('button', { name: 'Use Europe/Rome, as on this device' }).click();
    await page.getByLabel('Phone').press('Enter');
    await seesToast(page, 'Profile updated', `We sent a link to new-${me.email}. Open it to confirm the address.`);
    await sees(page, me.email, `new-${me.email}`, 'Waiting for confirmation', '(415) 555-0100', 'Europe/Rome');
    expect((await mailTo(me.email, 'address_change'))?.text).toContain(`new-${me.email}`);

    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
      await page.keyboard.press('Enter');
    };
    await change('not-the-password');
    await seesToast(page, 'Password change failed', 'Current password is incorrect');
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true');
    await change(PASSWORD);
    await seesToast(page, 'Password changed', 'Your password has been changed. Other devices have been signed out.');
    expect(await phone.ask('{ me { id } }')).toEqual({ me: null });
    await page.reload();
    await sees(page, `new-${me.email}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await seesToast(page, 'Change cancelled', 'Your email address stays as it is.');
    await page.getByText('Waiting for confirmation').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Edit Contact Info');

    await page.evaluate(`localStorage.setItem('cookie-consent', '{}')`);
    await page.getByRole('link', { name: 'Manage Your Data' }).waitFor();
    await page.getByRole('button', { name: 'Review Cookie Settings' }).click();
    await page.getByRole('button', { name: 'Accept All' }).waitFor();
    expect(await page.evaluate(`localStorage.getItem('cookie-consent')`)).toBeNull();
  });

  it('gets its new address by a mailed link, and the old one back by a link mailed to the old address', {
    tags: 'long',
  }, async () => {
    const me = await newPerson();
    const next = `next-${me.email}`;
    const page = await browser.open({ cookies: me.cookies });
    const linkIn = async (to: string, kind: string) =>
      /^.*(https?:\S+\/(?:m|confirm-email)\/\S+)$/m.exec((await mailTo(to, kind))?.text ?? '')?.[1] ?? '';
    await me.ask('mutation ($email: String) { updateProfile(input: { email: $email }) { id } }', { email: next });
    await page.goto(await linkIn(next, 'confirm'));
    expect(await me.ask('{ me { email } }')).toEqual({ me: { email: me.email } });
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await sees(page, 'Email confirmed');
    await page.goto('/settings');
    await sees(page, next, 'Confirmed');

    await page.goto(await linkIn(me.email, 'address_changed'));
    await page.getByRole('button', { name: 'Put this address back' }).click();
    await sees(page, 'Your address is back');
    expect(await me.ask('{ me { id } }')).toEqual({ me: null });
    await page.goto(await resetLinkTo(me.email));
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await sees(page, 'Password changed');
  });

  it('can be entered again after a password reset', async () => {
    const me = await newPerson();
    const page = await browser.open();
    await page.goto('/auth');
    await page.getByLabel('Password', { exact: true }).fill('what was it');
    await page.getByRole('button', { name: 'Show what was typed' }).click();
    await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await arrivesAt(page, '/forgot-password');
    await page.getByLabel('Email').fill(me.email.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();

    const link = await resetLinkTo(me.email);
    const setPassword = async () => {
      await page.goto(link);
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
      await page.keyboard.press('Enter');
    };
    await setPassword();
    await sees(page, 'Password changed', `The password of ${me.name} has been changed. You can sign in with it now.`);
    expect(await me.ask('{ me { id } }')).toEqual({ me: null });
    await setPassword();
    await sees(page, "This link didn't work");
    await page.goto('/auth');
    await page.getByLabel('Username').fill(me.name);
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await seesToast(page, 'Login successful', `Welcome back, ${me.name}!`);
    await arrivesAt(page, '/dashboard');
  });

  it('ends keys and webhooks with a password reset, unless they are unticked', async () => {
    const dealer = await newPerson();
    await putOnPlan(dealer, 4);
    const make = 'mutation ($name: String!) { createApiKey(name: $name, scopes: [read]) { secret } }';
    const makeKey = async (name: string) =>
      (await dealer.ask<{ createApiKey: { secret: string } }>(make, { name })).createApiKey.secret;
    const [mine, unknown] = [await makeKey('Mine'), await makeKey('Unknown')];
    await dealer.ask(
      'mutation { createWebhook(url: "https://example.com/hook", events: ["match.created"]) { secret } }',
    );
    const page = await browser.open();
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(dealer.email);
    await page.keyboard.press('Enter');
    await page.goto(await resetLinkTo(dealer.email));
    const boxes = page.getByRole('group', { name: 'End these too' }).getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(3);
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true);
    await page.getByLabel('API key “Mine”').uncheck();
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await sees(page, 'Password changed');
    await page.getByText('1 API key and 1 webhook were ended.').waitFor();
    const status = async (secret: string) =>
      (await fetch(`${lotWatch().url}/api/user`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await status(mine), await status(unknown)]).toEqual([200, 401]);
    expect((await mailTo(dealer.email, 'password_changed'))?.text).toContain('the API key “Unknown”');
  });
});
