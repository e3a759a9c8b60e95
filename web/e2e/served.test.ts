import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, lotWatch, pushItems, takenOver, untilDrawn, useBrowser } from './browser/support.ts';

interface BuiltPage {
  path: string;
  scripts: string[];
  head: { title: string; description: string } | null;
}

const dist = (file: string): string => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/** The size in bytes when compressed with gzip. */
function weigh(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += statSync(existsSync(dist(`${file}.gz`)) ? dist(`${file}.gz`) : dist(file)).size;
  return bytes;
}

/** Collects the scripts that the page loads from now on. */
function listScripts(page: Page): Set<string> {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const file = /\/(assets\/[^?]+\.js)$/.exec(request.url())?.[1];
    if (file) scripts.add(file);
  });
  return scripts;
}

describe.skipIf(!canBrowse)('the served app', () => {
  const browser = useBrowser();
  let pages: BuiltPage[] = [];
  beforeAll(() => {
    pages = JSON.parse(readFileSync(dist('pages.json'), 'utf8')) as BuiltPage[];
  });

  it('answers 200 for every route and 404 for all other paths', async () => {
    expect(pages.length).toBeGreaterThanOrEqual(17);
    const status = async (path: string) => [path, (await fetch(`${lotWatch().url}${path}`)).status];
    for (const { path } of pages) {
      const address = path === '*' ? '/no-such-page' : path.replace(/:\w+/g, '1');
      expect(await status(address)).toEqual([address, path === '*' ? 404 : 200]);
    }
    expect(await status('/dashboard/more')).toEqual(['/dashboard/more', 404]);
  });

  it('gives each public page its own head, with which the app agrees', async () => {
    const page = await browser.open();
    const open = pages.filter(({ head }) => head !== null);
    expect(open.map(({ path }) => path).sort()).toEqual(
      [
        '/',
        '/auth',
        '/contact',
        '/contact-us',
        '/playground',
        '/privacy',
        '/privacy-policy',
        '/status',
        '/terms',
      ].sort(),
    );
    expect(new Set(open.map(({ head }) => head?.title)).size).toBe(open.length);
    expect(new Set(open.map(({ head }) => head?.description)).size).toBe(open.length);
    for (const { path, head } of open) {
      const answer = await page.goto(path);
      const html = (await answer?.text()) ?? '';
      const canonical = /<link rel="canonical" href="([^"]+)">/.exec(html)?.[1];
      expect(canonical).toBe(`${lotWatch().url}${path}`);
      expect(html).toContain('<meta property="og:image"');
      expect(head?.description.length).toBeLessThanOrEqual(200);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.title()).toBe(`${head?.title} · LotWatch`);
    }
    const social = await fetch(`${lotWatch().url}/icons/social.png`);
    expect(social.headers.get('content-type')).toBe('image/png');
    expect((await social.arrayBuffer()).byteLength).toBeLessThanOrEqual(150_000);
  });

  it('stays within its budgets of JavaScript', async () => {
    const page = await browser.open({ ownContext: true });
    const scripts = listScripts(page);
    const encodings: (string | null)[] = [];
    page.on('response', async (response) => {
      if (/\/assets\/(index|vendor|base)-.*\.js$/.test(response.url()))
        encodings.push(await response.headerValue('content-encoding'));
    });
    await untilDrawn('/');
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.getByRole('article', { name: 'Elite plan' }).waitFor();
    // Before there is a sign of anybody, no script but the one that waits for it.
    expect([...scripts]).toEqual([]);
    await takenOver(page);
    await expect.poll(() => encodings.length).toBeGreaterThanOrEqual(3);
    expect(weigh(scripts)).toBeLessThanOrEqual(260_000);
    for (const encoding of encodings) expect(encoding).toMatch(/^(br|gzip)$/);
    const landing = new Set(scripts);

    await page.getByLabel('Make').selectOption('honda');
    await page.getByLabel('Location').fill('Austin, TX');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await page.getByRole('dialog', { name: 'Login Required' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    expect(weigh(scripts)).toBeLessThanOrEqual(303_000);

    for (const { path, scripts: more } of pages) {
      const bytes = weigh(more.filter((file) => !landing.has(file)));
      expect([path, bytes <= 60_000, bytes]).toEqual([path, true, bytes]);
    }
    // Includes code that a page loads after it is shown: the live connection, the account menu.
    const member = await browser.open({ cookies: (await newPerson()).cookies, ownContext: true });
    const own = listScripts(member);
    await member.goto('/dashboard');
    await member.getByRole('button', { name: /^Account menu/ }).waitFor();
    await expect.poll(() => [...own].some((file) => file.includes('live-link'))).toBe(true);
    expect(weigh([...own].filter((file) => !landing.has(file)))).toBeLessThanOrEqual(60_000);

    // An alert's page with the charts of a car. On a phone the map stays closed; `match-map.test.ts` weighs it.
    const buyer = await newPerson();
    const id = await giveAlert(buyer, { location: 'Arctic Village, AK' });
    await pushItems('e2e', [rareCar('Arctic Village', 'with charts')]);
    const phone = await browser.open({
      viewport: { width: 390, height: 844 },
      cookies: buyer.cookies,
      ownContext: true,
    });
    const charted = listScripts(phone);
    await phone.goto(`/alert/${id}`);
    const card = phone.getByRole('article').filter({ hasText: 'with charts' });
    await card.locator('summary', { hasText: 'Price history and similar cars' }).click();
    await card.getByRole('region', { name: 'Price history of this car' }).waitFor();
    await phone.waitForLoadState('networkidle');
    expect([...charted].filter((file) => /CarCharts|MatchMap/.test(file))).toHaveLength(1);
    const more = [...charted].filter((file) => !landing.has(file));
    // With what stores the page, which is loaded some seconds later.
    expect(weigh(more)).toBeLessThanOrEqual(70_000);
  });

  it('can be installed', async () => {
    const page = await browser.open();
    await page.goto('/');
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    type Picture = { src: string; sizes: string; purpose?: string; form_factor?: string };
    const manifest = JSON.parse(data ?? '{}') as { icons: Picture[]; screenshots: Picture[] };
    for (const { src } of [...manifest.icons, ...manifest.screenshots])
      expect((await fetch(`${lotWatch().url}${src}`)).status).toBe(200);
    expect(manifest.screenshots.map(({ form_factor: form }) => form)).toEqual(['narrow', 'wide']);
    expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toContainEqual(['512x512', 'maskable']);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // The pages of these tests are in private windows, which can't install an app.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });
});
