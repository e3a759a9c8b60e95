import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answering, holding } from './browser/faults.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser, type VisitorOptions } from './browser/support.ts';
import { MAX_SHIFT } from './states/visits/check-states.ts';
import { atMost, type Layout, READ_LAYOUT, RECORD_SHIFTS, STABLE } from './states/visits/page-scripts.ts';

/** Waits until the last answer is drawn, and delayed skeletons are shown. */
const DRAWN = atMost(`(async () => {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
  await Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < 1e4).map(({ finished }) => finished));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`);

const asks = (operation: string) => (request: { postData(): string | null }) =>
  request.postData()?.includes(`"operationName":"${operation}"`) ?? false;

/** Opens a page whose answers arrive in this order, each drawn before the next. */
async function openInOrder(page: Page, path: string, order: readonly string[]): Promise<Layout> {
  await page.addInitScript(RECORD_SHIFTS);
  const held = [];
  for (const operation of order) held.push({ operation, release: await holding(page, operation) });
  await page.goto(path);
  for (const { operation, release } of held) {
    await expect.poll(() => release.calls()).toBeGreaterThan(0);
    await page.evaluate(DRAWN);
    const answered = page.waitForEvent('requestfinished', asks(operation));
    release();
    await answered;
  }
  await page.evaluate(DRAWN);
  return page.evaluate<Layout>(READ_LAYOUT);
}

/** Facts of the installation with all figures, which a new LotWatch does not have. */
const site = {
  __typename: 'Site',
  testMode: true,
  confirmEmail: false,
  supportEmail: 'support@example.com',
  carsSeenLastHour: 7,
  lastCheckedAt: new Date().toISOString(),
  lateSources: 0,
  medianSecondsToMail: 2.5,
  checkEverySeconds: 60,
};

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe.skipIf(!canBrowse)('a page has no layout shift, whichever answer is late', { tags: 'long' }, () => {
  const browser = useBrowser();

  it.each([
    [['AlertQuota', 'Catalogue', 'CurrentSubscription']],
    [['CurrentSubscription', 'AlertQuota', 'Catalogue']],
    [['Catalogue', 'CurrentSubscription', 'AlertQuota']],
  ])('the create form of someone at the limit: %j', async (order) => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    const { shift, shiftedMost } = await openInOrder(page, '/create-alert', order);
    expect(await page.getByRole('status', { name: 'Alert Limit Reached' }).count()).toBe(1);
    expect(shift, shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
  });

  it.each([
    ['AlertPage', 'AlertMatches', 'Site'],
    ['Site', 'AlertPage', 'AlertMatches'],
  ])("an alert's page on a small phone: %s, %s, %s", async (...order) => {
    const person = await newPerson();
    const path = `/alert/${await giveAlert(person)}`;
    const page = await browser.open({ cookies: person.cookies, ...phone, viewport: { width: 320, height: 640 } });
    await answering(page, 'Site', { site });
    const { shift, shiftedMost } = await openInOrder(page, path, order);
    expect(await page.getByText(/last checked/).count()).toBe(1);
    expect(shift, shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
  });
});

describe.skipIf(!canBrowse)('a page of text on a phone', () => {
  const browser = useBrowser();

  it('has no layout shift when its fonts load late', async () => {
    const page = await browser.open(phone);
    const { promise: drawn, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/*.woff2', (route) => drawn.then(() => route.continue()));
    let came = 0;
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('.woff2')) came += 1;
    });
    await page.addInitScript(RECORD_SHIFTS);
    await page.goto('/privacy', { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(DRAWN);
    // Chromium attributes shifts in the half second after a resize to the resize.
    await sleep(700);
    release();
    await expect.poll(() => came).toBe(2);
    await page.evaluate(STABLE);
    await page.evaluate(DRAWN);
    const { shift, shiftedMost } = await page.evaluate<Layout>(READ_LAYOUT);
    expect(shift, shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
  });
});

describe.skipIf(!canBrowse)('a car that arrives live', () => {
  const browser = useBrowser();

  it('moves the others smoothly: the dashboard of a phone', () => movesSmoothly('Bettles', () => '/dashboard', phone));
  it('moves the others smoothly: the alert on a phone', { tags: 'long' }, () =>
    movesSmoothly('King Salmon', (id) => `/alert/${id}`, phone),
  );
  describe('on a desktop', { tags: 'long' }, () => {
    it('moves the others smoothly: the dashboard', () => movesSmoothly('Point Hope', () => '/dashboard'));
    it('moves the others smoothly: the alert', () => movesSmoothly('Cold Bay', (id) => `/alert/${id}`));
  });

  async function movesSmoothly(
    town: string,
    pathOf: (id: string) => string,
    device: VisitorOptions = {},
  ): Promise<void> {
    const person = await newPerson();
    const id = await giveAlert(person, { location: `${town}, AK` });
    await pushItems('e2e', [rareCar(town, 'First'), rareCar(town, 'Second')]);
    const page = await browser.open({ cookies: person.cookies, reducedMotion: 'no-preference', ...device });
    await page.addInitScript(RECORD_SHIFTS);
    const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto(pathOf(id));
    await page.getByRole('article').nth(1).waitFor();
    await live;
    await page.evaluate(DRAWN);
    await page.evaluate('layoutShifts.length = 0');
    for (const title of ['Third', 'Fourth']) {
      await pushItems('e2e', [rareCar(town, title)]);
      await page.getByRole('article').filter({ hasText: title }).waitFor();
      await page.evaluate(DRAWN);
    }
    const { shift, shiftedMost } = await page.evaluate<Layout>(READ_LAYOUT);
    expect(shift, shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
  }
});
