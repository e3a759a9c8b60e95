import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCarMail } from '../../api/src/domain/mail-kinds.ts';
import { createAlertOn, newName, registerOn } from './browser/people.ts';
import { canBrowse, newVisitor, openBrowser, readOutbox, watchPage } from './browser/support.ts';

/** On a free machine it takes half a second. Other tests keep this one busy. */
const WITHIN_MS = 15_000;

interface Match {
  receipt: { seenAt: string; matchedAt: string; handedOverAt: string | null };
  listing: { priceHistory: { seenAt: string }[] };
}

/** The newest matches of the signed-in buyer's alert, newest first. */
async function readMatches(page: Page, alertId: number): Promise<Match[]> {
  return page.evaluate(async (id) => {
    const fields = 'receipt { seenAt matchedAt handedOverAt } listing { priceHistory { seenAt } }';
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ matches(alertId: ${id}, first: 100) { nodes { ${fields} } } }` }),
    });
    return (await answer.json()).data.matches.nodes as Match[];
  }, alertId);
}

/** When the car began to match: when it was first seen, or when its price last changed before `until`, by default the match. */
function arrivalOf(match: Match | undefined, until = match?.receipt.matchedAt): number {
  if (!match || until === undefined) throw new Error('no match');
  const { receipt, listing } = match;
  const priced = listing.priceHistory.map(({ seenAt }) => Date.parse(seenAt));
  return Math.max(Date.parse(receipt.seenAt), ...priced.filter((at) => at <= Date.parse(until)));
}

describe.skipIf(!canBrowse)('a new user', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it('registers, makes an alert, and gets the first match live and by mail', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const faults = watchPage(page);
    const name = newName();
    await registerOn(page, name);
    await createAlertOn(page, 'Toyota', 'Camry', 'Los Angeles');
    await page
      .getByRole('link', { name: /View matches/ })
      .first()
      .click();
    await page.waitForURL('**/alert/*');
    await page.evaluate(() => Object.assign(window, { notReloaded: true }));
    const alertId = Number(new URL(page.url()).pathname.split('/').at(-1));

    // The matches of the first read are shown, and the backfill may still run, so the next car counts.
    const openedAt = Date.now();
    const cards = page.getByRole('article');
    const titles = async () => new Set(await cards.getByRole('heading').allTextContents());
    let newest: Match | undefined;
    let arrivedAt = openedAt;
    // Each leads to a page of its own at the marketplace. Only the cards near the screen are drawn.
    const first = () => cards.first().getByRole('heading').getByRole('link').getAttribute('href');
    do {
      const shown = await first();
      await expect.poll(first, { timeout: 60_000, interval: 100 }).not.toBe(shown);
      arrivedAt = Date.now();
      [newest] = await readMatches(page, alertId);
    } while (arrivalOf(newest) < openedAt);
    expect([...(await titles())].some((title) => title.includes('Camry'))).toBe(true);
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);

    expect(arrivedAt - arrivalOf(newest)).toBeLessThan(WITHIN_MS);

    // The first may be about a price drop of a car that the backfill found, and the next leaves five minutes later.
    const mails = () => readOutbox().filter((mail) => mail.to === `${name}@example.com` && isCarMail(mail.kind));
    await expect.poll(() => mails().length).toBeGreaterThan(0);
    const [mail] = mails();
    expect(mail).toMatchObject({ alertId, subject: expect.stringContaining('Toyota Camry') });
    // The cars of the first mail are those that were sent the earliest.
    let matches: Match[] = [];
    const firstSentAt = async () => {
      matches = await readMatches(page, alertId);
      return matches.flatMap(({ receipt }) => receipt.handedOverAt ?? []).sort()[0];
    };
    await expect.poll(firstSentAt).toBeDefined();
    const sentAt = await firstSentAt();
    const cars = matches.filter(({ receipt }) => receipt.handedOverAt === sentAt);
    // A car that the backfill found is announced once its price drops.
    for (const car of cars)
      expect(Date.parse(mail?.sentAt ?? '') - arrivalOf(car, mail?.sentAt)).toBeLessThan(WITHIN_MS);
    expect(faults).toEqual([]);
    await context.close();
  });
});
