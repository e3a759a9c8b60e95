/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing, holding, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TITLE = '2016 Jaguar F-TYPE · to note';

describe.skipIf(!canBrowse)('a note about a car', () => {
  const browser = useBrowser();
  const card = (page: Page) => page.getByRole('article', { name: TITLE });
  const add = (page: Page) => card(page).getByRole('button', { name: 'Add a note' });
  const edit = (page: Page) => card(page).getByRole('button', { name: 'Edit note' });
  const field = (page: Page) => card(page).getByLabel('Your note');
  const isFocused = (page: Page, name: string) =>
    expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent),
      )
      .toBe(name);
  const notesOf = async (person: Person) =>
    (
      await person.ask<{ matches: { nodes: { listing: { note: string | null } }[] } }>(
        '{ matches { nodes { listing { note } } } }',
      )
    ).matches.nodes.map(({ listing }) => listing.note);

  async function withCar(town: string): Promise<{ person: Person; alertId: string }> {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: `${town}, NV` });
    await pushItems('e2e', [rareCar(town, 'to note', { location: { reverse_geocode: { city: town, state: 'NV' } } })]);
    await expect.poll(() => notesOf(person)).toEqual([null]);
    return { person, alertId };
  }

  it('is written, changed and removed by keyboard, and shown wherever the car is', async () => {
    const { person, alertId } = await withCar('Ely');
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto(`/alert/${alertId}`);
    await add(page).press('Enter');
    await expect.poll(() => field(page).evaluate((area) => document.activeElement === area)).toBe(true);
    await page.keyboard.type('Ask about the tires');
    await page.keyboard.press('Enter');
    await page.keyboard.type('<b>and</b> the belt');
    const written = 'Ask about the tires\n<b>and</b> the belt';
    // Neither a device that is turned nor a map that is opened loses what is open in the list.
    await page.setViewportSize({ width: 844, height: 390 });
    await page.getByRole('button', { name: 'Map', exact: true }).press('Enter');
    await page.getByRole('group', { name: /^Map around/ }).waitFor();
    expect(await field(page).inputValue()).toBe(written);
    await page.getByRole('button', { name: 'Map', exact: true }).press('Enter');
    await page.setViewportSize(PHONE.viewport);
    await field(page).focus();
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('status')
      .filter({ hasText: `Your note about ${TITLE} is saved.` })
      .waitFor();
    await isFocused(page, 'Edit note');
    expect(await notesOf(person)).toEqual([written]);
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);

    // What is left unsaved changes nothing.
    await page.keyboard.press('Enter');
    await field(page).fill('x'.repeat(1001));
    await page.keyboard.press('Control+Enter');
    await card(page).getByText('Note can have at most 1,000 characters').waitFor();
    await card(page).getByText('1,001 of 1,000 characters').waitFor();
    await page.keyboard.press('Escape');
    await isFocused(page, 'Edit note');
    await card(page).getByText('<b>and</b> the belt').waitFor();

    await card(page).getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.goto('/saved');
    await card(page).getByText('<b>and</b> the belt').waitFor();
    await page.goto('/dashboard');
    await edit(page).press('Enter');
    await field(page).fill('  ');
    await card(page).getByRole('button', { name: 'Save note' }).press('Enter');
    await isFocused(page, 'Add a note');
    await expect.poll(() => notesOf(person)).toEqual([null]);
  });

  it('shows at once, and goes back to its editor with the reason when the server refuses it', async () => {
    const { person } = await withCar('Tonopah');
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/dashboard');
    const release = await holding(page, 'NoteOnListing');
    await add(page).click();
    await field(page).fill('Shown before the answer');
    await card(page).getByRole('button', { name: 'Save note' }).click();
    await card(page).getByText('Shown before the answer').waitFor();
    expect(await notesOf(person)).toEqual([null]);
    release();
    await expect.poll(() => notesOf(person)).toEqual(['Shown before the answer']);

    const end = await failing(page, 'NoteOnListing', INTERNAL_ERROR);
    await edit(page).click();
    await field(page).fill('Not lost');
    await card(page).getByRole('button', { name: 'Save note' }).click();
    await card(page)
      .getByRole('alert')
      .filter({ hasText: /^Failed to save your note: / })
      .waitFor();
    expect(await field(page).inputValue()).toBe('Not lost');
    await end();
    await card(page).getByRole('button', { name: 'Save note' }).click();
    await expect.poll(() => notesOf(person)).toEqual(['Not lost']);

    // Where the card is gone, a message tells it.
    await failing(page, 'NoteOnListing', INTERNAL_ERROR);
    const late = await holding(page, 'NoteOnListing');
    await edit(page).click();
    await field(page).fill('Too late');
    await card(page).getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    late();
    await page.getByText(/^Failed to save your note: /).waitFor();
  });
});
