import { describe, expect, it } from 'vitest';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson } from './browser/people.ts';
import { fitPrices } from './browser/running.ts';
import { canBrowse, lotWatch, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the price model', () => {
  const browser = useBrowser();

  it('rates a demo car by the fitted model, and says so by phone and desktop', {
    tags: 'long',
    timeout: 300_000,
  }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { make: 'toyota', model: 'camry', location: 'Los Angeles, CA' });
    const ratings = async () => {
      const { matches } = await person.ask<{
        matches: { nodes: { listing: { priceBand: { rating: string } | null } }[] };
      }>(`{ matches(alertId: ${id}, first: 20) { nodes { listing { priceBand { rating } } } } }`);
      return matches.nodes.flatMap(({ listing }) => listing.priceBand?.rating ?? []);
    };
    await fitPrices(lotWatch());
    // The first model is fitted within two minutes.
    await expect.poll(async () => (await ratings()).length, { timeout: 240_000, interval: 1_000 }).toBeGreaterThan(3);
    for (const options of [{ viewport: { width: 390, height: 844 } }, {}]) {
      const page = await browser.open({ ...options, cookies: person.cookies });
      await page.goto(`/alert/${id}`);
      const rated = page.getByRole('article').filter({
        hasText: /(Great price|Good price|Fair price|High price|Above usual prices)8 of 10 cars like this one: \$/,
      });
      await rated.first().waitFor();
      await rated
        .first()
        .getByText(/\(middle \$[\d,]+\), judged from [\d,]+ of its model$/)
        .waitFor();
      await rated.first().getByText('Demo', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    }
  });
});
