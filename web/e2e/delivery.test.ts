/** @module-tag long */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, seesToast, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('how messages reach the buyer', () => {
  const browser = useBrowser();
  const fold = (page: Page) => page.locator('summary').filter({ hasText: 'How should we tell you?' });
  const details = (page: Page) => page.locator('summary').filter({ hasText: 'Details' });

  async function isSound(page: Page): Promise<void> {
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  }

  it('lets someone new choose quiet hours and a daily digest on a phone', async () => {
    const person = await newPerson();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/create-alert');
    await page.getByLabel('Make').selectOption({ label: 'Jaguar' });
    await page.getByLabel('Location').fill('Nome, AK');
    await sees(page, 'At once by mail.');
    await fold(page).tap();
    await page.getByLabel('Quiet hours', { exact: true }).check();
    await sees(page, 'At once by mail, never between 22:00 and 07:00.');
    await page.getByLabel('From', { exact: true }).fill('21:30');
    await page.getByLabel('When', { exact: true }).selectOption({ label: 'Once a day' });
    await page.getByLabel('At', { exact: true }).selectOption({ label: '18:00' });
    const words = 'Once a day at 18:00 by mail, never between 21:30 and 07:00.';
    await sees(page, words);
    await isSound(page);
    await page.getByRole('form').getByRole('button', { name: 'Create Alert' }).tap();
    await arrivesAt(page, '/my-alerts');
    await page.getByRole('link', { name: /^View matches of Jaguar/ }).tap();
    await sees(page, 'Watching');
    await details(page).tap();
    await sees(page, words);
    await isSound(page);
    await page.getByRole('link', { name: 'Edit Alert' }).tap();
    await sees(page, words);
    await fold(page).tap();
    await expect.poll(() => page.getByLabel('When', { exact: true }).inputValue()).toBe('daily');
    expect(await page.getByLabel('At', { exact: true }).inputValue()).toBe('18');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('21:30');
    expect(await page.getByRole('button', { name: 'Sunday' }).getAttribute('aria-pressed')).toBe('true');
    await isSound(page);
  });

  it('opens the fold at the first wrong field when the form is sent', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { quietHours: { from: '22:00', to: '07:00', days: [1] } });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/edit-alert/${id}`);
    const monday = page.getByRole('button', { name: 'Monday' });
    const days = page.getByRole('group', { name: 'Days on which quiet hours begin' });
    const update = page.getByRole('button', { name: 'Update Alert' });
    const isFocused = (field: Locator) =>
      expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await fold(page).click();
    await monday.click();
    await fold(page).click();
    await days.waitFor({ state: 'hidden' });
    await update.click();
    await isFocused(monday);
    expect(await days.getAttribute('aria-invalid')).toBe('true');
    await sees(page, 'Please choose when quiet hours begin and end, and at least one day');
    await isSound(page);
    await monday.click();
    await expect.poll(() => days.getAttribute('aria-invalid')).toBe('false');
    const from = page.getByLabel('From', { exact: true });
    await from.fill('');
    await fold(page).click();
    await update.click();
    await isFocused(from);
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    // It is said once, at its field.
    expect(await page.getByText(/^Please choose when quiet hours begin/).count()).toBe(1);
    await from.fill('21:00');
    // What only the server refuses is shown there, too.
    const message = 'Quiet hours cannot cover the whole week';
    await failing(page, 'UpdateAlert', { message, code: 'VALIDATION', fields: { quietHours: message } });
    await fold(page).click();
    await update.click();
    await isFocused(monday);
    await days.locator('..').getByText(message, { exact: true }).waitFor();
    await monday.click();
    await days.locator('..').getByText(message, { exact: true }).waitFor({ state: 'detached' });
  });

  it('snoozes an alert on a phone, and the list of alerts says until when', async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await details(page).tap();
    await page.getByRole('button', { name: 'Snooze for 7 days' }).tap();
    const snoozed = page.getByText(/^Snoozed until \w+ \d+, \d\d:\d\d\.$/);
    await snoozed.waitFor();
    await isSound(page);
    await details(page).tap();
    await page.getByText('Only listings with images').waitFor({ state: 'detached' });
    await snoozed.waitFor();
    await isSound(page);
    await page.goto('/my-alerts');
    await page.getByText(/^Snoozed until \w+ \d+, \d\d:\d\d ·$/).waitFor();
    await isSound(page);
    await person.ask(`mutation { snoozeAlert(id: ${id}, days: 0) { id } }`);
    await page.reload();
    await sees(page, 'Active ·');
    expect(await page.getByText(/Snoozed/).count()).toBe(0);
  });

  it('snoozes an alert, and ends the snooze, with the focus kept', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await page.getByRole('button', { name: 'Snooze for 3 days' }).press('Enter');
    await page.getByText(/^Snoozed until \w+ \d+, \d\d:\d\d\.$/).waitFor();
    const end = page.getByRole('button', { name: 'End snooze' });
    await expect.poll(() => end.evaluate((button) => button === document.activeElement)).toBe(true);
    await end.press('Enter');
    await page.getByRole('button', { name: 'Snooze for 1 day' }).waitFor();
    const { alert } = await person.ask<{ alert: { snoozedUntil: string | null } }>(
      `{ alert(id: ${id}) { snoozedUntil } }`,
    );
    expect(alert.snoozedUntil).toBeNull();
  });

  it('says which rule still holds what waited when a snooze or a pause ends', { tags: 'long' }, async () => {
    const person = await newPerson();
    // Whole days, of which one is not today or tomorrow, wherever the account is.
    const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => day !== (new Date().getUTCDay() + 3) % 7);
    const id = await giveAlert(person, { location: 'Wiseman, AK', quietHours: { from: '00:00', to: '00:00', days } });
    await pushItems('e2e', [rareCar('Wiseman', 'held')]);
    const waiting = async () =>
      (await person.ask<{ alert: { waiting: unknown[] } }>(`{ alert(id: ${id}) { waiting { reason } } }`)).alert
        .waiting;
    await expect.poll(waiting).toEqual([{ reason: 'quiet_hours' }]);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await page.getByRole('button', { name: 'Snooze for 1 day' }).click();
    await page.getByRole('button', { name: 'End snooze' }).click();
    await sees(page, 'Snooze ended');
    const toast = page.getByText(/^What waited still waits until \w+, \w+ \d+ at 00:00: quiet hours\.$/);
    await toast.waitFor();
    await page.goto('/settings');
    const pause = page.getByRole('switch', { name: 'Pause all messages' });
    await pause.click();
    await sees(page, 'Messages paused');
    await pause.click();
    await sees(page, 'Messages resumed');
    await toast.waitFor();
  });

  it('pauses all messages in Settings on a phone, and resumes them from the banner', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/settings');
    const pause = page.getByRole('switch', { name: 'Pause all messages' });
    await pause.tap();
    await expect.poll(() => pause.isChecked()).toBe(true);
    await page.goto('/my-alerts');
    const banner = page.getByRole('region', { name: 'Messages paused' });
    await banner.waitFor();
    await sees(page, 'Your Active Alerts');
    await isSound(page);
    await banner.getByRole('button', { name: 'Resume' }).tap();
    await banner.waitFor({ state: 'detached' });
    const { me } = await person.ask<{ me: { messagesPaused: boolean } }>('{ me { messagesPaused } }');
    expect(me.messagesPaused).toBe(false);
  });

  it('begins new alerts with the choice of the account, on a phone, and changes no alert that exists', {
    tags: 'long',
  }, async () => {
    const person = await newPerson();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/settings');
    await sees(page, 'How your next alert begins: At once by mail.');
    await page.getByRole('link', { name: 'Change New Alerts' }).tap();
    await arrivesAt(page, '/settings/new-alerts');
    const form = page.getByRole('form', { name: 'New alerts' });
    await form.getByText('At once by mail.', { exact: true }).waitFor();
    const id = await giveAlert(person);
    await fold(page).tap();
    await form.getByLabel('When', { exact: true }).selectOption({ label: 'Once a day' });
    await form.getByLabel('Quiet hours', { exact: true }).check();
    await isSound(page);
    await form.getByRole('button', { name: 'Save' }).tap();
    await seesToast(page, 'Saved', 'New alerts begin with this choice.');
    const words = 'Once a day at 08:00 by mail, never between 22:00 and 07:00.';
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).first().tap();
    await sees(page, `How your next alert begins: ${words}`);
    await page.goto('/create-alert');
    await sees(page, words);
    await page.goto(`/alert/${id}`);
    await details(page).tap();
    await sees(page, 'At once by mail.');
    await page.goto('/');
    await page.getByLabel('Make').selectOption({ label: 'Jaguar' });
    await page.getByLabel('Location').fill('Nome, AK');
    await page.getByRole('button', { name: 'Create my alert' }).tap();
    await arrivesAt(page, '/create-alert');
    await expect.poll(() => page.getByLabel('Make').inputValue()).toBe('jaguar');
    await sees(page, words);
  });

  it("fills Create Alert with another alert's values", { tags: 'long' }, async () => {
    const person = await newPerson();
    const quietHours = { from: '23:00', to: '06:00', days: [6, 0] };
    const id = await giveAlert(person, { radius: 25, quietHours });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await page.getByRole('link', { name: 'Make one like this' }).click();
    await arrivesAt(page, '/create-alert');
    await expect.poll(() => page.getByLabel('Model').inputValue()).toBe('f-type');
    expect(await page.getByLabel('Location').inputValue()).toBe('Nome, AK');
    expect(await page.getByLabel('Within').inputValue()).toBe('25');
    await sees(page, 'At once by mail, never between 23:00 and 06:00 on weekends.');
  });
});
