import { describe, expect, it } from 'vitest';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('a long list of matches', () => {
  const browser = useBrowser();

  it('is drawn where it is in sight, and keeps its place for one who comes back', { tags: 'long' }, async () => {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: 'Lakeview, OR' });
    const location = { reverse_geocode: { city: 'Lakeview', state: 'OR' } };
    const pushCars = (from: number, to: number) =>
      pushItems(
        'e2e',
        Array.from({ length: to - from }, (_, index) => from + index).map((at) =>
          rareCar('Lakeview', `car ${at}`, {
            location,
            custom_sub_titles_with_rendering_flags: at % 3 ? [{ subtitle: `${at + 20}K miles` }] : [],
          }),
        ),
      );
    await pushCars(0, 16);
    const page = await browser.open({
      cookies: person.cookies,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto(`/alert/${alertId}`);
    const cards = page.getByRole('article');
    const isDrawn = (at: number) =>
      cards.nth(at).evaluate((card) => card.checkVisibility({ contentVisibilityAuto: true }));
    await cards.nth(15).waitFor();
    expect([await isDrawn(0), await isDrawn(5)]).toEqual([true, true]);
    expect(await isDrawn(15)).toBe(false);

    await cards.nth(11).evaluate((card) => card.scrollIntoView({ block: 'start', behavior: 'instant' }));
    await expect.poll(() => isDrawn(11)).toBe(true);
    const topOf = () => cards.nth(11).evaluate((card) => Math.round(card.getBoundingClientRect().top));
    // What comes into sight gets its height, and the place in the page stays.
    await expect.poll(topOf).toBeLessThan(200);
    expect(await topOf()).toBeGreaterThan(-200);
    const before = await topOf();
    await page.getByRole('link', { name: 'Dashboard' }).last().tap();
    await page.getByRole('heading', { name: 'Recent Matching Listings' }).waitFor();
    await page.goBack();
    await expect.poll(topOf).toBe(before);

    // Those that arrive push the last ones out, until one scrolls there.
    await page.evaluate('scrollTo(0, 0)');
    await pushCars(16, 24);
    await page.getByText('24 matches').waitFor();
    await expect.poll(() => cards.count()).toBe(20);
    await cards.last().scrollIntoViewIfNeeded();
    await expect.poll(() => cards.count()).toBe(24);
  });
});
