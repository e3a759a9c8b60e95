/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answering, failing, holding } from './browser/faults.ts';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { newPerson, type Person, pushedCar, someone } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';
import { preview } from './states/preview.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** An answer of the panel. */
const COUNTED = /^(No match|\d+ match(es)?)$/;

/** A car that the demo never lists. */
const sky = (city: string, state: string, price: string | null) =>
  pushedCar({
    marketplace_listing_title: '2008 Saturn Sky',
    location: { reverse_geocode: { city, state } },
    listing_price: price === null ? null : { amount: price, currency: 'USD' },
  });

async function untilCounted(person: Person, location: string, count: number): Promise<void> {
  const query = `query ($input: AlertInput!) { previewAlert(input: $input) { matchCount } }`;
  const input = { make: 'saturn', model: 'sky', location, radius: 100 };
  await expect
    .poll(
      async () =>
        (await person.ask<{ previewAlert: { matchCount: number } }>(query, { input })).previewAlert.matchCount,
      {
        timeout: 30_000,
      },
    )
    .toBe(count);
}

async function isSound(page: Page): Promise<void> {
  expect(await axeFaults(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
}

describe.skipIf(!canBrowse)('the preview of an alert', () => {
  const browser = useBrowser();
  const panel = (page: Page) => page.getByRole('region', { name: 'What this alert would bring' });
  const value = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();

  for (const [device, options, place] of [
    ['desktop', DESKTOP, { town: 'Eureka', beyond: 'Ely', state: 'NV' }],
    ['phone', PHONE, { town: 'Jordan', beyond: 'Miles City', state: 'MT' }],
  ] as const)
    it(`counts while one types, and takes a step that is undone by keyboard, on a ${device}`, async () => {
      const { town, beyond, state } = place;
      const person = await newPerson();
      await pushItems('e2e', [
        sky(town, state, '8000'),
        sky(town, state, '9500'),
        sky(town, state, '10500'),
        sky(town, state, null),
        sky(beyond, state, '9000'),
      ]);
      await untilCounted(person, `${town}, ${state}`, 5);
      const page = await browser.open({ ...options, cookies: person.cookies });
      await page.goto('/create-alert');
      await sees(
        page,
        'Choose a make and a place, and you see here what this alert would have brought in the last 30 days.',
      );
      await page.getByLabel('Make').selectOption('saturn');
      await page.getByLabel('Model').selectOption('sky');
      await page.getByLabel('Price to').fill('10000');
      await page.getByLabel('Location').fill(`${town}, ${state}`);
      await panel(page).getByText('2 matches', { exact: true }).waitFor();
      await panel(page).getByText(`from ${town}, ${state}`).waitFor();
      expect(await panel(page).getByRole('listitem').filter({ hasText: '2008 Saturn Sky' }).count()).toBe(2);
      await panel(page).getByText('$9,500').waitFor();
      await panel(page).getByRole('button', { name: '1 more within 100 miles' }).waitFor();
      await panel(page).getByRole('button', { name: '1 states no price: include it' }).waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: 'This alert would have brought 2 matches' })
        .waitFor({ state: 'attached' });
      await isSound(page);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/preview-${device}.png`, fullPage: true });

      await page.getByLabel('Location').focus();
      await tabTo(page, '1 more if the maximum were $1,000 higher');
      await page.keyboard.press('Enter');
      await expect.poll(() => value(page, 'Price to')).toBe('11,000');
      await panel(page).getByText('3 matches', { exact: true }).waitFor();
      await sees(page, 'The maximum is $11,000 now.');
      await expect.poll(() => focusedName(page)).toBe('Undo');
      await isSound(page);
      await page.keyboard.press('Enter');
      await expect.poll(() => value(page, 'Price to')).toBe('10,000');
      await panel(page).getByText('2 matches', { exact: true }).waitFor();
      await expect.poll(() => panel(page).evaluate((one) => one === document.activeElement)).toBe(true);
      await tabTo(page, 'Create Alert');
    });

  it('asks once for what is typed at a stretch, and gives up what it asked before', async () => {
    const page = await browser.open({ ...DESKTOP, cookies: someone('user').cookies, ownContext: true });
    const givenUp: string[] = [];
    page.on('requestfailed', (request) => givenUp.push(request.postDataJSON().operationName));
    await page.clock.install();
    await page.goto('/create-alert');
    await page.getByLabel('Make').selectOption('saturn');
    await page.getByLabel('Location').fill('Eureka, NV');
    await panel(page).getByText(COUNTED).waitFor();
    const release = await holding(page, 'PreviewAlert');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByLabel('Price to').fill('');
    await page.getByLabel('Price to').pressSequentially('12345');
    await page.clock.runFor(499);
    expect(release.calls()).toBe(0);
    await page.clock.runFor(1);
    await expect.poll(() => release.calls()).toBe(1);
    await page.getByLabel('Price to').fill('9000');
    await page.clock.runFor(500);
    await expect.poll(() => release.calls()).toBe(2);
    await expect.poll(() => givenUp).toEqual(['PreviewAlert']);
    release();
    await panel(page)
      .getByText(/^(No match|\d+ match(es)?)$/)
      .waitFor();
    await page.clock.resume();
  });

  it('neither takes the focus from the field in which one types, nor changes what was typed there', async () => {
    const page = await browser.open({ ...DESKTOP, cookies: someone('user').cookies });
    await answering(page, 'PreviewAlert', { previewAlert: preview });
    await page.goto('/create-alert');
    await page.getByLabel('Make').selectOption('honda');
    await page.getByLabel('Price to').fill('9000');
    const location = page.getByLabel('Location');
    await location.fill('Reno, NV');
    const step = panel(page).getByRole('button', { name: '9 more if the maximum were $1,000 higher' });
    await step.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Undo');
    await location.fill('');
    await panel(page)
      .getByText(/^Choose a place/)
      .waitFor();
    await location.pressSequentially('Reno, NV');
    await panel(page).getByText('1,000+ matches', { exact: true }).waitFor();
    await panel(page).getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(() => location.evaluate((one) => one === document.activeElement)).toBe(true);

    await expect.poll(() => panel(page).getAttribute('aria-busy')).toBe('false');
    const release = await holding(page, 'PreviewAlert');
    await page.getByLabel('Price to').fill('12000');
    await step.press('Enter');
    await expect.poll(() => value(page, 'Price to')).toBe('12,000');
    expect(await step.getAttribute('aria-disabled')).toBe('true');
    release();
    await expect.poll(() => panel(page).getAttribute('aria-busy')).toBe('false');
    await step.press('Enter');
    await expect.poll(() => value(page, 'Price to')).toBe('10,000');
  });

  it('says what is wrong with the form, and what the server refuses', async () => {
    const page = await browser.open({ ...DESKTOP, cookies: someone('user').cookies, ownContext: true });
    await page.clock.install();
    await page.goto('/create-alert');
    await page.getByLabel('Make').selectOption('saturn');
    await page.getByLabel('Location').fill('Qwxzyville');
    await panel(page).getByText("We couldn't find that place. Try a city and state, or a ZIP code.").waitFor();
    await page.getByLabel('Price from').fill('60000');
    await panel(page).getByText('The minimum is above the maximum.').waitFor();
    await page.getByLabel('Price from').fill('0');
    const mend = await failing(page, 'PreviewAlert', 'offline');
    await page.getByLabel('Location').fill('Eureka, NV');
    await panel(page)
      .getByText(/^The matches could not be counted\. We can't reach LotWatch\./)
      .waitFor();
    await isSound(page);
    await mend();
    await panel(page).getByRole('button', { name: 'Try Again' }).press('Enter');
    await panel(page).getByText(COUNTED).waitFor();

    const tooOften = { message: 'Too many tries.', extensions: { code: 'RATE_LIMITED' } };
    const body = JSON.stringify({ errors: [tooOften] });
    const refusal = { status: 429, body, contentType: 'application/graphql-response+json', retryAfter: 120 };
    const allow = await failing(page, 'PreviewAlert', refusal);
    await page.getByLabel('Price to').fill('8000');
    await panel(page)
      .getByText(/^LotWatch has counted very often for you in the last minute\./)
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await isSound(page);
    await allow();
    let calls = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('PreviewAlert')) calls += 1;
    });
    // It is counted again without a press, and not before the server allows it.
    await page.clock.fastForward(30_000);
    await panel(page)
      .getByText(/^LotWatch has counted very often/)
      .waitFor();
    expect(calls).toBe(0);
    await page.clock.fastForward(120_000);
    await panel(page).getByText(COUNTED).waitFor();
    expect(calls).toBe(1);
  });
});
