/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { giveAlert, newPerson, putOnPlan, rareCar, someone } from './browser/people.ts';
import {
  canBrowse,
  databaseUrl,
  lotWatch,
  pushItems,
  readOutbox,
  sees,
  seesToast,
  useBrowser,
} from './browser/support.ts';

const textsTo = (phone: string) => readOutbox().filter(({ channel, to }) => channel === 'sms' && to === phone);
const newestCode = async (phone: string, count: number) => {
  await expect.poll(() => textsTo(phone).length).toBe(count);
  return /^\d{6}/.exec(textsTo(phone).at(-1)?.text ?? '')?.[0] ?? '';
};

describe.skipIf(!canBrowse)('text messages', () => {
  const browser = useBrowser();

  it('reach a phone that was confirmed with a code', async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await page.goto('/settings');
    const card = page.getByRole('region', { name: 'Text messages' });
    await card.getByRole('link', { name: 'See Plans' }).waitFor();

    await putOnPlan(me, 2);
    await page.reload();
    await card.getByText('Add a phone number to your profile above.', { exact: false }).waitFor();
    const save = async (phone: string) => {
      await page.getByRole('button', { name: 'Edit Contact Info' }).click();
      await page.getByLabel('Phone', { exact: true }).fill(phone);
      await page.getByLabel('Phone', { exact: true }).press('Enter');
      await seesToast(page, 'Profile updated', 'Your contact information has been saved.');
    };
    await save('12');
    await card.getByRole('button', { name: 'Text Me a Code' }).click();
    await seesToast(page, 'No code was sent', 'Please enter a phone number that can get text messages');
    await save('(907) 383-4100');
    await card.getByRole('button', { name: 'Text Me a Code' }).click();
    await seesToast(page, 'Code sent', 'We texted a code to ••• 4100.');
    const field = card.getByLabel('Code from the text');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await card.getByRole('button', { name: /^Another code in \d+ s$/ }).isDisabled()).toBe(true);
    const code = await newestCode('+19073834100', 1);

    await field.fill(code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)));
    await page.keyboard.press('Enter');
    await sees(page, "That isn't the code. Please check the newest text.");
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.reload();
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press('Enter');
    await card.getByText('Confirmed', { exact: true }).waitFor();
    await sees(page, '(907) 383-4100', '0 of 100 texts this month');
    await page.reload();
    await card.getByText('Confirmed', { exact: true }).waitFor();
    // The profile and the card show it in the same form.
    expect(await page.getByText('(907) 383-4100').count()).toBe(2);

    const alertId = await giveAlert(me, { location: 'Sand Point, AK', textNotifications: true });
    const car = rareCar('Sand Point', 'by the sea');
    await expect
      .poll(async () => (await me.ask<{ alert: unknown }>(`{ alert(id: ${alertId}) { isActive } }`)).alert)
      .toBeTruthy();
    await pushItems('e2e-texts', [car]);
    await expect.poll(() => textsTo('+19073834100').length).toBe(2);
    expect(textsTo('+19073834100')[1]).toMatchObject({
      kind: 'match',
      alertId: Number(alertId),
      text: `Jaguar F-Type near Sand Point, AK: 2016 Jaguar F-TYPE - by the sea, $21,500, Sand Point, AK ${lotWatch().url}/alert/${alertId}`,
    });
    await page.reload();
    await sees(page, '1 of 100 texts this month');
    await page.goto('/dev/outbox');
    await page.getByText('match to +19073834100', { exact: false }).waitFor();
  });

  it('are chosen in the alert, which explains what is missing', { tags: 'long' }, async () => {
    const me = await newPerson();
    await putOnPlan(me, 2);
    const alertId = await giveAlert(me, { location: 'Aniak, AK' });
    const page = await browser.open({ cookies: me.cookies });
    await page.goto(`/edit-alert/${alertId}`);
    await page.getByLabel('Text notifications').check();
    await page.getByRole('link', { name: 'Confirm it in Settings' }).waitFor();
    expect(await page.getByLabel('Text notifications').getAttribute('aria-describedby')).toBeTruthy();
    await page.getByRole('link', { name: 'Confirm it in Settings' }).click();
    await page.getByRole('heading', { name: 'Text messages' }).waitFor();
    const pool = makePool(databaseUrl(), 1, 'browser-tests');
    await pool.query("update users set phone = '+19075554102', phone_confirmed_at = now() where username = $1", [
      me.name,
    ]);
    await pool.query("insert into text_stops (phone) values ('+19075554102')");
    await pool.end();
    await page.reload();
    await page.getByText('You replied STOP. Text START to', { exact: false }).waitFor();
    await page.goto(`/edit-alert/${alertId}`);
    await page.getByLabel('Text notifications').waitFor();
    await expect.poll(() => page.getByText('Texts start once your phone is confirmed.').count()).toBe(0);
  });

  it('with an unknown outcome are listed on the admin page', { tags: 'long' }, async () => {
    const me = await newPerson();
    const pool = makePool(databaseUrl(), 1, 'browser-tests');
    await pool.query(
      `insert into texts (id, kind, user_id, to_phone, status, error)
       select gen_random_uuid(), 'code', id, '+19075554103', 'unknown', 'timeout of 15000ms exceeded' from users where username = $1`,
      [me.name],
    );
    await pool.end();
    const page = await browser.open({ cookies: someone('admin').cookies });
    await page.goto('/admin?tab=texts');
    const row = page.getByRole('listitem').filter({ hasText: me.name });
    await row.getByText('••• 4103').waitFor();
    await row.getByText('A code · timeout of 15000ms exceeded').waitFor();
  });
});
