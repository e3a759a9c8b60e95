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
    const ofShell = ['LiveStart', 'Viewer', 'Site', 'AlertQuota', 'Catalogue'];
    for (const [path, names] of [
      ['/dashboard', [...ofShell, 'MyAlerts', 'RecentListings']],
      [`/alert/${id}`, [...ofShell, 'AlertPage', 'AlertMatches']],
    ] as const) {
      // On a busy machine an answer may be too late for a page, which then asks for it.
      const owns = async () => sentWith(await pageFor(path, cookieOf(owner)));
      await expect.poll(owns).toEqual(expect.arrayContaining([...names]));
      const before = calls.length;
      const answer = await phone.goto(path);
      expect(answer?.headers()['cache-control']).toBe('private, no-store');
      const sent = sentWith((await answer?.text()) ?? '');
      await phone.getByRole('article').getByText('2016 Jaguar F-TYPE').first().waitFor();
      const asked = calls.slice(before).map(({ operationName }) => operationName);
      expect(asked.filter((name) => sent.includes(name))).toEqual([]);
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
    // What fails is left out, and the page says so itself.
    const stranger = await browser.open({ cookies: other.cookies, expected: /./ });
    await stranger.goto(`/alert/${id}`);
    await stranger.getByText('Alert not found').first().waitFor();
  });
});

const pageFor = async (path: string, cookie?: string): Promise<string> =>
  (await fetch(`${lotWatch().url}${path}`, cookie === undefined ? {} : { headers: { cookie } })).text();

/** The operations whose answers came with the page. */
function sentWith(html: string): string[] {
  const data = /<script type="application\/json" id="first-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '[]';
  return (JSON.parse(data) as { name: string }[]).map(({ name }) => name);
}

const matches = '{ matches(first: 5) { nodes { listing { id } } } }';
