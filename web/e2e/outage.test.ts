import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type CallFault, controlConnection, failing, INTERNAL_ERROR } from './browser/faults.ts';
import { waitUntilStill } from './browser/geometry.ts';
import { giveAlert, newPerson, someone } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, useBrowser } from './browser/support.ts';

/** The ways in which the calls of a page fail; pages take them in rotation. */
const FAULTS: CallFault[] = ['offline', 'bad-gateway', 'starting', INTERNAL_ERROR, 'html', 'cut-off', { status: 500 }];

/** Pages of text make no calls, so one of them is enough. */
const OPEN_PAGES = ['/', '/auth', '/contact', '/no-such-page'];
const MEMBER_PAGES = ['/dashboard', '/create-alert', '/my-alerts', '/settings', '/subscription', '/data-rights'];

describe.skipIf(!canBrowse)('while the server is down', () => {
  const browser = useBrowser();
  const header = (page: Page) => page.getByRole('banner').getByRole('link', { name: /LotWatch/ });
  const failed = (page: Page) => page.getByRole('main').getByRole('alert');

  it('each page reports it, keeps its header, and recovers by itself', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const places = [
      ...OPEN_PAGES.map((path) => ({ path, cookies: [] })),
      ...[...MEMBER_PAGES, `/alert/${id}`, `/edit-alert/${id}`].map((path) => ({ path, cookies: person.cookies })),
      { path: '/admin', cookies: someone('admin').cookies },
    ];
    const open = async ({ path, cookies }: (typeof places)[number], index: number) => {
      const page = await browser.open({ cookies });
      const recover = await failing(page, '*', FAULTS[index % FAULTS.length] ?? 'offline');
      await page.goto(path);
      await header(page).waitFor();
      // Pages without calls have nothing to report.
      if (cookies.length > 0 || path === '/') await failed(page).first().waitFor();
      await page.getByRole('contentinfo').waitFor();
      return { page, path, recover, isMember: cookies.length > 0 };
    };
    const down: Awaited<ReturnType<typeof open>>[] = [];
    // All at the same time would be too much for a small machine.
    const waiting = [...places.entries()];
    const openSome = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) down.push(await open(next[1], next[0]));
    };
    await Promise.all([openSome(), openSome(), openSome()]);
    await Promise.all(down.map(({ recover }) => recover()));
    await Promise.all(
      down.map(async ({ page, path, isMember }) => {
        await expect.poll(() => failed(page).count(), { timeout: 40_000, message: path }).toBe(0);
        await waitUntilStill(page);
        expect(new URL(page.url()).pathname).toBe(path);
        if (isMember) await page.getByRole('button', { name: /^Account menu of/ }).waitFor();
      }),
    );
  });

  it('loaded content stays, other pages report it, and all recover', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    const connection = await controlConnection(page);
    await page.goto('/dashboard');
    await sees(page, 'Your Active Alerts', 'No Matches Yet');
    await expect.poll(() => connection.sockets()).toBeGreaterThan(0);
    connection.cut();
    await sees(page, 'Connection lost. Trying again…', 'Your Active Alerts', 'No Matches Yet');
    // The code of this page was not loaded yet.
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Settings' }).click();
    await failed(page).first().waitFor();
    await main.getByRole('link', { name: 'Dashboard' }).click();
    await sees(page, 'Your Active Alerts');
    connection.restore();
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'detached', timeout: 40_000 });
    await main.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await arrivesAt(page, '/settings');
    expect(await failed(page).count()).toBe(0);
  });

  it('a server that never answers is distinguished from a slow one', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: someone('user').cookies, ownContext: true });
    await page.clock.install();
    const recover = await failing(page, ['Viewer', 'MyAlerts'], 'hanging');
    await page.goto('/dashboard');
    await header(page).waitFor();
    await page.clock.fastForward(10_000);
    expect(await failed(page).count()).toBe(0);
    await page.clock.fastForward(60_000);
    await failed(page).first().waitFor();
    await recover();
    await page.clock.fastForward(60_000);
    await page.clock.resume();
    await sees(page, 'No Alerts Set Up');
  });
});
