import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { someone } from './browser/people.ts';
import { canBrowse, seesToast, useBrowser } from './browser/support.ts';

const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' });
const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cookie-consent') ?? 'null') as unknown);
const choice = (analytics: boolean, preferences: boolean, marketing: boolean) => ({
  necessary: true,
  analytics,
  preferences,
  marketing,
  accepted: true,
});

describe.skipIf(!canBrowse)('the cookie banner', () => {
  const browser = useBrowser();

  it('asks a first-time visitor, by keyboard too, and stores the choice', async () => {
    const page = await browser.open({ firstTime: true });
    await page.goto('/terms');
    await banner(page).getByRole('button', { name: 'Preferences' }).press('Enter');
    const toggles = () =>
      banner(page)
        .getByRole('switch')
        .evaluateAll((all) => all.map((one) => [one.ariaLabel, (one as HTMLInputElement).checked]));
    await expect.poll(toggles).toEqual([
      ['Necessary', true],
      ['Analytics', true],
      ['Preferences', true],
      ['Marketing', false],
    ]);
    expect(await banner(page).getByRole('switch', { name: 'Necessary' }).isDisabled()).toBe(true);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(() => focused()).toBe('Cookie Preferences');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Preferences');
    await page.keyboard.press('Enter');
    await banner(page).getByRole('switch', { name: 'Analytics' }).press('Space');
    expect(await stored(page)).toBeNull();
    await banner(page).getByRole('button', { name: 'Save Preferences' }).press('Enter');
    await banner(page).waitFor({ state: 'detached' });
    expect(await stored(page)).toEqual(choice(false, true, false));
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');

    await page.goto('/privacy-policy');
    await page.getByText('You allow: necessary, preferences.').waitFor();
    expect(await banner(page).count()).toBe(0);
    const change = page.getByRole('button', { name: 'Change your choice' });
    for (const [answer, choices] of [
      ['Accept All', choice(true, true, true)],
      ['Necessary Only', choice(false, false, false)],
    ] as const) {
      await change.click();
      await expect.poll(() => banner(page).evaluate((frame) => frame === document.activeElement)).toBe(true);
      await banner(page).getByRole('button', { name: answer }).click();
      await expect.poll(() => stored(page)).toEqual(choices);
    }
    for (const [answer, choices] of [
      ['Accept All', choice(true, true, true)],
      ['Accept Necessary Only', choice(false, false, false)],
    ] as const) {
      await change.click();
      await banner(page).getByRole('button', { name: 'Preferences' }).click();
      await banner(page).getByRole('button', { name: answer }).click();
      await expect.poll(() => stored(page)).toEqual(choices);
    }
  });

  it('is one line and one row of buttons on a phone', async () => {
    const page = await browser.open({ firstTime: true, viewport: { width: 320, height: 568 }, isMobile: true });
    await page.goto('/terms');
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 700 });
      expect((await banner(page).boundingBox())?.height).toBeLessThanOrEqual(112);
      const boxes = await banner(page)
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => [top, height]));
      expect(boxes).toHaveLength(3);
      expect(new Set(boxes.map(([top]) => top)).size).toBe(1);
      for (const [, height = 0] of boxes) expect(height).toBeGreaterThanOrEqual(44);
    }
  });

  it('covers neither the bar, the footer, the focus nor a toast on a phone', async () => {
    const page = await browser.open({
      firstTime: true,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto('/contact');
    await banner(page).waitFor();
    const top = async () => (await banner(page).boundingBox())?.y ?? 0;
    const end = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    const bar = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox();
    // Neither below the bar nor with a slit above it.
    expect(Math.abs((await end('section[aria-label=Cookies]')) - (bar?.y ?? 0))).toBeLessThan(0.5);
    await page.getByRole('button', { name: 'Send Message' }).focus();
    expect(await end('main form [type=submit]')).toBeLessThanOrEqual(await top());
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect(await end('footer')).toBeLessThanOrEqual((await top()) + 1);
    for (const name of ['name', 'subject', 'message']) await page.locator(`[name=${name}]`).fill('x');
    await page.getByLabel('Email').fill('x@example.com');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await seesToast(page, 'Message sent!', 'Thank you for your message. We answer to x@example.com.');
    expect(await end('[aria-label="Notifications (F8)"]')).toBeLessThanOrEqual(await top());
  });

  it('keeps the choice of light or dark for the visit only, until preferences are allowed', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ firstTime: true });
    const mode = (of: Page) => of.evaluate(() => document.documentElement.className);
    const kept = (of: Page) => of.evaluate(() => localStorage.getItem('lotwatch-colour-mode'));
    const another = async () => {
      const tab = await page.context().newPage();
      await tab.goto('/terms');
      return tab;
    };
    await page.goto('/terms');
    await banner(page).getByRole('button', { name: 'Necessary Only' }).click();
    await page.getByRole('button', { name: 'Switch to dark mode' }).click();
    await expect.poll(() => mode(page)).toContain('dark');
    await page.reload();
    expect([await mode(page), await kept(page)]).toEqual([expect.stringContaining('dark'), null]);
    expect(await mode(await another())).toContain('light');

    await page.goto('/privacy-policy');
    await page.getByRole('button', { name: 'Change your choice' }).click();
    await banner(page).getByRole('button', { name: 'Accept All' }).click();
    expect(await kept(page)).toBe('dark');
    expect(await mode(await another())).toContain('dark');
  });

  it('comes back after Review Cookie Settings, and the list names everything that the browser stores', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ cookies: someone('user').cookies });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Switch to dark mode' }).click();
    await page.getByRole('button', { name: 'Review Cookie Settings' }).click();
    await banner(page).getByRole('button', { name: 'Accept All' }).click();
    await page.goto('/');
    await page.getByRole('button', { name: 'Create my alert' }).waitFor();
    await page.goto('/privacy-policy');
    await page.getByText('You allow: necessary, analytics, preferences, marketing.').waitFor();
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    expect(keys).toContain('lotwatch-colour-mode');
    expect(cookies).toEqual(['lotwatch_session']);
    const names = [...keys, ...cookies].map((name) => name.replace(/-\d+$/, '-…'));
    const listed = await page.locator('main code').allTextContents();
    expect(listed).toEqual(expect.arrayContaining(names));
  });
});
