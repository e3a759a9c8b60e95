import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, putOnPlan, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, databaseUrl, pushItems, sees, seesToast, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('the notifications', () => {
  const browser = useBrowser();
  /** Without a number, as everything is read. */
  const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Notifications', exact: true });
  const unreadOf = async (person: Person) =>
    (await person.ask<{ me: { unreadNotifications: number } }>('{ me { unreadNotifications } }')).me
      .unreadNotifications;

  async function isSound(page: Page): Promise<void> {
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  }

  /** People to each of whom a car is mailed at the same time. */
  let mailedTo: Person[] = [];
  beforeAll(async () => {
    const towns = ['Galena', 'Point Hope', 'McGrath'];
    mailedTo = await Promise.all(
      towns.map(async (town) => {
        const person = await newPerson();
        await giveAlert(person, { location: `${town}, AK` });
        return person;
      }),
    );
    await pushItems(
      'e2e',
      towns.map((town) => rareCar(town, 'mailed')),
    );
  });
  /** One of them, to whom nothing else has happened. */
  async function mailed(): Promise<Person> {
    const person = mailedTo.pop();
    if (!person) throw new Error('a car was mailed to nobody else');
    await expect.poll(() => unreadOf(person)).toBe(1);
    return person;
  }

  it('count what is unread at the bell, mark it as new, and as read once it was seen, on a phone', async () => {
    const person = await mailed();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).tap();
    await arrivesAt(page, '/notifications');
    const entry = page.getByRole('listitem').filter({ hasText: 'Sent by mail at' });
    await entry.getByText('New', { exact: true }).waitFor();
    await bell(page).waitFor();
    await expect.poll(() => unreadOf(person)).toBe(0);
    await isSound(page);
    await page.getByRole('button', { name: 'Mark all as read' }).focus();
    await page.keyboard.press('Enter');
    await entry.getByText('New', { exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
    await page.getByRole('status').filter({ hasText: 'All notifications are marked as read.' }).waitFor();
  });

  it('move the focus to the first older one that was loaded', { tags: 'long' }, async () => {
    const person = await newPerson();
    const alertId = await giveAlert(person);
    const pool = makePool(databaseUrl(), 1, 'browser-tests');
    await pool.query(
      `insert into mails (id, kind, user_id, alert_id, to_address, status, created_at, sent_at)
       select gen_random_uuid(), 'match', a.user_id, a.id, 'x@example.com', 'sent', now() - n * interval '1 hour',
              now() - n * interval '1 hour' from alerts a, generate_series(1, 60) n where a.id = $1`,
      [alertId],
    );
    await pool.end();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/notifications');
    const entries = page.getByRole('main').getByRole('listitem');
    await page.getByRole('button', { name: 'Load older notifications' }).press('Enter');
    await expect.poll(() => entries.count()).toBe(60);
    await expect.poll(() => entries.nth(50).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.getByRole('button', { name: 'Load older notifications' }).count()).toBe(0);
  });

  it('send a message again, which then waits by the rules of its alert', async () => {
    const person = await mailed();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/notifications');
    await page.getByRole('button', { name: 'Send again: 1 new match' }).click();
    const toasts = page.getByRole('region', { name: 'Notifications (F8)' });
    await toasts.getByText('Waits to be sent again', { exact: true }).waitFor();
    // Late in the evening the five minutes end on the next day.
    await toasts
      .getByText(/^It waits until (tomorrow at )?\d\d:\d\d: an alert sends at most one message every five minutes\.$/)
      .waitFor();
    await page
      .getByText(/^Waits until (tomorrow at )?\d\d:\d\d: an alert sends at most one message every five minutes\./)
      .waitFor();
    await page.getByRole('button', { name: 'Send again: 1 new match' }).click();
    await seesToast(page, 'Not sent again', 'These cars wait to be sent already.');
    await isSound(page);
  });

  it('ask before a text goes again that may have arrived', { tags: 'long' }, async () => {
    const person = await mailed();
    await putOnPlan(person, 2);
    const pool = makePool(databaseUrl(), 1, 'browser-tests');
    const { rows: users } = await pool.query<{ id: string }>(
      "update users set phone = '+15125550177', phone_confirmed_at = now() where username = $1 returning id",
      [person.name],
    );
    const { rows: alerts } = await pool.query<{ id: string }>(
      'update alerts set text_notifications = true, last_texted_at = now() where user_id = $1 returning id',
      [users[0]?.id],
    );
    const { rows: texts } = await pool.query<{ id: string }>(
      `insert into texts (id, kind, user_id, alert_id, to_phone, status, settled_at)
       values (gen_random_uuid(), 'match', $1, $2, '+15125550177', 'unknown', now()) returning id`,
      [users[0]?.id, alerts[0]?.id],
    );
    await pool.query(
      `insert into notifications (user_id, alert_id, listing_id, channel, status, text_id, due_at)
       select user_id, alert_id, listing_id, 'sms', 'unknown', $3::uuid, now()
         from notifications where user_id = $1 and alert_id = $2`,
      [users[0]?.id, alerts[0]?.id, texts[0]?.id],
    );
    await pool.end();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/notifications');
    const entry = page.getByRole('listitem').filter({ hasText: 'It is not known' });
    await entry.getByRole('button', { name: /^Send again/ }).tap();
    const dialog = page.getByRole('alertdialog', { name: 'Send it again?' });
    await isSound(page);
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    expect(await page.getByText(/leaves by text message/).count()).toBe(0);
    await entry.getByRole('button', { name: /^Send again/ }).tap();
    await dialog.getByRole('button', { name: 'Send again' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await sees(page, 'Waits to be sent again');
    await page.getByText(/^Waits until .* It then leaves by text message\.$/).waitFor();
  });
});
