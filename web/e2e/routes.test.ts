import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { holding } from './browser/faults.ts';
import { giveAlert, newPerson, PASSWORD, type Person, someone } from './browser/people.ts';
import { canBrowse, newVisitor, openBrowser, watchPage } from './browser/support.ts';

type Who = 'visitor' | 'user' | 'admin';
type Size = 'phone' | 'desktop';

interface Route {
  path: string;
  /** The level-1 heading and the document's title, without ' | LotWatch'. */
  h1: string | RegExp;
  title: string | RegExp;
}

/** `{alert}` is an alert of the user. */
const member: readonly Route[] = [
  { path: '/dashboard', h1: /^Good (morning|afternoon|evening), /, title: 'Dashboard' },
  { path: '/my-alerts', h1: 'My Alerts', title: 'My Alerts' },
  { path: '/alert/{alert}', h1: 'Jaguar F-Type', title: 'Jaguar F-Type' },
  { path: '/create-alert', h1: 'Create Car Alert', title: 'Create Car Alert' },
  { path: '/edit-alert/{alert}', h1: 'Edit Car Alert', title: 'Edit Car Alert' },
  { path: '/notifications', h1: 'Notifications', title: 'Notifications' },
  { path: '/share-target?text=none', h1: 'A car you shared', title: 'A car you shared' },
  { path: '/saved', h1: 'Saved Cars', title: 'Saved Cars' },
  { path: '/compare', h1: 'Compare Cars', title: 'Compare Cars' },
  { path: '/settings', h1: 'Settings', title: 'Settings' },
  { path: '/settings/new-alerts', h1: 'New alerts', title: 'New alerts' },
  { path: '/settings/devices', h1: 'Devices', title: 'Devices' },
  { path: '/settings/two-step', h1: 'Two-step sign-in', title: 'Two-step sign-in' },
  { path: '/settings/shared-links', h1: 'Shared Links', title: 'Shared Links' },
  { path: '/subscription', h1: 'Subscription', title: 'Subscription' },
  { path: '/subscription-success?session_id=none', h1: /payment/, title: 'Payment' },
  { path: '/data-rights', h1: 'Your Data Rights', title: 'Your Data Rights' },
  { path: '/admin', h1: 'Admin Panel', title: 'Admin Panel' },
];

const open: readonly Route[] = [
  { path: '/', h1: /dream car/, title: /dream car/ },
  { path: '/auth', h1: /next car/, title: 'Sign in' },
  { path: '/privacy', h1: 'Privacy Policy', title: 'Privacy Policy' },
  { path: '/terms', h1: 'Terms of Service', title: 'Terms of Service' },
  { path: '/contact', h1: 'Contact Us', title: 'Contact Us' },
  { path: '/status', h1: 'Status', title: 'Status' },
  { path: '/privacy-policy', h1: 'Cookies and Stored Data', title: 'Cookies and Stored Data' },
  { path: '/contact-us', h1: 'Contact Sales', title: 'Contact Sales' },
  { path: '/forgot-password', h1: 'Forgot your password?', title: 'Forgot your password?' },
  { path: '/reset-password/none', h1: 'Set a new password', title: 'Set a new password' },
  { path: '/shared/none', h1: 'This link does not work', title: 'This link does not work' },
  { path: '/nowhere', h1: '404 Page Not Found', title: '404 Page Not Found' },
];

const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
};

/** The time that a page may take on a busy machine. */
const TIMEOUT_MS = 10_000;

interface Found {
  path: string;
  h1: string;
  title: string;
  /** The targets of the side navigation and of the bottom bar; null where it isn't visible. */
  side: string[] | null;
  bottom: string[] | null;
}

const READ = `(() => {
  const linksOf = (name) => {
    const nav = document.querySelector('nav[aria-label="' + name + '"]');
    return nav?.checkVisibility() ? [...nav.querySelectorAll('a')].map((link) => link.getAttribute('href')) : null;
  };
  return {
    path: location.pathname,
    h1: [...document.querySelectorAll('h1')].map((one) => one.textContent).join(' + '),
    title: document.title.replace(/ [|·–-] LotWatch$/, ''),
    side: linksOf('Main'),
    bottom: linksOf('Quick navigation'),
  };
})()`;

const sideOf = (who: Who) => ['/dashboard', '/my-alerts', '/settings', ...(who === 'admin' ? ['/admin'] : [])];
const bottomOf = (who: Who) => (who === 'visitor' ? ['/', '/auth'] : ['/dashboard', '/my-alerts', '/create-alert']);

/** The heading and title for this user: an alert of another user is not found, and the admin's page is refused. */
function shownTo(who: Who, route: Route): Pick<Route, 'h1' | 'title'> {
  if (who === 'admin' && route.path === '/alert/{alert}') return { h1: 'Alert', title: 'Error loading alert details' };
  if (who === 'user' && route.path === '/admin') return { h1: 'Access Denied', title: 'Access Denied' };
  return route;
}

const bare = (path: string): string => path.split('?')[0] ?? path;
const routeOf = (path: string) =>
  [...open, ...member].find((route) => route.path === path) ?? { path, h1: '', title: '' };

/** The expected result of a visit. */
function expectedOf(route: Route, who: Who, size: Size, alert: string) {
  const isMember = member.includes(route);
  const sentTo =
    who === 'visitor' && isMember ? '/auth' : who !== 'visitor' && route.path === '/auth' ? '/dashboard' : null;
  const shown = sentTo ? routeOf(sentTo) : shownTo(who, route);
  const path = sentTo ?? bare(route.path.replace('{alert}', alert));
  const isInside = who !== 'visitor' && (isMember || sentTo !== null);
  return {
    path,
    h1: typeof shown.h1 === 'string' ? shown.h1 : expect.stringMatching(shown.h1),
    title: typeof shown.title === 'string' ? shown.title : expect.stringMatching(shown.title),
    side: size === 'desktop' && isInside ? sideOf(who) : null,
    bottom: size === 'phone' && path !== '/' && path !== '/auth' ? bottomOf(who) : null,
  };
}

const routes = [...open, ...member];

/** A page by id, one that leads to the login late, one with a query, and a page of settings. */
const returned = ['/alert/{alert}', '/data-rights', '/subscription-success?session_id=none', '/settings/two-step'];
const isReturned = ({ path }: Route): boolean => returned.includes(path);
const casesOf = (who: Who, some: readonly Route[]) =>
  some.flatMap((route) => (['phone', 'desktop'] as const).map((size) => ({ path: route.path, who, size, route })));

describe.skipIf(!canBrowse)('every route', () => {
  let browser: Browser;
  let user: Person;
  let alert = '';
  const found = new Map<string, Found>();
  const returns = new Map<string, string>();
  const pageErrors: string[] = [];

  /** Reads a page once it is as expected, or the time is over. */
  async function read(page: Page, route: Route, who: Who, size: Size): Promise<Found> {
    const expected = expectedOf(route, who, size, alert);
    for (const end = Date.now() + TIMEOUT_MS; ; await sleep(25)) {
      const now = await page.evaluate<Found>(READ).catch(() => undefined);
      if (now && (Date.now() > end || isLike(now, expected))) return now;
    }
  }

  /** As `toEqual`, which would describe the difference each time. */
  const isLike = (now: Found, expected: ReturnType<typeof expectedOf>): boolean =>
    (Object.keys(now) as (keyof Found)[]).every((key) => {
      const wanted: unknown = expected[key];
      const isPattern = typeof wanted === 'object' && wanted !== null && 'asymmetricMatch' in wanted;
      return isPattern
        ? (wanted as { asymmetricMatch(value: unknown): boolean }).asymmetricMatch(now[key])
        : isDeepStrictEqual(now[key], wanted);
    });

  /** Signs in on the /auth to which a page led, and out again. @returns the page after signing in */
  async function signIn(page: Page): Promise<string> {
    await page.locator('[name=username]').fill(user.name);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('main form [type=submit]').click();
    await page.waitForURL((url) => url.pathname !== '/auth');
    const { pathname } = new URL(page.url());
    // Calls of the page that are still running would be refused without the session.
    await page.goto('about:blank');
    await page.context().request.post('/graphql', { data: { query: 'mutation { logout }' } });
    // A late answer may set the cookie again, although its session has ended.
    await page.context().clearCookies();
    return pathname;
  }

  /** Opens pages as a visitor, who is led to /auth and signs in there. */
  async function signInFrom(pages: readonly Route[]): Promise<void> {
    const context = await newVisitor(browser, { reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    const faults = watchPage(page);
    for (const { path } of pages) {
      await page.goto(path.replace('{alert}', alert), { waitUntil: 'commit' });
      returns.set(path, await signIn(page).catch(String));
    }
    pageErrors.push(...faults.map((fault) => `who signs in: ${fault}`));
    await context.close();
  }

  async function visitAll(who: Who, some: readonly Route[]): Promise<void> {
    const context = await newVisitor(browser, { reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (who !== 'visitor') await context.addCookies((who === 'user' ? user : someone('admin')).cookies);
    const page = await context.newPage();
    const faults = watchPage(page);
    for (const [index, route] of some.entries()) {
      const sizes: Size[] = index % 2 === 0 ? ['desktop', 'phone'] : ['phone', 'desktop'];
      for (const size of sizes) {
        await page.setViewportSize(screens[size].viewport);
        if (size === sizes[0]) await page.goto(route.path.replace('{alert}', alert), { waitUntil: 'commit' });
        found.set(`${who} ${size} ${route.path}`, await read(page, route, who, size));
      }
    }
    pageErrors.push(...faults.map((fault) => `${who}: ${fault}`));
    await context.close();
  }

  beforeAll(async () => {
    browser = await openBrowser();
    user = await newPerson();
    alert = await giveAlert(user);
  });

  function opens(who: Who, some: readonly Route[]): void {
    beforeAll(() => visitAll(who, some));

    it.each(casesOf(who, some))('$path as a $who on a $size', ({ size, route }) => {
      expect(found.get(`${who} ${size} ${route.path}`)).toEqual(expectedOf(route, who, size, alert));
    });
  }
  describe('of a visitor', () => opens('visitor', open));
  describe('of a user', () => opens('user', member));
  // Those that need a login are opened below, too.
  describe('of the others', { tags: 'long' }, () => {
    opens('visitor', member);
    opens('user', open);
    opens('admin', routes);
  });

  function returnsTo(pages: readonly Route[]): void {
    beforeAll(() => signInFrom(pages));

    it.each(pages)('after the login a visitor returns to $path', ({ path }) => {
      expect(returns.get(path)).toBe(bare(path.replace('{alert}', alert)));
    });
  }
  describe('that needs a login', () => returnsTo(member.filter(isReturned)));
  describe('of the others that need one', { tags: 'long' }, () =>
    returnsTo(member.filter((route) => !isReturned(route))),
  );

  it('causes no script errors or console output', () => expect(pageErrors).toEqual([]));

  it('shows a spinner while the user is loading, and then the requested page', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const release = await holding(page, 'Viewer');
    await page.goto('/settings');
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings');
    release();
    await page.waitForURL('**/auth');
    await context.close();
  });

  it("leads only the admin to the admin's page, in the phone's menu too", { tags: 'long' }, async () => {
    for (const [who, count] of [
      [user, 0],
      [someone('admin'), 1],
    ] as const) {
      const context = await newVisitor(browser, screens.phone);
      await context.addCookies(who.cookies);
      const page = await context.newPage();
      await page.goto('/settings');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).waitFor();
      expect(await page.getByRole('link', { name: 'Admin Panel' }).count()).toBe(count);
      await context.close();
    }
  });
});
