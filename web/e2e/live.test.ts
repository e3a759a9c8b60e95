import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { controlConnection } from './browser/faults.ts';
import { createAlertOn, newName, pushedCar, registerOn } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('live matches', () => {
  const browser = useBrowser();

  async function openAlert() {
    const first = await browser.open();
    const name = newName();
    await registerOn(first, name);
    await createAlertOn(first, 'Mazda', 'MX-5 Miata', 'Bozeman, MT');
    await first
      .getByRole('link', { name: /View matches/ })
      .first()
      .click();
    await first.waitForURL('**/alert/*');

    const second = await browser.open({ cookies: await first.context().cookies() });
    const connection = await controlConnection(second);
    await second.goto(new URL(first.url()).pathname);
    await second.getByRole('heading', { name: /Mazda/ }).first().waitFor();
    await expect.poll(() => connection.sockets()).toBeGreaterThan(0);
    return { first, second, ...connection };
  }

  /** A place without cars of other tests, since the backfill of the alert would find them. */
  const location = { reverse_geocode: { city: 'Bozeman', state: 'MT' } };
  const pushMiata = (title: string) =>
    pushItems('e2e', [pushedCar({ location, marketplace_listing_title: `2019 Mazda Miata · ${title}` })]);
  const car = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });

  it('appear in every open browser, once each, also after the socket was cut', async () => {
    const { first, second, cut, restore } = await openAlert();
    await pushMiata('One');
    await Promise.all([first, second].map((page) => car(page, 'Miata · One').waitFor()));

    cut();
    await second.getByText('Connection lost').waitFor();
    for (const title of ['Two', 'Three', 'Four']) {
      await pushMiata(title);
    }
    await car(first, 'Miata · Four').waitFor();
    expect(await car(second, 'Miata · Four').count()).toBe(0);
    restore();
    await car(second, 'Miata · Four').waitFor({ timeout: 40_000 });
    for (const title of ['One', 'Two', 'Three', 'Four']) expect(await car(second, `Miata · ${title}`).count()).toBe(1);
    await second.getByText('Connection lost').waitFor({ state: 'detached' });
    await first.getByText('4 matches').waitFor();
    await second.getByText('4 matches').waitFor();
  });
});
