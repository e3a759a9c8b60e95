import { describe, expect, it } from 'vitest';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, lotWatch, pushItems, readOutbox, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)("an alert's page", () => {
  const browser = useBrowser();

  async function open(person: Person, id: string, expected?: RegExp) {
    const page = await browser.open({ cookies: person.cookies, ...(expected && { expected }) });
    await page.goto(`/alert/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  it('shows the criteria, the time left, and when the alert was made', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { model: null, priceMin: null, priceMax: null, radius: 5 });
    const page = await open(person, id);
    await page.getByRole('heading', { level: 1, name: 'Jaguar' }).waitFor();
    await sees(page, 'Active', 'Any year', 'Any price', 'Nome, AK', 'Within 5 miles', 'Watching', '42 days remaining');
    const created = new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
    await sees(page, `Created ${created} · Today`, 'No matching listings yet', '0 matches');
    const preferences = page.getByRole('list', { name: 'Preferences' });
    expect(await preferences.getByRole('listitem').allTextContents()).toEqual([
      'Only listings with images: on',
      'Email notifications: on',
    ]);
    await page.getByRole('link', { name: 'Edit Alert' }).click();
    await arrivesAt(page, `/edit-alert/${id}`);
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'My Alerts' }).first().click();
    await arrivesAt(page, '/my-alerts');
  });

  it('shows the first photo in the upper half of a phone, and its details on demand', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Anvik, AK', yearMin: 2014 });
    await pushItems('e2e', [rareCar('Anvik', 'First'), rareCar('Anvik', 'Second')]);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const page = await browser.open({ cookies: person.cookies, ...phone });
    await page.goto(`/alert/${id}`);
    await page.getByRole('combobox', { name: 'Sort matches' }).waitFor();
    await page.getByText(/last checked|waiting for the first check/).waitFor();
    await page.evaluate('document.fonts.ready');
    const top = await page.getByRole('article').first().locator('img, svg').first().boundingBox();
    expect(top?.y).toBeLessThanOrEqual(470);
    const actions = ['Send Test Notification', 'Share'].map((name) => page.getByRole('button', { name }));
    const rows = [...actions, page.getByRole('link', { name: 'Edit Alert' })].map((action) => action.boundingBox());
    expect(new Set((await Promise.all(rows)).map((box) => box?.y)).size).toBe(1);
    const created = page.getByText(/^Created \w+ \d+, \d+ · Today$/);
    expect(await created.isVisible()).toBe(false);
    await page.locator('summary').filter({ hasText: 'Details' }).tap();
    await created.waitFor();
    await sees(page, 'At once by mail.', 'What would change it', 'Why is a car missing?');
  });

  it('sends a test mail, and offers none where mails are off', async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await open(person, id);
    const send = page.getByRole('button', { name: 'Send Test Notification' });
    await send.click();
    await page.getByText('Notification sent', { exact: true }).waitFor();
    const mails = () => readOutbox().filter((mail) => mail.to === person.email && mail.kind === 'test');
    await expect.poll(() => mails().length).toBe(1);
    await person.ask(`mutation { updateAlert(id: ${id}, input: { emailNotifications: false }) { id } }`);
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Email notifications: off' }).waitFor();
    expect(await send.count()).toBe(0);
  });

  it('shows matches with their reasons, and marks the viewed one', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Craig, AK', yearMin: 2014, color: 'red' });
    // The photo does not exist, and the card draws a car instead.
    const page = await open(person, id, /status of 404/);
    await sees(page, 'No matching listings yet');
    const url = `${lotWatch().url}/privacy?car=${person.name}`;
    await pushItems('e2e', [
      rareCar('Craig', 'linked', { share_uri: url, id: `url-${person.name}` }),
      rareCar('Craig', 'broken photo', {
        listing_photos: [{ image: { uri: `${lotWatch().url}/no-such-photo.svg` } }],
      }),
    ]);
    await sees(page, '2 matches');
    const plain = page.getByRole('article').filter({ hasText: 'broken photo' });
    await expect.poll(() => plain.locator('img').count()).toBe(0);
    const card = page.getByRole('article').filter({ hasText: 'linked' });
    expect(await card.locator('img').getAttribute('referrerpolicy')).toBe('no-referrer');
    const reasons = card.getByRole('list', { name: 'Why it matches' });
    expect(await reasons.getByRole('listitem').allTextContents()).toEqual([
      'Jaguar F-Type',
      '2014 or newer',
      'under $50,000',
      'with photos',
      'within 50 mi',
      'color not stated',
    ]);
    expect(await card.textContent()).toMatch(/Listed \d\d:\d\d:\d\d · seen \+/);
    await card.getByText('New · Just now').waitFor();
    const link = card.getByRole('link', { name: 'View on Marketplace' });
    const { site } = await person.ask<{ site: { marketplaceHome: string } }>('{ site { marketplaceHome } }');
    const hrefs = plain.getByRole('link').evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(await hrefs).toEqual([site.marketplaceHome, site.marketplaceHome]);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await link.getAttribute('href')).toBe(url);
    // The car's name opens its listing, too.
    const name = page.getByRole('article', { name: /^2016 Jaguar F-TYPE · linked$/ }).getByRole('heading');
    const titleLink = name.getByRole('link', { name: '2016 Jaguar F-TYPE · linked', exact: true });
    await titleLink.focus();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await tab.waitForURL(url);
    expect(await tab.evaluate(() => window.opener)).toBe(null);
    await tab.close();
    await card.getByText('New · Just now').waitFor({ state: 'detached' });
    const marks = () =>
      person.ask<{ matches: { nodes: { listing: { title: string; viewed: boolean } }[] } }>(
        `{ matches(alertId: ${id}) { nodes { listing { title viewed } } } }`,
      );
    await expect.poll(async () => (await marks()).matches.nodes.filter(({ listing }) => listing.viewed).length).toBe(1);
    await page.reload();
    await plain.getByText('New · Just now').waitFor();
    expect(await card.getByText('New · Just now').count()).toBe(0);
  });

  it("shows nothing of another's alert, nor of one that isn't there", { tags: 'long' }, async () => {
    const foreign = await giveAlert(await newPerson());
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    for (const id of [foreign, '999999999', 'camry']) {
      await page.goto(`/alert/${id}`);
      await sees(page, 'Error loading alert details', 'Alert not found');
    }
    await page.getByRole('link', { name: 'Back to My Alerts' }).click();
    await arrivesAt(page, '/my-alerts');
  });
});
