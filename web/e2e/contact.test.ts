import { describe, expect, it } from 'vitest';
import { failing, holding } from './browser/faults.ts';
import { newPerson } from './browser/people.ts';
import { arrivesAt, canBrowse, readOutbox, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('contact', () => {
  const browser = useBrowser();

  it('sends messages of a visitor to the support address', async () => {
    const page = await browser.open();
    await page.goto('/contact');
    const subject = `Word of ${process.pid}`;
    const button = page.getByRole('button', { name: 'Send Message' });
    await button.click();
    await expect.poll(() => page.getByText('Required', { exact: true }).count()).toBe(4);
    expect(await page.getByRole('img', { name: 'error' }).count()).toBe(4);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill('ada');
    await page.getByLabel('Subject').fill(subject);
    await page.getByLabel('Message').fill('First line\nSecond <b>line</b>');
    await sees(page, 'Please enter a valid email');
    await page.getByLabel('Email').fill('ada@example.com');
    await button.click();
    await seesToast(page, 'Message sent!', 'Thank you for your message. We answer to ada@example.com.');
    await sees(page, 'Thank You!');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Thank You!');
    const sent = () => readOutbox().find((mail) => mail.subject === `Contact: ${subject}`);
    await expect.poll(sent).toMatchObject({ kind: 'contact', to: 'support@lotwatch.localhost' });
    expect(sent()?.text).toContain('From Ada <ada@example.com>\n\nFirst line\n\nSecond <b>line</b>');

    await page.getByRole('button', { name: 'Send Another Message' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await page.getByLabel('Subject').inputValue()).toBe('');
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  });

  it('fills in the signed-in user, keeps the typed text when sending fails, and then sends', async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    const answers = await holding(page, 'Viewer');
    await page.goto('/contact-us');
    await page.getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
    answers();
    expect(await page.getByLabel('Name').inputValue()).toBe(person.name);
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    expect(await page.getByLabel('Subject').inputValue()).toBe('Elite plan for dealers');
    await page.getByLabel('Message').fill('Twelve buyers in three towns');
    const button = page.getByRole('button', { name: 'Send Message' });

    const recover = await failing(page, 'SendContactMessage', { message: '' });
    await button.click();
    await seesToast(page, 'Error', 'Failed to send your message. Please try again later.');
    await recover();
    const refused = await failing(page, 'SendContactMessage', {
      message: 'Name can have at most 100 characters',
      code: 'VALIDATION',
      fields: { name: 'Name can have at most 100 characters' },
    });
    await button.click();
    await sees(page, 'Name can have at most 100 characters');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await refused();
    expect(await page.getByLabel('Message').inputValue()).toBe('Twelve buyers in three towns');
    await page.getByLabel('Name').fill('Dana');
    const release = await holding(page, 'SendContactMessage');
    await button.click();
    await expect.poll(() => page.getByRole('button', { name: 'Sending...' }).isDisabled()).toBe(true);
    release();
    await sees(page, 'Message sent!', 'Thank You!');
  });

  it('links the pages of text to each other and to the home page', { tags: 'long' }, async () => {
    const page = await browser.open();
    for (const [path, title] of [
      ['/privacy', 'Privacy Policy'],
      ['/terms', 'Terms of Service'],
      ['/privacy-policy', 'Cookies and Stored Data'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await expect.poll(() => page.title()).toBe(`${title} · LotWatch`);
      const anchors = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      await anchors.last().click();
      const goal = page.getByRole('heading', { level: 2, name: (await anchors.last().textContent()) ?? '' });
      await expect.poll(() => goal.evaluate((element) => element === document.activeElement)).toBe(true);
      expect((await goal.boundingBox())?.y).toBeLessThan(900);
      await page.getByRole('link', { name: 'Back to home' }).click();
      await arrivesAt(page, '/');
    }
  });
});
