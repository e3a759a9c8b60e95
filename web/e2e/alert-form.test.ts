import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { giveAlert, newPerson, someone } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, seesToast, useBrowser } from './browser/support.ts';

const SMS_REFUSED =
  'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.';
const LIMIT_REFUSED =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";
const NO_SUCH_ALERT = "We couldn't find the alert you're looking for. Please try again or create a new alert.";

/** Waits for the next call of this operation. @returns its variables */
async function sentBy(page: Page, operation: string, act: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const isIt = (request: Request) => request.postData()?.includes(`"operationName":"${operation}"`) ?? false;
  const [request] = await Promise.all([page.waitForRequest(isIt), act()]);
  const body = JSON.parse(request.postData() ?? '{}') as { variables: { input: Record<string, unknown> } };
  return body.variables.input;
}

describe.skipIf(!canBrowse)('the alert form', () => {
  const browser = useBrowser();
  const model = (page: Page) => page.getByLabel('Model');
  const submit = (page: Page) => page.getByRole('form').getByRole('button', { name: 'Create Alert' });
  const choose = (page: Page, make: string) => page.getByLabel('Make').selectOption({ label: make });

  async function openForm({ cookies } = someone('user')): Promise<Page> {
    const page = await browser.open({ cookies });
    await page.goto('/create-alert');
    await page.getByLabel('Make').waitFor();
    return page;
  }

  it("starts from the spec's defaults and catalogues", async () => {
    const page = await openForm();
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect.poll(() => value('Within')).toBe('50');
    expect(await value('Price from')).toBe('0');
    expect(await value('Price to')).toBe('50,000');
    await expect.poll(() => value('Color')).toBe('any');
    expect(await page.getByLabel('Email notifications').isChecked()).toBe(true);
    expect(await page.getByLabel('Text notifications').isChecked()).toBe(false);
    expect(await page.getByLabel('Only listings with images').isChecked()).toBe(true);
    const options = (label: string) => page.getByLabel(label, { exact: true }).locator('option[value]:not([value=""])');
    await expect.poll(() => options('Make').count()).toBe(42);
    const year = new Date().getFullYear();
    expect(await options('From year').allTextContents()).toEqual(
      Array.from({ length: 31 }, (_, index) => String(year - index)),
    );
    const attributes = (label: string) =>
      options(label).evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(await attributes('Within')).toEqual(['5', '10', '25', '50', '100', 'any']);
    expect(await attributes('Color')).toEqual(
      'any black white silver gray blue red green yellow orange brown gold beige purple other'.split(' '),
    );
    await sees(page, "A car without a stated price won't match. Clear the prices to include it.");
  });

  it('offers only the models of the chosen make', { tags: 'long' }, async () => {
    const page = await openForm();
    expect(await model(page).isDisabled()).toBe(true);
    await choose(page, 'Tesla');
    await expect.poll(() => model(page).isEnabled()).toBe(true);
    await model(page).selectOption('model-3');
    await choose(page, 'Toyota');
    await expect.poll(() => model(page).inputValue()).toBe('');
    expect(await model(page).locator('option[value="camry"]').count()).toBe(1);
    expect(await model(page).locator('option[value="model-3"]').count()).toBe(0);
  });

  it('says what is missing and which ranges are crossed', { tags: 'long' }, async () => {
    const page = await openForm();
    await page.getByLabel('Within').selectOption('');
    await submit(page).click();
    await sees(page, 'Car make is required', 'Location is required', 'Distance radius is required');
    expect(await page.getByRole('img', { name: 'error' }).count()).toBe(3);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('make');
    await page.getByLabel('From year').selectOption('2021');
    await page.getByLabel('To year').selectOption('2020');
    await page.getByLabel('Price from').fill('50001');
    await submit(page).click();
    const crossed = page.getByText('The minimum is above the maximum.');
    await expect.poll(() => crossed.count()).toBe(4);
    await page.getByLabel('To year').selectOption('2021');
    await page.getByLabel('Price from').fill('50000');
    await expect.poll(() => crossed.count()).toBe(0);
  });

  it('accepts only an empty price or whole dollars from 0 up', { tags: 'long' }, async () => {
    const page = await openForm();
    const price = page.getByLabel('Price to');
    for (const [keys, held] of [
      ['-5', '5'],
      ['abc', ''],
      ['12e3', '123'],
      ['$18,000', '18,000'],
      ['0', '0'],
    ] as const) {
      await price.fill('');
      await price.pressSequentially(keys);
      await expect.poll(() => price.inputValue()).toBe(held);
    }
  });

  it('shows a price with commas and keeps the caret at its digit, also for a keyboard that composes', async () => {
    const page = await openForm();
    const price = page.getByLabel('Price to');
    await price.click();
    await price.press('Home');
    const shown = () =>
      price.evaluate((one: HTMLInputElement) => {
        const at = one.selectionStart ?? 0;
        return `${one.value.slice(0, at)}|${one.value.slice(at)}`;
      });
    for (const [key, expected] of [
      ['ArrowRight', '5|0,000'],
      ['2', '52|0,000'],
      ['Backspace', '5|0,000'],
      ['Delete', '5|,000'],
      ['Delete', '5|00'],
      ['x', '5|00'],
      ['End', '500|'],
      ['0', '5,000|'],
      ['Home', '|5,000'],
      ['ArrowRight', '5|,000'],
      ['ArrowRight', '5,|000'],
      ['Backspace', '|0'],
    ] as const) {
      await price.press(key);
      expect([key, await shown()]).toEqual([key, expected]);
    }
    await price.fill('$18,000');
    expect(await shown()).toBe('18,000|');
    // As Android's keyboards do: the text under composition is left alone until it is given.
    const composing = await page.context().newCDPSession(page);
    await price.press('End');
    await composing.send('Input.imeSetComposition', { text: '5', selectionStart: 1, selectionEnd: 1 });
    expect(await shown()).toBe('18,0005|');
    await composing.send('Input.insertText', { text: '5' });
    expect(await shown()).toBe('180,005|');
  });

  it("refuses a place that can't be found, and keeps what was typed", { tags: 'long' }, async () => {
    const page = await openForm(await newPerson());
    await choose(page, 'Toyota');
    await page.getByLabel('Location').fill('Xyzzyville Qqq');
    await submit(page).click();
    await sees(page, "We couldn't find that place. Try a city and state, or a ZIP code.");
    expect(new URL(page.url()).pathname).toBe('/create-alert');
    expect(await page.getByLabel('Location').inputValue()).toBe('Xyzzyville Qqq');
    await page.getByLabel('Location').fill('Portl');
    await page.getByRole('option', { name: 'Portland, OR' }).click();
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('Portland, OR');
    await submit(page).click();
    await arrivesAt(page, '/my-alerts');
  });

  it("creates an alert, 'any' as 100 miles, and refuses a second one on Free", async () => {
    const page = await openForm(await newPerson());
    await choose(page, 'Toyota');
    await model(page).selectOption('camry');
    await page.getByLabel('Location').fill('90012');
    await page.getByLabel('Within').selectOption('any');
    await page.getByLabel('Price to').fill('');
    const sent = await sentBy(page, 'CreateAlert', () => submit(page).click());
    expect(sent).toEqual({
      make: 'toyota',
      model: 'camry',
      location: '90012',
      radius: 100,
      priceMin: 0,
      color: 'any',
      onlyWithImages: true,
      emailNotifications: true,
      textNotifications: false,
      pushNotifications: false,
      delivery: 'instant',
      digestHour: 8,
      priceDrops: true,
      belowFairPrice: false,
    });
    await arrivesAt(page, '/my-alerts');
    await seesToast(page, 'Alert created', 'Your new alert has been created successfully.');
    await page.getByRole('heading', { name: 'Toyota Camry' }).waitFor();

    await page.getByRole('link', { name: 'New Alert', exact: true }).click();
    await arrivesAt(page, '/create-alert');
    const banner = page.getByRole('status', { name: 'Alert Limit Reached' });
    await banner
      .getByText("You've reached the maximum number of alerts for your current subscription plan (1 of 1).")
      .waitFor();
    await choose(page, 'Honda');
    await page.getByLabel('Location').fill('90012');
    await submit(page).click();
    await seesToast(page, 'Subscription Limit Reached', LIMIT_REFUSED);
    expect(new URL(page.url()).pathname).toBe('/create-alert');
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.reload();
    await banner.getByRole('link', { name: 'Upgrade Subscription' }).click();
    await arrivesAt(page, '/subscription');

    await sees(page, '1 of 1 used · Upgrade');
    await page.getByRole('link', { name: 'New Alert', exact: true }).click();
    await choose(page, 'Honda');
    await page.getByLabel('Location').fill('90012');
    await page.getByRole('button', { name: 'Pause Toyota Camry and create this' }).click();
    await arrivesAt(page, '/my-alerts');
    const isOn = (name: RegExp) => page.getByRole('switch', { name }).isChecked();
    await expect.poll(() => isOn(/Honda/)).toBe(true);
    expect(await isOn(/Toyota Camry/)).toBe(false);
  });

  it('keeps the button above the bottom bar of a phone while one fills the form', async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 }, cookies: someone('user').cookies });
    await page.goto('/create-alert');
    const bottomOf = async () => {
      const box = await submit(page).boundingBox();
      return box ? Math.round(box.y + box.height) : 0;
    };
    await page.getByLabel('Make').waitFor();
    const bar = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox();
    for (const y of [0, 400, 800]) {
      await page.evaluate((top) => scrollTo(0, top), y);
      expect(await bottomOf()).toBeGreaterThan((bar?.y ?? 0) - 30);
      expect(await bottomOf()).toBeLessThanOrEqual(bar?.y ?? 0);
    }
  });

  it('keeps text notifications for paid plans', { tags: 'long' }, async () => {
    const page = await openForm();
    await sees(page, 'Upgrade to a paid plan to enable SMS notifications.');
    const box = page.getByLabel('Text notifications');
    expect(await box.getAttribute('aria-disabled')).toBe('true');
    await box.click({ force: true });
    await seesToast(page, 'Premium Feature', SMS_REFUSED);
    expect(await box.isChecked()).toBe(false);
  });

  it('leads home on Cancel', { tags: 'long' }, async () => {
    const page = await openForm();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await arrivesAt(page, '/');
  });

  it('edits an alert: prefilled, and an emptied field clears its value', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, {
      yearMin: 2014,
      yearMax: 2020,
      color: 'red',
      radius: 25,
      onlyWithImages: false,
    });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/edit-alert/${id}`);
    await page.getByRole('heading', { name: 'Edit Car Alert' }).waitFor();
    await sees(page, 'Update your alert for Jaguar F-Type');
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    const held = async () =>
      Promise.all(
        ['Make', 'Model', 'From year', 'To year', 'Location', 'Within', 'Price from', 'Price to', 'Color'].map(value),
      );
    await expect.poll(held).toEqual(['jaguar', 'f-type', '2014', '2020', 'Nome, AK', '25', '0', '50,000', 'red']);
    expect(await page.getByLabel('Only listings with images').isChecked()).toBe(false);

    await model(page).selectOption('');
    await page.getByLabel('From year').selectOption('');
    await page.getByLabel('Price to').fill('');
    await page.getByLabel('Color').selectOption('any');
    await page.getByRole('button', { name: 'Update Alert' }).click();
    await arrivesAt(page, '/my-alerts');
    await seesToast(page, 'Alert updated', 'Your alert has been updated successfully.');
    await sees(page, 'Any – 2020 · $0 – Any');
    const { alert } = await person.ask<{ alert: unknown }>(
      `{ alert(id: ${id}) { model yearMin yearMax priceMin priceMax color radius } }`,
    );
    expect(alert).toEqual({
      model: null,
      yearMin: null,
      yearMax: 2020,
      priceMin: 0,
      priceMax: null,
      color: 'any',
      radius: 25,
    });
    await page.goto(`/edit-alert/${id}`);
    await expect.poll(held).toEqual(['jaguar', '', '', '2020', 'Nome, AK', '25', '0', '', 'any']);
  });

  it("shows nothing of another's alert, nor of one that isn't there", { tags: 'long' }, async () => {
    const foreign = await giveAlert(await newPerson());
    const page = await browser.open({ cookies: someone('user').cookies });
    for (const id of [foreign, '999999999', 'camry']) {
      await page.goto(`/edit-alert/${id}`);
      await sees(page, 'Error loading alert', NO_SUCH_ALERT);
      expect(await page.getByRole('button', { name: 'Try Again' }).count()).toBe(0);
    }
  });
});
