import { describe, expect, it } from 'vitest';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { newName, PASSWORD } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('with the keyboard alone', () => {
  const browser = useBrowser();

  it('registers, creates an alert, deletes it, and never loses the focus', async () => {
    const page = await browser.open();
    await page.goto('/auth');
    await page.getByRole('tab', { name: 'Login' }).waitFor();
    await tabTo(page, 'Login');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedName(page)).toBe('Register');
    const type = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    const name = newName();
    await type('Username', name);
    await type('Password', PASSWORD);
    await type('Email', `${name}@example.com`);
    await page.keyboard.press('Enter');
    await arrivesAt(page, '/dashboard');
    await sees(page, 'No Alerts Set Up');
    await tabTo(page, 'Create Your First Alert');
    await page.keyboard.press('Enter');
    await arrivesAt(page, '/create-alert');
    await page.getByLabel('Make').locator('option[value=jaguar]').waitFor({ state: 'attached' });

    await type('Make', 'Jaguar');
    await type('Model', 'F-Type');
    await type('Location', 'Nome');
    await page.getByRole('option', { name: 'Nome, AK' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('Nome, AK');
    await tabTo(page, 'Only listings with images');
    await page.keyboard.press('Space');
    await tabTo(page, 'Create Alert');
    await page.keyboard.press('Enter');
    await arrivesAt(page, '/my-alerts');
    await sees(page, 'Alert created', 'Nome, AK · 50 miles');

    await tabTo(page, 'Delete Jaguar F-Type');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Delete Alert' });
    await dialog.waitFor();
    // Tab stays within the dialog's two buttons.
    await expect.poll(() => focusedName(page)).toBe('Cancel');
    await tabTo(page, 'Delete');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Delete Jaguar F-Type');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await sees(page, 'Alert deleted', 'No Alerts Yet');
    await page.keyboard.press('F8');
    await expect.poll(() => focusedName(page)).toContain('Notifications (F8)');
  });

  it('opens the login dialog from the quick form, and returns the focus to its button', async () => {
    const page = await browser.open();
    await page.goto('/');
    await page.getByLabel('Make').locator('option[value=jaguar]').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedName(page)).toBe('Skip to the content');
    await page.getByLabel('Make').focus();
    await page.keyboard.type('Jaguar');
    await tabTo(page, 'Location');
    await page.keyboard.type('99762');
    await tabTo(page, 'Create my alert');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Login Required' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Create my alert');
  });

  it('moves through the account menu by arrow keys, and returns the focus on Escape', async () => {
    const page = await browser.open();
    await page.goto('/auth');
    const name = newName();
    await page.getByRole('tab', { name: 'Register' }).click();
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Phone').fill('415 555 0101');
    await page.keyboard.press('Enter');
    await arrivesAt(page, '/dashboard');
    await page.getByRole('button', { name: `Account menu of ${name}` }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Dashboard');
    await page.keyboard.press('End');
    await expect.poll(() => focusedName(page)).toBe('Logout');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedName(page)).toBe(`Account menu of ${name}`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedName(page)).toBe('My Alerts');
    await page.keyboard.press('Enter');
    await arrivesAt(page, '/my-alerts');
  });
});
