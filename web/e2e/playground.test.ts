import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { newPerson, PASSWORD, RARE_ALERT, rareCar, someone } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const TOWN = 'Kaktovik';
const EMPTY_ANSWER = 'Press ▶ or Ctrl+Enter. The answer appears here.';
const VISITOR = 'You can read the whole API here.';
/** Faults of GraphiQL itself: close buttons inside tabs, equal names of history entries, tooltips outside the landmarks. */
const GRAPHIQL_FAULTS =
  /^(nested-interactive: .*graphiql-tab|label-content-name-mismatch: .*graphiql-history|region: .*data-radix)/;
/** The editor is large, and the machine may be busy. */
const LOADED = { timeout: 30_000 };

const execute = (page: Page) => page.getByRole('button', { name: 'Execute query' });
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}\\b`) });
const panel = (page: Page, name: string) => page.getByRole('button', { name: `Show ${name}` });

async function openPlayground(page: Page): Promise<void> {
  await page.goto('/playground');
  await page.locator('.graphiql-query-editor .monaco-editor').waitFor(LOADED);
}

/** The visible text of an editor. */
async function textOf(page: Page, part: string): Promise<string> {
  const lines = page.locator(`${part} .view-lines`);
  return (await lines.innerText()).replace(/\s+/g, ' ');
}
const answer = (page: Page) => () => textOf(page, '.graphiql-response');
const query = (page: Page) => () => textOf(page, '.graphiql-query-editor');

async function openExample(page: Page, name: string, operation: string): Promise<void> {
  if (await panel(page, 'Examples').isVisible()) await panel(page, 'Examples').click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await tab(page, operation).waitFor();
  await expect.poll(query(page)).toContain(operation);
}

/**
 * Replaces an editor's text by the clipboard, because an editor closes the brackets of typed text. Repeats it if the
 * editor was not ready yet.
 */
async function fillEditor(page: Page, section: string, text: string): Promise<void> {
  const lines = page.getByRole('region', { name: section }).locator('.view-lines:visible');
  const tidy = (words: string) => words.replace(/\s/g, '').slice(0, 40);
  const paste = async () => {
    await lines.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    }, text);
    return tidy(await lines.innerText());
  };
  await expect.poll(paste, { interval: 1000 }).toBe(tidy(text));
}

describe.skipIf(!canBrowse)('the playground', () => {
  const browser = useBrowser();

  it('runs queries, mutations and live matches as the signed-in user, and remembers them', {
    tags: 'long',
  }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await openPlayground(page);
    await sees(page, person.name);
    await execute(page).click();
    await expect.poll(answer(page)).toContain(`"username": "${person.name}"`);

    await openExample(page, 'Create an alert', 'NewAlert');
    const input = { ...RARE_ALERT, location: `${TOWN}, AK`, onlyWithImages: false };
    await fillEditor(page, 'Variables', JSON.stringify({ input }));
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(answer(page)).toContain(`"place": "${TOWN}, AK"`);

    await openExample(page, 'Live matches', 'LiveMatches');
    await execute(page).click();
    let pushed = 0;
    // The test can't see when the subscription starts, so it adds a car a second until one arrives.
    await expect
      .poll(
        async () => {
          await pushItems('e2e', [rareCar(TOWN, `Played ${++pushed}`)]);
          return answer(page)();
        },
        { interval: 1000 },
      )
      .toMatch(/"title": "2016 Jaguar F-TYPE · Played \d+"/);
    await page.getByRole('button', { name: 'Stop query' }).click();

    const history = page.getByRole('region', { name: 'History' });
    // An operation is listed twice if its variables were changed while it ran.
    const names = async () => [...new Set(await history.locator('.graphiql-history-item-label').allInnerTexts())];
    await panel(page, 'History').click();
    await expect.poll(names).toEqual(['LiveMatches', 'NewAlert', 'WhoAmI']);
    const kept = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('graphiql:tabState')));
    await expect.poll(kept).toHaveLength(1);
    await page.reload();
    await tab(page, 'LiveMatches').waitFor(LOADED);
    await expect.poll(names).toEqual(['LiveMatches', 'NewAlert', 'WhoAmI']);
  });

  it('shows a visitor every field without asking the server, and brings them back signed in', async () => {
    const person = await newPerson();
    const page = await browser.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await openPlayground(page);
    await page.getByText(VISITOR).waitFor();
    await panel(page, 'Documentation Explorer').click();
    const docs = page.getByRole('region', { name: 'Documentation Explorer' });
    await docs.getByText('Subscription', { exact: true }).click();
    await docs.getByText("Each of the user's matches", { exact: false }).waitFor();
    expect(asked.filter((body) => body.includes('__schema'))).toEqual([]);

    await sees(page, EMPTY_ANSWER);
    await execute(page).click();
    await expect.poll(answer(page)).toContain('"carsSeenLastHour"');
    expect(await page.getByText(EMPTY_ANSWER).count()).toBe(0);
    await openExample(page, 'My alerts', 'MyAlerts');
    await execute(page).click();
    await expect.poll(answer(page)).toContain('"code": "UNAUTHENTICATED"');
    expect(asked.some((body) => body.includes('MyAlerts'))).toBe(true);

    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Username').fill(person.name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/playground');
    await sees(page, person.name);
    expect(await page.getByText(VISITOR).count()).toBe(0);
  });

  it('keeps no headers and nothing with a password', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: someone('user').cookies });
    await openPlayground(page);
    await fillEditor(page, 'Operation Editor', 'query Harmless { plans { id } }');
    await page.getByRole('button', { name: 'Headers' }).click();
    await fillEditor(page, 'Headers', '{"X-Key": "unspeakable"}');
    const sent = page.waitForRequest((request) => request.headers()['x-key'] === 'unspeakable');
    await execute(page).click();
    await sent;
    await expect.poll(answer(page)).toContain('"id": "1"');
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    await expect.poll(kept).toContain('Harmless');
    expect(await kept()).not.toContain('unspeakable');
  });

  it('fits every screen, follows light and dark, and works by keyboard', { tags: 'long' }, async () => {
    const page = await browser.open({ colorScheme: 'dark', cookies: someone('user').cookies });
    await openPlayground(page);
    const look = () => page.evaluate(() => [document.documentElement.className, document.body.className].join(' '));
    await expect.poll(look).toMatch(/^dark graphiql-dark/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('button', { name: 'Switch to light mode' }).press('Enter');
    await expect.poll(look).toMatch(/^light .*graphiql-light/);

    const inside = () => page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
    await page.locator('.graphiql-query-editor .graphiql-editor').press('Enter');
    await expect.poll(inside).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(inside).toBe(false);
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Execute/);
    expect((await axeFaults(page)).filter((fault) => !GRAPHIQL_FAULTS.test(fault))).toEqual([]);

    await page.setViewportSize({ width: 320, height: 640 });
    expect(await layoutFaults(page)).toEqual([]);
    await panel(page, 'History').click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await execute(page).isVisible()).toBe(false);
    await openExample(page, 'Find a place', 'FindPlace');
    await expect.poll(() => execute(page).isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
