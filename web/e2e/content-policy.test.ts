import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntilStill } from './browser/geometry.ts';
import { giveAlert, newPerson, type Person, rareCar, someone } from './browser/people.ts';
import { canBrowse, lotWatch, pushItems, useBrowser } from './browser/support.ts';

const TOWN = 'Nuiqsut';
const OPEN_PAGES = ['/', '/auth', '/privacy', '/terms', '/contact', '/forgot-password', '/nowhere', '/api/docs'];

interface Violation {
  directive: string;
  blocked: string;
}

/** Collects what the policy refuses from now on, on each page that is opened. */
async function collectViolations(page: Page): Promise<Violation[]> {
  const violations: Violation[] = [];
  await page.exposeFunction('reportViolation', (violation: Violation) => violations.push(violation));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { reportViolation } = window as unknown as { reportViolation(violation: Violation): void };
      reportViolation({ directive: effectiveDirective, blocked: blockedURI });
    });
  });
  return violations;
}

describe.skipIf(!canBrowse)('the content security policy', () => {
  const browser = useBrowser();
  let person: Person;
  let alert: string;
  beforeAll(async () => {
    person = await newPerson();
    alert = await giveAlert(person, { location: `${TOWN}, AK` });
    await pushItems('e2e', [rareCar(TOWN, 'Policed')]);
  });

  /** Opens the pages, with their dialogs and menus. */
  async function visit(page: Page, paths: string[]): Promise<void> {
    for (const path of paths) {
      await page.goto(path);
      if (path === '/api/docs') await page.locator('.opblock').first().waitFor();
      else if (path === '/playground')
        await page.locator('.graphiql-query-editor .monaco-editor').waitFor({ timeout: 60_000 });
      else await waitUntilStill(page);
    }
  }

  it('refuses nothing on the pages for developers', { tags: 'long' }, async () => {
    const user = await browser.open({ cookies: person.cookies });
    const violations = await collectViolations(user);
    await visit(user, ['/api/docs', '/playground']);
    expect(violations).toEqual([]);
  });

  it('refuses nothing on the pages of a visitor, of a user and of the admin', { tags: 'long' }, async () => {
    // Cars of other tests have photos that do not exist.
    const expected = /Failed to load resource.*404/;
    const visitor = await browser.open({ firstTime: true, expected });
    const user = await browser.open({ cookies: person.cookies, expected });
    const admin = await browser.open({ cookies: someone('admin').cookies, expected });
    const violations = await Promise.all([visitor, user, admin].map(collectViolations));
    await visit(visitor, OPEN_PAGES);
    await visit(user, ['/dashboard', '/my-alerts', `/alert/${alert}`, `/edit-alert/${alert}`, '/create-alert']);
    await user.getByRole('button', { name: /^Account menu of/ }).click();
    await user.getByRole('menu').waitFor();
    await visit(user, ['/settings', '/settings/api', '/subscription', '/data-rights', '/playground', '/dev/outbox']);
    await visit(admin, ['/admin']);
    expect(violations.flat()).toEqual([]);
  });

  it('refuses inline scripts and styles, foreign photos, connections, bases, frames and forms', async () => {
    const page = await browser.open({ cookies: person.cookies, expected: /./ });
    const violations = await collectViolations(page);
    await visit(page, ['/dashboard']);
    await page.evaluate((home) => {
      const add = <K extends keyof HTMLElementTagNameMap>(name: K, set: Partial<HTMLElementTagNameMap[K]>) =>
        document.body.append(Object.assign(document.createElement(name), set));
      add('script', { textContent: 'window.ran = 1' });
      add('style', { textContent: 'body { outline: 7px solid red }' });
      document.body.insertAdjacentHTML('beforeend', '<p style="outline: 7px solid red" id="styled">a</p>');
      document.body.insertAdjacentHTML('beforeend', '<img src="/no-such.png" onerror="window.ran = 1" alt="">');
      add('link', { rel: 'stylesheet', href: 'https://evil.example/a.css' });
      add('base', { href: 'https://evil.example/' });
      add('iframe', { src: `${home}/terms` });
      add('object', { data: `${home}/favicon.svg` });
      fetch('https://evil.example/').catch(() => undefined);
      const port = Number(location.port) + 1;
      try {
        new WebSocket(`ws://${location.hostname}:${port}/`);
      } catch {
        // The policy refuses it immediately.
      }
      const form = document.createElement('form');
      form.action = '/contact';
      document.body.append(form);
      form.submit();
    }, lotWatch().url);
    const directives = () => [...new Set(violations.map(({ directive }) => directive))].sort();
    await expect
      .poll(directives)
      .toEqual([
        'base-uri',
        'connect-src',
        'form-action',
        'frame-src',
        'object-src',
        'script-src-attr',
        'script-src-elem',
        'style-src-attr',
        'style-src-elem',
      ]);
    expect(violations.filter(({ directive }) => directive === 'connect-src')).toHaveLength(2);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    const outlines = await page.evaluate(() =>
      [document.body, document.getElementById('styled')].map((one) => one && getComputedStyle(one).outlineWidth),
    );
    expect(outlines).not.toContain('7px');
  });

  it('is the same on each kind of page: no inline code, and only LotWatch’s own socket', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${lotWatch().url}${path}`)).headers.get('content-security-policy') ?? '';
    for (const path of [
      '/',
      '/dashboard',
      '/nowhere',
      '/graphql',
      '/api/plans',
      '/api/docs',
      '/m/x',
      '/dev/outbox',
      '/demo/',
    ]) {
      const policy = await policyOf(path);
      expect([path, policy]).toEqual([
        path,
        expect.stringContaining("default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"),
      ]);
      expect([path, policy]).toEqual([path, expect.not.stringMatching(/unsafe|\bwss?:(?!\/\/)|https?:(?!\/\/)|\*/)]);
    }
    const playground = await policyOf('/playground');
    expect(playground.match(/'unsafe-[a-z]+'/g)).toEqual(["'unsafe-inline'"]);
    expect(playground).toContain("style-src 'self' 'unsafe-inline'");
  });
});
