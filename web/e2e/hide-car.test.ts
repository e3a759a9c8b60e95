/** @module-tag long */
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing, holding, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const KEPT = '2016 Jaguar F-TYPE · to keep';
const UNWANTED = '2016 Jaguar F-TYPE · to hide';

describe.skipIf(!canBrowse)('a car that is not wanted', () => {
  const browser = useBrowser();
  const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title });
  const hideIn = (page: Page, title: string) => cardOf(page, title).getByRole('button', { name: 'Not this car' });
  const undo = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Undo' });
  const isFocused = (page: Page, name: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(name);
  const titlesOf = async (person: Person) =>
    (
      await person.ask<{ matches: { nodes: { listing: { title: string } }[] } }>(
        '{ matches { nodes { listing { title } } } }',
      )
    ).matches.nodes.map(({ listing }) => listing.title);

  /** Someone whose alert matches two cars. */
  async function withCars(town: string): Promise<{ person: Person; alertId: string }> {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: `${town}, AK` });
    await pushItems('e2e', [rareCar(town, 'to keep'), rareCar(town, 'to hide')]);
    await expect.poll(async () => (await titlesOf(person)).length).toBe(2);
    return { person, alertId };
  }

  it('leaves the list of an alert and the dashboard, and can be put back by keyboard', async () => {
    const { person, alertId } = await withCars('Tanana');
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto(`/alert/${alertId}`);
    await hideIn(page, UNWANTED).press('Enter');
    await isFocused(page, 'Undo');
    await page
      .getByRole('status')
      .filter({ hasText: `${UNWANTED} is hidden from your matches.` })
      .waitFor();
    expect(await cardOf(page, UNWANTED).count()).toBe(0);
    await expect.poll(() => titlesOf(person)).toEqual([KEPT]);
    await sees(page, '1 match');
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await undo(page).press('Enter');
    await isFocused(page, 'Not this car');
    await cardOf(page, UNWANTED).waitFor();
    await expect.poll(async () => (await titlesOf(person)).length).toBe(2);
    await sees(page, '2 matches');

    await hideIn(page, UNWANTED).tap();
    await undo(page).waitFor();
    await expect.poll(() => titlesOf(person)).toEqual([KEPT]);
    // Once the page was left, nothing is shown of it, here and elsewhere.
    await page.getByRole('link', { name: 'Dashboard' }).first().tap();
    await page.getByRole('heading', { name: 'Recent Matching Listings' }).waitFor();
    await cardOf(page, KEPT).waitFor();
    expect(await cardOf(page, UNWANTED).count()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Matching Listings', exact: true }).waitFor();
    await cardOf(page, KEPT).waitFor();
    expect([await undo(page).count(), await cardOf(page, UNWANTED).count()]).toEqual([0, 0]);
    await page.reload();
    await cardOf(page, KEPT).waitFor();
    expect(await cardOf(page, UNWANTED).count()).toBe(0);
  });

  it('is marked among the saved cars, and is shown again from there', async () => {
    const { person, alertId } = await withCars('Quinhagak');
    const { matches } = await person.ask<{ matches: { nodes: { listing: { id: string; title: string } }[] } }>(
      '{ matches { nodes { listing { id title } } } }',
    );
    const id = matches.nodes.find(({ listing }) => listing.title === UNWANTED)?.listing.id;
    await person.ask(
      'mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } hideCar(id: $id, hidden: true) { id } }',
      { id },
    );
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/saved');
    await page.getByText(/^Saved on .* · Hidden from your matches$/).waitFor();
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await page.getByRole('button', { name: `Show again: ${UNWANTED}` }).press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: `${UNWANTED} is among your matches again.` })
      .waitFor();
    await page.getByText(/^Saved on [^·]*$/).waitFor();
    const save = cardOf(page, UNWANTED).getByRole('button', { name: 'Save', exact: true });
    await expect.poll(() => save.evaluate((button) => button === document.activeElement)).toBe(true);
    await expect.poll(async () => (await titlesOf(person)).length).toBe(2);
    await page.goto(`/alert/${alertId}`);
    await cardOf(page, UNWANTED).waitFor();
  });

  it('is shown again by an undo while it is still being hidden', async () => {
    const { person } = await withCars('Port Heiden');
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/dashboard');
    const order: string[] = [];
    const note = (what: string, request: Request) => {
      if (request.postData()?.includes('HideCar')) order.push(what);
    };
    page.on('request', (request) => note('call', request));
    page.on('response', (response) => note('answer', response.request()));
    const release = await holding(page, 'HideCar');
    await hideIn(page, UNWANTED).click();
    await undo(page).click();
    await cardOf(page, UNWANTED).waitFor();
    release();
    await page
      .getByRole('status')
      .filter({ hasText: `${UNWANTED} is among your matches again.` })
      .waitFor();
    await cardOf(page, UNWANTED).waitFor();
    expect(order).toEqual(['call', 'answer', 'call', 'answer']);
    expect(await titlesOf(person)).toHaveLength(2);
  });

  it('is shown again with the reason when the server refuses to hide it', async () => {
    const { person } = await withCars('Skwentna');
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/dashboard');
    await failing(page, 'HideCar', INTERNAL_ERROR);
    await hideIn(page, UNWANTED).click();
    await page.getByText(/^Failed to hide the car: /).waitFor();
    await cardOf(page, UNWANTED).waitFor();
    expect(await titlesOf(person)).toHaveLength(2);
  });
});
