import { describe, expect, it } from 'vitest';
import { collectCalls } from './browser/calls.ts';
import { giveAlert, newPerson, pushedCar } from './browser/people.ts';
import { cookieOf } from './browser/session.ts';
import { canBrowse, lotWatch, pushItems, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the first data of a signed-in page', () => {
  const browser = useBrowser();

  it('comes with the page to its owner alone, and is not asked for again', async () => {
    const owner = await newPerson();
    const id = await giveAlert(owner, { location: 'Barrow, AK' });
    const hostile = '2016 Jaguar F-TYPE </script><script>alert(1)</script>';
    await pushItems('e2e', [
      pushedCar({ marketplace_listing_title: hostile, location: { reverse_geocode: { city: 'Barrow', state: 'AK' } } }),
    ]);
    await expect.poll(async () => (await owner.ask<{ matches: { nodes: [] } }>(matches)).matches.nodes.length).toBe(1);

    const phone = await browser.open({ cookies: owner.cookies, viewport: { width: 390, height: 844 } });
    const calls = collectCalls(phone);
    for (const path of ['/dashboard', `/alert/${id}`]) {
      const answer = await phone.goto(path);
      expect(answer?.headers()['cache-control']).toBe('private, no-store');
      await phone.getByRole('article').getByText('2016 Jaguar F-TYPE').first().waitFor();
    }
    const asked = new Set(calls.map(({ operationName }) => operationName));
    for (const name of ['LiveStart', 'Viewer', 'Site', 'AlertQuota', 'Catalogue', 'MyAlerts', 'RecentListings'])
      expect(asked).not.toContain(name);
    expect(asked).not.toContain('AlertPage');
    expect(asked).not.toContain('AlertMatches');

    const pageFor = async (cookie?: string) =>
      (await fetch(`${lotWatch().url}/alert/${id}`, cookie === undefined ? {} : { headers: { cookie } })).text();
    const other = await newPerson();
    expect(await pageFor(cookieOf(owner))).toContain('"AlertMatches"');
    expect(await pageFor()).not.toContain('first-data');
    const forOther = await pageFor(cookieOf(other));
    expect(forOther).toContain(`"username":"${other.name}"`);
    expect(forOther).not.toContain('2016 Jaguar');
    expect(forOther).not.toContain(owner.name);
    // What fails is left out, and the page says so itself.
    const stranger = await browser.open({ cookies: other.cookies, expected: /./ });
    await stranger.goto(`/alert/${id}`);
    await stranger.getByText('Alert not found').first().waitFor();
  });
});

const matches = '{ matches(first: 5) { nodes { listing { id } } } }';
