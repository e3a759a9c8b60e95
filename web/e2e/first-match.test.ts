import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlertOn, newName, registerOn } from './browser/people.ts';
import { canBrowse, newVisitor, openBrowser, readOutbox, watchPage } from './browser/support.ts';

const WITHIN_MS = 5_000;

describe.skipIf(!canBrowse)('a newcomer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('registers, makes an alert, and gets the first match live and by mail', async () => {
    const page = await (await newVisitor(browser)).newPage();
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

    // The first read of the demo is shown, so matches may stand here already: what counts is the next one.
    const cards = page.getByRole('article');
    const titles = async () => new Set(await cards.getByRole('heading').allTextContents());
    await page.waitForTimeout(1000);
    const before = await cards.count();
    await expect.poll(() => cards.count(), { timeout: 60_000, interval: 100 }).toBeGreaterThan(before);
    const arrivedAt = Date.now();
    expect([...(await titles())].some((title) => title.includes('Camry'))).toBe(true);
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);

    const seenAt = await page.evaluate(async (id) => {
      const query = `{ matches(alertId: ${id}, first: 1) { nodes { receipt { seenAt } } } }`;
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return (await answer.json()).data.matches.nodes[0].receipt.seenAt as string;
    }, alertId);
    expect(arrivedAt - Date.parse(seenAt)).toBeLessThan(WITHIN_MS);

    const mails = () => readOutbox().filter((mail) => mail.to === `${name}@example.com` && mail.kind === 'match');
    await expect.poll(() => mails().length, { timeout: 20_000, interval: 100 }).toBeGreaterThan(0);
    const [mail] = mails();
    expect(mail).toMatchObject({ alertId, subject: expect.stringContaining('Toyota Camry') });
    const firstAnnounced = await page.evaluate(async (id) => {
      const query = `{ matches(alertId: ${id}, first: 100) { nodes { announced receipt { seenAt handedOverAt } } } }`;
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      type Node = { announced: boolean; receipt: { seenAt: string; handedOverAt: string | null } };
      const nodes = (await answer.json()).data.matches.nodes as Node[];
      return nodes.filter((node) => node.announced).at(-1)?.receipt;
    }, alertId);
    expect(Date.parse(mail?.sentAt ?? '') - Date.parse(firstAnnounced?.seenAt ?? '')).toBeLessThan(WITHIN_MS);
    expect(faults).toEqual([]);
  });
});
