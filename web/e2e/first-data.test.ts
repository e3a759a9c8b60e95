import { describe, expect, it } from 'vitest';
import { collectCalls } from './browser/calls.ts';
import { giveAlert, newPerson, pushedCar, rareCar } from './browser/people.ts';
import { cookieOf } from './browser/session.ts';
import { canBrowse, holdApp, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the first data of a signed-in page', () => {
  const browser = useBrowser();

  it('comes with the page to its owner alone, and is not asked for again', async () => {
    const owner = await newPerson();
    const id = await giveAlert(owner, { location: 'Ambler, AK' });
    const hostile = '2016 Jaguar F-TYPE </script><script>alert(1)</script>';
    await pushItems('e2e', [
      pushedCar({ marketplace_listing_title: hostile, location: { reverse_geocode: { city: 'Ambler', state: 'AK' } } }),
    ]);
    await expect.poll(async () => (await owner.ask<{ matches: { nodes: [] } }>(matches)).matches.nodes.length).toBe(1);

    const phone = await browser.open({ cookies: owner.cookies, viewport: { width: 390, height: 844 } });
    const calls = collectCalls(phone);
    for (const path of ['/dashboard', `/alert/${id}`]) {
      const owns = async () => sentWith(await pageFor(path, cookieOf(owner)));
      await expect.poll(owns, SLOW).toContain('drawn');
      const before = calls.length;
      const answer = await phone.goto(path);
      expect(answer?.headers()['cache-control']).toBe('private, no-store');
      const isDrawn = sentWith((await answer?.text()) ?? '').includes('drawn');
      await phone.getByRole('article').getByText('2016 Jaguar F-TYPE').first().waitFor();
      if (isDrawn) expect(calls.slice(before)).toEqual([]);
    }

    const other = await newPerson();
    expect(await pageFor(`/alert/${id}`)).not.toContain('first-data');
    let forOther = '';
    await expect
      .poll(async () => {
        forOther = await pageFor(`/alert/${id}`, cookieOf(other));
        return sentWith(forOther);
      })
      .toContain('Viewer');
    expect(forOther).toContain(`"username":"${other.name}"`);
    expect(forOther).not.toContain('2016 Jaguar');
    expect(forOther).not.toContain(owner.name);
    // Drawn in the same thread, after those of the owner.
    await expect
      .poll(async () => {
        forOther = await pageFor('/dashboard', cookieOf(other));
        return sentWith(forOther);
      }, SLOW)
      .toContain('drawn');
    expect(forOther).toContain(`, ${other.name}</h1>`);
    for (const page of [forOther, await pageFor('/dashboard'), await pageFor('/terms')])
      for (const text of ['2016 Jaguar', 'Ambler', owner.name]) expect(page).not.toContain(text);
    // What fails is left out, and the page says so itself.
    const stranger = await browser.open({ cookies: other.cookies, expected: /./ });
    await stranger.goto(`/alert/${id}`);
    await stranger.getByText('Alert not found').first().waitFor();
  });

  it('is read, and its buttons are heard, before the app is there', async () => {
    const buyer = await newPerson();
    const id = await giveAlert(buyer, { location: 'Circle, AK' });
    await pushItems('e2e', [rareCar('Circle', 'Early')]);
    await expect.poll(async () => (await buyer.ask<{ matches: { nodes: [] } }>(matches)).matches.nodes.length).toBe(1);
    const path = `/alert/${id}`;
    let drawn = new Response();
    await expect
      .poll(async () => {
        drawn = await fetch(`${lotWatch().url}${path}`, { headers: { cookie: cookieOf(buyer) } });
        return sentWith(await drawn.clone().text());
      }, SLOW)
      .toContain('drawn');

    // The socket is not allowed on a page that the test hands out.
    const expected = /WebSocket connection/;
    const phone = await browser.open({ cookies: buyer.cookies, expected, viewport: { width: 390, height: 844 } });
    const calls = collectCalls(phone);
    const release = await holdApp(phone);
    const sent = { headers: Object.fromEntries(drawn.headers), body: await drawn.text() };
    await phone.route(`**${path}`, (route) => route.fulfill(sent));
    await phone.goto(path);
    await sees(phone, 'Details', '1 match');
    const save = phone.getByRole('article').getByRole('button', { name: /^Save/ }).first();
    await save.click();
    await expect.poll(() => phone.locator('[data-heard]').count()).toBe(1);
    expect(calls).toEqual([]);
    release();
    await phone.getByText('Car saved', { exact: true }).waitFor();
    expect(calls.filter(({ operationName }) => operationName === 'SaveListing')).toHaveLength(1);
    await expect.poll(() => phone.locator('[data-heard]').count()).toBe(0);
    // A tab in which somebody signed out shows nothing of what was drawn.
    expect(await phone.evaluate(() => document.getElementById('first-data'))).toBeNull();
  });
});

/** On a busy machine a page may take longer than its user waits for it to be drawn. */
const SLOW = { timeout: 60_000 };

const pageFor = async (path: string, cookie?: string): Promise<string> =>
  (await fetch(`${lotWatch().url}${path}`, cookie === undefined ? {} : { headers: { cookie } })).text();

/** The operations whose answers came with the page. */
function sentWith(html: string): string[] {
  const data = /<script type="application\/json" id="first-data">(.*?)<\/script>/s.exec(html)?.[1];
  const { answers, drawn } = JSON.parse(data ?? '{"answers":[]}') as { answers: { name: string }[]; drawn?: object };
  return [...answers.map(({ name }) => name), ...(drawn ? ['drawn'] : [])];
}

const matches = '{ matches(first: 5) { nodes { listing { id } } } }';
