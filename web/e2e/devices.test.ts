import { describe, expect, it } from 'vitest';
import { newPerson, PASSWORD } from './browser/people.ts';
import { logIn, personAt } from './browser/session.ts';
import { arrivesAt, canBrowse, lotWatch, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the devices page', () => {
  const browser = useBrowser();

  const elsewhere = async (name: string) => personAt(lotWatch().url, await logIn(lotWatch().url, name, PASSWORD));

  it('is reached from the settings, and signs out one device and then all others', async () => {
    const me = await newPerson();
    const [first, second] = [await elsewhere(me.name), await elsewhere(me.name)];
    const page = await browser.open({ cookies: me.cookies });
    await page.goto('/settings');
    await page.getByRole('link', { name: 'See Your Devices' }).click();
    await arrivesAt(page, '/settings/devices');
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(3);
    await rows.first().getByText('This device').waitFor();
    expect(await rows.first().getByRole('button').count()).toBe(0);

    await rows.last().getByRole('button').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await rows.last().getByRole('button').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
    await seesToast(page, 'Device signed out', 'Unknown browser is signed out.');
    await expect.poll(() => rows.count()).toBe(2);
    const alive = async () => [await first.ask('{ me { username } }'), await second.ask('{ me { username } }')];
    expect(await alive()).toContainEqual({ me: null });
    expect(await alive()).toContainEqual({ me: { username: me.name } });

    await page.getByRole('button', { name: 'Sign Out All Others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out All Others' }).click();
    await seesToast(page, 'Devices signed out', '1 other device is signed out.');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await alive()).toEqual([{ me: null }, { me: null }]);
    await sees(page, 'This device');
    expect(await page.getByRole('button', { name: 'Sign Out All Others' }).isDisabled()).toBe(true);
  });

  it('leads a page to the login when its device was signed out elsewhere', { tags: 'long' }, async () => {
    const me = await newPerson();
    const other = await elsewhere(me.name);
    const page = await browser.open({ cookies: me.cookies });
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await other.ask('mutation { endOtherSessions }');
    await arrivesAt(page, '/auth');
  });
});
