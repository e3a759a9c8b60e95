import { describe, expect, it } from 'vitest';
import { collectCalls } from './browser/calls.ts';
import { giveAlert, newPerson, putOnPlan, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('My Alerts and the dashboard', () => {
  const browser = useBrowser();

  it('explain what to do while there is no alert', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    await sees(
      page,
      'No Alerts Yet',
      "You haven't created any alerts yet. Create your first alert to start monitoring car listings.",
    );
    await page.getByRole('main').getByRole('link', { name: 'Create Alert' }).last().click();
    await arrivesAt(page, '/create-alert');
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1, name: new RegExp(person.name) }).waitFor();
    await sees(page, 'My Alerts', 'No Alerts Set Up', 'Recent Matching Listings', 'No Matches Yet');
    await page.getByText(/^No matching listings found yet\. .* will notify you\.$/).waitFor();
    await page.getByLabel('Make').selectOption('jaguar');
    await page.getByLabel('Location').fill('Nome, AK');
    await page.getByRole('button', { name: 'Create Your First Alert' }).click();
    await arrivesAt(page, '/create-alert');
    await expect.poll(() => page.getByLabel('Make').inputValue()).toBe('jaguar');
    expect(await page.getByLabel('Location').inputValue()).toBe('Nome, AK');
  });

  it('show each alert, and switch it on and off by a partial update', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { yearMin: 2014, radius: 25 });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Jaguar F-Type' }) });
    await sees(page, 'Your Active Alerts', '2014 – Current · $0 – $50,000', 'Nome, AK · 25 miles');
    const text = async () => (await row.textContent()) ?? '';
    expect(await text()).toContain('42 days remaining');
    expect(await text()).toContain('Created Today');
    expect(await text()).toContain('0 listings');
    const active = page.getByRole('heading', { name: 'Your Active Alerts' }).locator('+ *');
    expect(await active.textContent()).toBe('1 active');

    const calls = collectCalls(page);
    const toggle = page.getByRole('switch', { name: 'Jaguar F-Type active' });
    await toggle.click();
    await expect.poll(text).toContain('Inactive');
    expect(await text()).not.toContain('days remaining');
    await expect.poll(() => active.textContent()).toBe('0 active');
    await expect
      .poll(() => calls.find((call) => call.operationName === 'SwitchAlert')?.variables)
      .toEqual({ id, isActive: false });
    const stored = () => person.ask<{ alert: unknown }>(`{ alert(id: ${id}) { isActive yearMin radius } }`);
    await expect.poll(stored).toEqual({ alert: { isActive: false, yearMin: 2014, radius: 25 } });
    await page.reload();
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await toggle.click();
    await expect.poll(stored).toEqual({ alert: { isActive: true, yearMin: 2014, radius: 25 } });
    await row.getByRole('link', { name: 'Jaguar F-Type', exact: true }).click();
    await arrivesAt(page, `/alert/${id}`);
    await page.goBack();
    await row.getByRole('link', { name: 'Edit Jaguar F-Type' }).click();
    await arrivesAt(page, `/edit-alert/${id}`);
  });

  it('switch an alert back off when the plan allows no further alert', async () => {
    const person = await newPerson();
    const first = await giveAlert(person);
    await person.ask(`mutation { updateAlert(id: ${first}, input: { isActive: false }) { id } }`);
    await giveAlert(person, { model: 'xf' });
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    const toggle = page.getByRole('switch', { name: 'Jaguar F-Type active' });
    await toggle.click();
    await page.getByText(/^Failed to update alert: You've reached the maximum number of alerts/).waitFor();
    await expect.poll(() => toggle.isChecked()).toBe(false);
  });

  it('delete an alert only after a confirmation', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    const bin = page.getByRole('button', { name: 'Delete Jaguar F-Type' });
    const dialog = page.getByRole('alertdialog', { name: 'Delete Alert' });
    await bin.click();
    await dialog.getByText('Are you sure you want to delete this alert? This action cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => bin.evaluate((element) => element === document.activeElement)).toBe(true);
    await bin.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await bin.click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await seesToast(page, 'Alert deleted', 'The alert has been successfully deleted.');
    await sees(page, 'No Alerts Yet');
    expect(await person.ask('{ alerts { id } canCreateAlert { alertsUsed } }')).toEqual({
      alerts: [],
      canCreateAlert: { alertsUsed: 0 },
    });
    await sees(page, '0 of 1 used');
  });

  it('put several alerts below the listings on a phone, and keep their place when one is deleted', {
    tags: 'long',
  }, async () => {
    const person = await newPerson();
    await putOnPlan(person, 2);
    for (const model of ['xf', 'xe', 'f-type']) await giveAlert(person, { model, location: 'Iliamna, AK' });
    const page = await browser.open({ cookies: person.cookies, viewport: { width: 390, height: 844 } });
    const sections = page.getByRole('main').getByRole('heading', { level: 2 });
    const listingsFirst = ['Recent Matching Listings', 'My Alerts'];
    await page.goto('/dashboard');
    await expect.poll(() => sections.allTextContents()).toEqual(listingsFirst);
    await page.getByRole('button', { name: 'Delete Jaguar XF' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete Jaguar XF' }).waitFor({ state: 'detached' });
    expect(await sections.allTextContents()).toEqual(listingsFirst);
    await page.reload();
    await expect.poll(() => sections.allTextContents()).toEqual(listingsFirst.toReversed());
  });

  it('count matches as they arrive, and show three recent cars with more on demand', async () => {
    const person = await newPerson();
    await giveAlert(person, { location: 'Bethel, AK' });
    const page = await browser.open({ cookies: person.cookies });
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto('/dashboard');
    await sees(page, 'No Matches Yet');
    await connected;
    const cars = ['One', 'Two', 'Three', 'Four', 'Five'].map((title) => rareCar('Bethel', title));
    await pushItems('e2e', cars);
    await sees(page, '5 listings', '5 new cars in the last 24 hours.');
    const cards = page.getByRole('article');
    await expect.poll(() => cards.count()).toBe(3);
    await sees(page, 'Matches Jaguar F-Type');
    expect(await cards.first().textContent()).toMatch(/New · Just now.*\$21,500.*31K mi.*Bethel, AK · 0 mi away/);
    expect(await cards.first().textContent()).toContain('Transmission, color and condition N/A');
    await page.getByRole('button', { name: 'Load more results' }).click();
    await expect.poll(() => cards.count()).toBe(5);
    expect(await page.getByRole('button', { name: 'Load more results' }).count()).toBe(0);
    await page.goto('/my-alerts');
    await page.getByRole('link', { name: 'View matches of Jaguar F-Type, 5 listings' }).click();
    await arrivesAt(page, /^\/alert\/\d+$/);
  });
});
