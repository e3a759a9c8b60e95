import { describe, expect, it } from 'vitest';
import { partOf } from '../../api/test/running-lotwatch.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('while the server restarts', () => {
  const browser = useBrowser();

  /** Whether the new server answers: the old one may still answer while it shuts down. */
  const isBack = async (ended: number) =>
    partOf(lotWatch(), 'api') !== ended && (await fetch(`${lotWatch().url}/healthz`)).ok;

  it('after SIGTERM an open page reports it, and misses no match', { tags: 'long' }, () =>
    restart('SIGTERM', 'Galena'),
  );
  it('after SIGKILL an open page reports it, and misses no match', { tags: 'long' }, () =>
    restart('SIGKILL', 'McGrath'),
  );

  async function restart(signal: 'SIGTERM' | 'SIGKILL', city: string): Promise<void> {
    const person = await newPerson();
    const id = await giveAlert(person, { location: `${city}, AK` });
    const page = await browser.open({ cookies: person.cookies, expected: /WebSocket|Failed to load resource/ });
    const socket = page.waitForEvent('websocket');
    await page.goto(`/alert/${id}`);
    await sees(page, 'No matching listings yet');
    await (await socket).waitForEvent('framereceived');
    await page.evaluate(() => Object.assign(window, { notReloaded: true }));

    const ended = partOf(lotWatch(), 'api');
    process.kill(ended, signal);
    await sees(page, 'Connection lost. Trying again…', 'Within 50 miles');
    await expect.poll(() => isBack(ended), { timeout: 60_000 }).toBe(true);
    await pushItems('restart', [rareCar(city, `After ${signal}`)]);
    await page
      .getByRole('article')
      .filter({ hasText: `After ${signal}` })
      .waitFor({ timeout: 40_000 });
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'detached', timeout: 40_000 });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);
  }
});
