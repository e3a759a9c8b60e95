import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { layoutFaults, waitUntilStill } from './browser/geometry.ts';
import { giveAlert, newPerson, type Person, pushedCar, putOnPlan, rareCar, someone } from './browser/people.ts';
import { canBrowse, databaseUrl, lotWatch, pushItems, readOutbox, useBrowser } from './browser/support.ts';

/** The folder for pictures of faults, or of every checked page with `PICTURES=1`. */
const pictures = fileURLToPath(new URL('pictures/hostile', import.meta.url));
const isPictured = (faults: string[]): boolean => faults.length > 0 || process.env.PICTURES === '1';
const WIDTHS = [1280, 390, 320];
const CITY = 'Kotzebue';

const script = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
const zalgo = 'Z̴̛̹͎̺̻a̷̗͙̤͒͛̈l̵̢̛̦̘̫͛g̸̨̛͉̫͚̈́o̶̢͎͈̹͗';
const titles = [
  script,
  `"><svg onload=window.ran=1> & &amp; {{7*7}} \${7*7}`,
  '🚗💨🔥👩‍👩‍👧‍👦🏳️‍🌈'.repeat(20),
  'سيارة جاكوار للبيع بحالة ممتازة ولون أحمر',
  'מכונית יגואר למכירה, יד ראשונה, 45,000 מייל',
  '\u202Eevil reversed\u202C \u202Dforced\u202C \u2067isolated never closed',
  zalgo.repeat(6),
  'W'.repeat(470),
  `http://evil.example/${'a'.repeat(200)}`,
  '極めて良好な状態のスポーツカー'.repeat(12),
];

/** Names of at most 40 characters, as registration accepts them. */
const names = [
  'W'.repeat(40),
  '<b onmouseover=window.ran=1>bold</b>',
  '👩‍👩‍👧‍👦🚗🚗🚗🚗🚗🚗🚗🚗🚗',
  'مرحبا بالعالم \u202Eabc',
  zalgo.slice(0, 40),
];

describe.skipIf(!canBrowse)('hostile texts', () => {
  const browser = useBrowser();
  let pool: Pool;
  let person: Person;
  let alerts: string[];

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    pool = makePool(databaseUrl(), 1, 'hostile-test');
    person = await newPerson();
    await putOnPlan(person, 3);
    const first = await giveAlert(person, { location: `${CITY}, AK` });
    const photos = [
      [],
      [{ image: { uri: `${lotWatch().url}/no-such-photo.jpg` } }],
      [
        { image: { uri: 'javascript:window.ran=1' } },
        { image: { uri: 'data:text/html,<script>window.ran=1</script>' } },
      ],
    ];
    const cars = titles.map((title, index) => {
      const [listing_photos] = [photos[index % 4]];
      const price = [{ amount: '0.00' }, { amount: '10000000.00' }, { amount: null }, { amount: '9999.00' }][index % 4];
      return rareCar(CITY, title, {
        ...(listing_photos ? { listing_photos } : {}),
        listing_price: { ...price, currency: 'USD' },
        url: index % 2 ? 'javascript:window.ran=1' : 'data:text/html,<script>window.ran=1</script>',
      });
    });
    // No upper limit, so that each price matches.
    alerts = [first, await giveAlert(person, { location: `${CITY}, AK`, priceMax: null, onlyWithImages: false })];
    await pushItems('hostile', cars);
    await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(titles.length), { timeout: 30_000 });
    // Older rows may hold texts that sources and forms now refuse.
    const overwrite = (column: string, value: string, at: number) =>
      pool.query(`update listings set ${column} = $1 where title like $2`, [value, `%${titles[at]?.slice(0, 12)}%`]);
    await overwrite('city', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'.repeat(2), 7);
    await overwrite('city', `${script}\u202E`, 0);
    await overwrite('url', 'javascript:window.ran=1', 3);
    await overwrite('url', 'data:text/html,<script>window.ran=1</script>', 4);
    await overwrite('color', 'W'.repeat(100), 8);
    const places = ['W'.repeat(100), `${script}${'x'.repeat(100)}`.slice(0, 100)];
    for (const [index, place] of places.entries())
      await pool.query('update alerts set location = $1, place = $1 where id = $2', [place, alerts[index]]);
  });
  afterAll(() => pool?.end());

  async function count(): Promise<number> {
    const { matches } = await person.ask<{ matches: { nodes: unknown[] } }>(
      'query ($id: ID!) { matches(alertId: $id, first: 100) { nodes { matchedAt } } }',
      { id: alerts[1] },
    );
    return matches.nodes.length;
  }

  /** Checks a page at every width: nothing overflows, overlaps, or runs. */
  async function checkPage(page: Page, path: string, found: Record<string, string[]>, prepare?: () => Promise<void>) {
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 });
    await page.goto(path);
    if (path.startsWith('/dev/')) await page.locator('body').waitFor();
    else await waitUntilStill(page);
    await prepare?.();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width > 500 ? 900 : 844 });
      const faults = await layoutFaults(page);
      if (await page.evaluate(() => 'ran' in window)) faults.push('a text was run');
      const links = await page.locator('a[href^="javascript:" i], a[href^="data:" i]').count();
      if (links > 0) faults.push('a link that runs');
      const name = `${path.replace(/^\//, '').replaceAll(/\W+/g, '-') || 'landing'}-${width}`;
      if (faults.length > 0) found[name] = [...(found[name] ?? []), ...faults];
      if (!isPictured(faults)) continue;
      await page.screenshot({ path: join(pictures, `${name}.jpg`), fullPage: true, type: 'jpeg', quality: 70 });
    }
  }

  it('break no card, run no script and are no link', async () => {
    // One photo is broken on purpose.
    const page = await browser.open({ cookies: person.cookies, expected: /Failed to load resource/ });
    const found: Record<string, string[]> = {};
    const scroll = async () => {
      // Photos load when they are nearly visible.
      for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 600);
      await expect.poll(() => page.locator('main img').count()).toBe(Math.floor(titles.length / 4));
    };
    await checkPage(page, `/alert/${alerts[1]}`, found, scroll);
    await checkPage(page, '/dashboard', found);
    await checkPage(page, '/my-alerts', found);
    await checkPage(page, `/edit-alert/${alerts[0]}`, found);
    expect(found).toEqual({});
  });

  it('as a username fit the header, the menus and the settings', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: person.cookies, expected: /Failed to load resource/ });
    const found: Record<string, string[]> = {};
    for (const [index, name] of names.entries()) {
      await pool.query('update users set username = $1, email = $2 where username_key = lower($3)', [
        name,
        `${'w'.repeat(60)}${index}@${'example'.repeat(8)}.com`,
        index === 0 ? person.name : names[index - 1],
      ]);
      await checkPage(page, index === 0 ? '/settings' : `/dashboard?name=${index}`, found);
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('navigation', { name: 'Menu' }).waitFor();
      const inMenu = await layoutFaults(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: /^Account menu of/ }).click();
      await page.getByRole('menu').waitFor();
      inMenu.push(...(await layoutFaults(page)));
      if (isPictured(inMenu))
        await page.screenshot({ path: join(pictures, `menu-${index}.jpg`), type: 'jpeg', quality: 70 });
      if (inMenu.length > 0) found[`menu ${index}`] = inMenu;
    }
    expect(found).toEqual({});
  });

  it("fit the admin's tables and the page of mails", { tags: 'long' }, async () => {
    await pushItems('hostile-'.repeat(3).slice(0, 20), [
      ...titles.slice(0, 8).map((title) => pushedCar({ marketplace_listing_title: `Couch ${title}` })),
    ]);
    const reason = `${script}\u202E${'W'.repeat(300)}`;
    await person.ask('mutation ($reason: String!) { requestDeletion(reason: $reason) { requestId } }', { reason });
    const found: Record<string, string[]> = {};
    const admin = await browser.open({ cookies: someone('admin').cookies });
    await checkPage(admin, '/admin?tab=deletions', found);
    await checkPage(admin, '/admin?tab=quarantine', found);
    const mails = await browser.open({ expected: /Failed to load resource/ });
    await expect.poll(() => readOutbox().some(({ to, kind }) => to === person.email && kind === 'match')).toBe(true);
    await checkPage(mails, '/dev/outbox', found);
    expect(found).toEqual({});
  });

  it('do not run even where a page inserts them as markup', async () => {
    const page = await browser.open({ expected: /Content Security Policy|Failed to load resource/ });
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto('/terms');
    await waitUntilStill(page);
    await page.evaluate(() => {
      const inline = document.createElement('script');
      inline.textContent = 'window.ran = 1';
      document.head.append(inline);
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="/no-such.png" onerror="window.ran = 1"><a href="javascript:window.ran=1">a</a>',
      );
      document.querySelector<HTMLAnchorElement>('a[href^="javascript:"]')?.click();
    });
    await expect.poll(() => refused.filter((text) => text.includes('Content Security Policy')).length).toBe(3);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  });
});
