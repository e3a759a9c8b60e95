import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { appCode } from '../../api/test/browser.ts';
import { newPerson, PASSWORD } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('two-step sign-in', () => {
  const browser = useBrowser();
  const code = (page: Page) => page.getByLabel('Code', { exact: true });
  const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true }).click();

  async function givePassword(page: Page, name: string): Promise<void> {
    await page.goto('/auth');
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await signIn(page);
    await sees(page, 'Your account requires a second step.');
  }

  it('is set up, required at the next sign-in, used with a recovery code, and turned off', async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies, expected: /400|VALIDATION/ });
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Set Up Two-Step' }).click();
    await arrivesAt(page, '/settings/two-step');
    await page.getByRole('button', { name: 'Set Up' }).click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const shown = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
    const secret = (shown ?? '').replaceAll(' ', '');
    await code(page).fill('000000');
    await page.getByRole('button', { name: 'Turn On' }).click();
    await sees(page, 'That code is wrong, or was used before. Please enter the newest one.');
    await code(page).fill(appCode(secret));
    await page.getByRole('button', { name: 'Turn On' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await sees(page, 'Two-step sign-in is on');
    await page.getByText('10 recovery codes left.').waitFor();

    const other = await browser.open({ expected: /400|403|VALIDATION|CODE_NEEDED/ });
    await givePassword(other, me.name);
    await expect.poll(() => code(other).evaluate((field) => field === document.activeElement)).toBe(true);
    await signIn(other);
    await sees(other, 'Please enter the code from your authenticator app.');
    await code(other).fill('123456');
    await signIn(other);
    await sees(other, 'That code is wrong, or was used before. Please enter the newest one.');
    await other.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await other.getByLabel('Username').waitFor();
    await signIn(other);
    await code(other).fill(codes[0]?.toLowerCase() ?? '');
    await signIn(other);
    await arrivesAt(other, '/dashboard');

    await other.goto('/settings/two-step');
    await other.getByText('9 recovery codes left.').waitFor();
    await other.getByRole('button', { name: 'Turn Off' }).click();
    await expect.poll(() => code(other).evaluate((field) => field === document.activeElement)).toBe(true);
    await code(other).fill(codes[1] ?? '');
    await other.getByRole('button', { name: 'Turn Off' }).click();
    await seesToast(other, 'Two-step sign-in is off', 'Two-step sign-in is off. Your password alone signs you in.');
    await sees(other, 'Two-step sign-in is off');
  });
});
