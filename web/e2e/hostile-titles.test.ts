import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { matchMail } from '../../api/src/messages/match-mails.ts';
import { matchText } from '../../api/src/messages/texts.ts';
import { sampleCar, sampleFoot, sampleMatchMail } from '../../api/test/mail/sample-mails.ts';
import { layoutFaults, waitUntilStill } from './browser/geometry.ts';
import { hostileTitles } from './browser/hostile-titles.ts';
import { giveAlert, newPerson, type Person, pushedCar, putOnPlan, rareCar, someone } from './browser/people.ts';
import { canBrowse, databaseUrl, lotWatch, pushItems, readOutbox, useBrowser } from './browser/support.ts';

const CITY = 'Dillingham';
const WIDTHS = [1280, 390];
const PHONE = '+19075554177';

/** Elements that no page, mail or table of LotWatch contains. */
const foreignElements =
  'script:not([src^="/"]), iframe, object, embed, marquee, video, audio, math, template, base, animate, body form[action^="http"], meta[http-equiv="refresh" i], link[href*="evil"], [style*="evil"], [background], [srcdoc]';

/** Runs in the page. @returns a line for each element or attribute that only a title can have added */
function findForeign(foreign: string): string[] {
  const found = [...document.querySelectorAll(foreign)].map((one) => one.outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const runs = name.startsWith('on') || /^\s*(javascript|vbscript|data:text)/i.test(value);
      const leaves = /^(src|href|action|formaction|poster|data|srcset)$/.test(name) && value.includes('evil-lot.shop');
      if (runs || leaves) found.push(`${element.tagName} ${name}=${value.slice(0, 80)}`);
    }
  }
  return found;
}

const foreignIn = (page: Page) => page.evaluate(findForeign, foreignElements);

/** Counts the elements of each kind in a page, which no title may change. */
const elementsOf = (page: Page) =>
  page.evaluate(() => {
    const counts: Record<string, number> = {};
    for (const { tagName } of document.querySelectorAll('*')) counts[tagName] = (counts[tagName] ?? 0) + 1;
    return counts;
  });

describe.skipIf(!canBrowse)('a hundred hostile titles', { tags: 'long' }, () => {
  const browser = useBrowser();
  let pool: Pool;
  let person: Person;
  let alertId: string;
  /** The titles as stored. */
  let titles: string[];

  beforeAll(async () => {
    pool = makePool(databaseUrl(), 1, 'hostile-titles-test');
    person = await newPerson();
    await putOnPlan(person, 3);
    await pool.query('update users set phone = $1, phone_confirmed_at = now() where username = $2', [
      PHONE,
      person.name,
    ]);
    alertId = await giveAlert(person, { location: `${CITY}, AK`, priceMax: null, textNotifications: true });
    const cars = hostileTitles.map((title, index) =>
      rareCar(CITY, title, {
        listing_price: { amount: `${9000 + 37 * index}.00`, currency: 'USD' },
        custom_sub_titles_with_rendering_flags: [{ subtitle: `${10 + index}K miles` }],
        // A web address is the listing's own page, which a buyer may open.
        ...(title.startsWith('http') ? {} : { url: title }),
      }),
    );
    const answer = (await pushItems('hostile-titles', cars)) as { results: { status: string; reason: string }[] };
    expect(answer.results.filter(({ status }) => status !== 'accepted')).toEqual([]);
    await pushItems(
      'hostile-titles',
      hostileTitles.map((title) => pushedCar({ marketplace_listing_title: `Couch ${title}`, description: title })),
    );
    const stored = () =>
      pool.query<{ title: string }>(
        'select l.title from matches m join listings l on l.id = m.listing_id where m.alert_id = $1 order by l.id',
        [alertId],
      );
    await vi.waitFor(async () => expect((await stored()).rowCount).toBe(cars.length), { timeout: 30_000 });
    titles = (await stored()).rows.map(({ title }) => title);
  });
  afterAll(() => pool?.end());

  async function checkPage(page: Page, what: string): Promise<string[]> {
    const faults: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      faults.push(...(await layoutFaults(page)), ...(await foreignIn(page)));
    }
    if (await page.evaluate(() => 'ran' in window)) faults.push('a text was run');
    return faults.map((fault) => `${what}: ${fault}`);
  }

  async function openPage(person: Person | null, path: string) {
    const page = await browser.open({
      cookies: person?.cookies ?? [],
      expected: /Failed to load resource|Access to image/,
    });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(path);
    return { page, dialogs };
  }

  it('are at least a hundred, stored as plain text', () => {
    expect(titles.length).toBeGreaterThanOrEqual(100);
    for (const title of titles) {
      expect(title).toMatch(/^2016 Jaguar F-TYPE ·/);
      expect(title).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(title.length).toBeLessThanOrEqual(500);
    }
  });

  it('are plain text on the pages of their buyer', async () => {
    const { page, dialogs } = await openPage(person, `/alert/${alertId}`);
    await waitUntilStill(page);
    const cards = page.locator('article');
    // Older ones are loaded when the end is visible.
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return cards.count();
        },
        { timeout: 30_000 },
      )
      .toBe(titles.length);
    const shown = await cards.getByRole('heading').allTextContents();
    const asShown = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    expect(shown.map(asShown).sort()).toEqual(titles.map(asShown).sort());
    const faults = await checkPage(page, 'alert');
    await page.goto('/dashboard');
    await waitUntilStill(page);
    faults.push(...(await checkPage(page, 'dashboard')));
    expect(faults).toEqual([]);
    expect(dialogs).toEqual([]);
  });

  const carOf = (title: string) => {
    const link = `${lotWatch().url}/alert/1`;
    return sampleCar({ title, place: title, photo: null, href: link, dismissUrl: link });
  };
  const mailOf = (title: string) => {
    const link = `${lotWatch().url}/alert/1`;
    const links = { alertUrl: link, renewUrl: link, pauseUrl: link, fewerUrl: link, unsubscribeUrl: link };
    return matchMail(sampleMatchMail([carOf(title)], { alertPlace: title, foot: { ...sampleFoot, ...links } }));
  };

  it('are plain text in mails: unread titles in rendered mails, and stored ones in the sent mail', async () => {
    const { page, dialogs } = await openPage(null, 'about:blank');
    await page.setContent(mailOf('2016 Jaguar F-TYPE').html);
    const plain = await elementsOf(page);
    const plainLines = mailOf('2016 Jaguar F-TYPE').text.split('\n').length;
    const faults: string[] = [];
    // Titles as a source writes them: mails must be safe without the cleaning that reading does.
    for (const title of [...hostileTitles, ...titles]) {
      const mail = mailOf(title);
      await page.setContent(mail.html);
      expect([title, await elementsOf(page)]).toEqual([title, plain]);
      expect([title, mail.text.split(/\r\n|[\r\n\u2028\u2029\u0085\v\f]/).length]).toEqual([title, plainLines]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test forbids them
      expect(mail.subject).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/);
      expect(mail.subject.isWellFormed()).toBe(true);
      faults.push(...(await foreignIn(page)));
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (width > 0) faults.push(`${title.slice(0, 60)} is ${width} wider than the page`);
    }
    await expect.poll(() => readOutbox().some(({ to, kind }) => to === person.email && kind === 'digest')).toBe(true);
    for (const { html } of readOutbox().filter(({ to }) => to === person.email)) {
      await page.setContent(html);
      faults.push(...(await foreignIn(page)));
    }
    if (await page.evaluate(() => 'ran' in window)) faults.push('a text was run');
    await page.goto('/dev/outbox');
    faults.push(...(await foreignIn(page)));
    if (await page.evaluate(() => 'ran' in window)) faults.push('a text of the outbox was run');
    expect(faults).toEqual([]);
    expect(dialogs).toEqual([]);
  });

  it('are one line of plain text in text messages, without the seller’s links', async () => {
    const link = `${lotWatch().url}/alert/1`;
    const ofOne = hostileTitles.map((title) =>
      matchText({ alertName: 'Jaguar F-TYPE', alertPlace: 'Nome, AK', alertUrl: link, cars: [carOf(title)] }),
    );
    await expect.poll(() => readOutbox().some(({ to, channel }) => to === PHONE && channel === 'sms')).toBe(true);
    const sent = readOutbox().filter(({ to }) => to === PHONE);
    for (const text of [...ofOne, ...sent.map((one) => one.text)]) {
      expect(text).toMatch(/^[ -~£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà€¥$@_]*$/);
      expect(text.length).toBeLessThanOrEqual(160);
      expect(text.match(/https?:\S+|evil-lot\.shop/g)?.length).toBe(1);
    }
  });

  it("are plain text on the admin's pages", async () => {
    const { page, dialogs } = await openPage(someone('admin'), '/admin?tab=quarantine');
    await waitUntilStill(page);
    const older = page.getByRole('button', { name: /older/i });
    for (let more = 0; more < 6 && (await older.count()) > 0; more++) {
      await older.click();
      await waitUntilStill(page);
    }
    const faults = await checkPage(page, 'quarantine');
    for (const tab of ['sources', 'deletions', 'texts']) {
      await page.goto(`/admin?tab=${tab}`);
      await waitUntilStill(page);
      faults.push(...(await checkPage(page, tab)));
    }
    expect(faults).toEqual([]);
    expect(dialogs).toEqual([]);
  });
});
