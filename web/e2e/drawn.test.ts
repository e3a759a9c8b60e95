import { describe, expect, it } from 'vitest';
import { newName, newPerson, PASSWORD } from './browser/people.ts';
import { arrivesAt, canBrowse, holdApp, lotWatch, sees, untilDrawn, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

describe.skipIf(!canBrowse)('pages that the server draws', () => {
  const browser = useBrowser();

  it('read whole without scripts', async () => {
    const page = await browser.open({ ...PHONE, javaScriptEnabled: false, firstTime: true });
    for (const path of ['/', '/status', '/privacy', '/terms', '/contact', '/nowhere']) await untilDrawn(path);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: "Find your dream car the minute it's listed." }).waitFor();
    await sees(page, '$0', '$4.99', '$14.99', '$69.99', 'How It Works');
    expect(await page.getByLabel('Make').locator('option').count()).toBeGreaterThan(40);
    // It could store nothing.
    expect(await page.getByRole('region', { name: 'Cookies' }).isVisible()).toBe(false);
    for (const [path, title] of [
      ['/status', 'Status'],
      ['/privacy', 'Privacy Policy'],
      ['/terms', 'Terms of Service'],
      ['/contact', 'Contact Us'],
      ['/nowhere', '404 Page Not Found'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    }
    for (const path of ['/', '/privacy-policy', '/contact-us', '/auth', '/forgot-password']) {
      await untilDrawn(path);
      const html = await (await fetch(`${lotWatch().url}${path}`)).text();
      expect([path, html.match(/<script(?! type="application\/json")(?! src="\/start\.js")[^>]*>/g)]).toEqual([
        path,
        null,
      ]);
      expect([path, html.match(/ style="/g), html.includes('<h1')]).toEqual([path, null, true]);
    }
  });

  it('lose no press, text or choice that came before the app', async () => {
    const page = await browser.open(PHONE);
    const release = await holdApp(page);
    await untilDrawn('/');
    await page.goto('/');
    await page.getByLabel('Make').selectOption('honda');
    await page.getByLabel('Location').pressSequentially('Austin, TX');
    await page.getByLabel('Price to').fill('18000');
    await page.getByLabel('Only listings with images').uncheck();
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await expect.poll(() => page.locator('[data-heard]').count()).toBe(1);
    release();
    await page.getByRole('dialog', { name: 'Login Required' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('[data-heard]').count()).toBe(0);
    const stored = await page.evaluate(() => JSON.parse(sessionStorage.getItem('pendingAlert') ?? '{}'));
    expect(stored).toMatchObject({ make: 'honda', location: 'Austin, TX', priceMax: '18000', onlyWithImages: false });
    expect(await page.getByLabel('Price to').inputValue()).toBe('18,000');
    await page.getByLabel('Model').selectOption({ label: 'Civic' });
    await page.goto('/terms');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  });

  it('go on with the form that was chosen before the app', async () => {
    const page = await browser.open();
    const release = await holdApp(page);
    await untilDrawn('/auth');
    await page.goto('/auth', { waitUntil: 'commit' });
    await page.getByRole('tab', { name: 'Register' }).click();
    const name = newName();
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    release();
    await page.getByLabel('Phone').fill('415 555 0101');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await arrivesAt(page, '/dashboard');
  });

  it('take the quick form without scripts, and lead to the new account with the alert', async () => {
    const page = await browser.open({ ...PHONE, javaScriptEnabled: false, expected: /status of 422/ });
    await untilDrawn('/');
    await page.goto('/');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await sees(page, 'Please check your alert', 'Car make is required', 'Location is required');
    await page.goBack();
    await page.getByLabel('Make').selectOption('toyota');
    await page.getByLabel('Location').fill('Los Angeles, CA');
    await page.getByLabel('Price to').fill('$18,000');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await sees(page, 'Your alert is kept: Toyota · 50 miles of Los Angeles, CA · up to $18,000', 'Create Account');
    // With scripts it is the alert that the form is filled with after the registration.
    const scripted = await browser.open(PHONE);
    await scripted.goto(page.url());
    await expect
      .poll(() => scripted.evaluate(() => sessionStorage.getItem('pendingAlert')))
      .toContain('"make":"toyota"');
  });

  it('are not sent to somebody who is signed in', async () => {
    const { cookies } = await newPerson();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const path of ['/', '/contact']) {
      const answer = await fetch(`${lotWatch().url}${path}`, { headers: { cookie } });
      expect(answer.headers.get('vary')).toContain('Cookie');
      expect(await answer.text()).toContain('<div id="root"></div>');
    }
  });
});
