import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { walkFocus } from './browser/focus-walk.ts';
import { layoutFaults, waitUntilStill } from './browser/geometry.ts';
import { forcedColourFaults, motionFaults, outlineFaults, spacingFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, rareCar, someone } from './browser/people.ts';
import { type Cookies, canBrowse, pushItems, useBrowser } from './browser/support.ts';

const OPEN_PAGES = [
  '/',
  '/auth',
  '/privacy',
  '/terms',
  '/contact',
  '/privacy-policy',
  '/contact-us',
  '/status',
  '/nowhere',
];
const DESKTOP = { width: 1280, height: 900 };
/** The width of 1280 px at 400 %. */
const REFLOWED = { width: 320, height: 800 };
/** The bars of phones are the same on every page, so the pages with the most controls are enough. */
const WALKED_NARROW = ['/', '/create-alert', '/dashboard', '/admin'];

describe.skipIf(!canBrowse)('every page', () => {
  const browser = useBrowser();

  /** Visits a page by keyboard at each size, and with each accessibility setting. */
  async function checkPage(page: Page, path: string, part: 'all' | 'main'): Promise<string[]> {
    await page.setViewportSize(DESKTOP);
    await page.goto(path);
    await waitUntilStill(page);
    const faults = [...(await outlineFaults(page)), ...(await motionFaults(page)), ...(await forcedColourFaults(page))];
    const wide = await walkFocus(page, part);
    if (wide.stops[0] !== 'Skip to the content') faults.push(`begins at ${wide.stops[0]}`);
    faults.push(...wide.faults, ...(await spacingFaults(page)));
    await page.setViewportSize(REFLOWED);
    const narrow = WALKED_NARROW.includes(path) ? await walkFocus(page, part) : { faults: [] };
    faults.push(...[...(await layoutFaults(page)), ...narrow.faults].map((fault) => `at 320 px: ${fault}`));
    faults.push(...(await spacingFaults(page)).map((fault) => `at 320 px, spaced: ${fault}`));
    return faults;
  }

  async function checkPages(paths: string[], cookies: Cookies = []): Promise<void> {
    const found: Record<string, string[]> = {};
    const waiting = [...paths.entries()];
    const walk = async () => {
      const page = await browser.open({ cookies });
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, path] = next;
        // Header and footer are walked through only on the first page.
        const faults = await checkPage(page, path, index === 0 ? 'all' : 'main');
        if (faults.length > 0) found[path] = faults;
      }
    };
    await Promise.all([walk(), walk()]);
    expect(found).toEqual({});
  }

  it(
    'of a visitor works by keyboard, zoomed, with wide spacing, reduced motion and forced colours',
    { tags: 'long' },
    () => checkPages(OPEN_PAGES),
  );

  it('of a user works by keyboard, zoomed, with wide spacing, reduced motion and forced colours', {
    tags: 'long',
  }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Fort Yukon, AK' });
    await pushItems('e2e', [rareCar('Fort Yukon', 'One'), rareCar('Fort Yukon', 'Two', { listing_photos: [] })]);
    const paths = ['/dashboard', '/my-alerts', `/alert/${id}`, `/edit-alert/${id}`, '/create-alert', '/settings'];
    await checkPages([...paths, '/subscription', '/subscription-success', '/data-rights'], person.cookies);
  });

  it(
    "of the admin's works by keyboard, zoomed, with wide spacing, reduced motion and forced colours",
    { tags: 'long' },
    () => checkPages(['/admin'], someone('admin').cookies),
  );
});
