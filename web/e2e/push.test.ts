/** @module-tag long */
import type { Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { type PushService, startPushService } from '../../api/test/push/push-service.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, PASSWORD, type Person, rareCar } from './browser/people.ts';
import { findWorker, subscribeAt } from './browser/push.ts';
import { logIn, personAt } from './browser/session.ts';
import {
  arrivesAt,
  canBrowse,
  databaseUrl,
  lotWatch,
  pushItems,
  sees,
  seesToast,
  useBrowser,
} from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('push notifications', () => {
  const browser = useBrowser();
  let service: PushService;
  beforeAll(async () => {
    service = await startPushService();
  });
  afterAll(() => service.close());

  const card = (page: Page) => page.getByRole('region', { name: 'Push notifications' });
  const devices = async (me: Person) =>
    (await me.ask<{ pushSubscriptions: { id: string }[] }>('{ pushSubscriptions { id } }')).pushSubscriptions;

  async function openSettings(me: Person, options = {}): Promise<Page> {
    const page = await browser.open({ cookies: me.cookies, serviceWorkers: 'allow', ...options });
    await subscribeAt(page, service);
    await page.goto('/settings');
    return page;
  }
  async function turnOn(page: Page): Promise<void> {
    await card(page).getByRole('button', { name: 'Turn on push notifications' }).click();
    await card(page).getByRole('button', { name: 'Turn off push notifications' }).waitFor();
  }

  it('are turned on and off for a device in the settings, after a press and with a reason', async () => {
    const me = await newPerson();
    const page = await openSettings(me);
    await card(page)
      .getByText(/even while LotWatch is closed. Your browser asks whether you allow it/)
      .waitFor();
    expect(await devices(me)).toEqual([]);
    await turnOn(page);
    await seesToast(page, 'Push notifications are on', 'This device shows each message of the alerts that send them.');
    expect(await devices(me)).toHaveLength(1);
    await page.reload();
    await card(page).getByRole('button', { name: 'Turn off push notifications' }).click();
    await card(page).getByRole('button', { name: 'Turn on push notifications' }).waitFor();
    expect(await devices(me)).toEqual([]);
  });

  it('end on a device when its user signs out', async () => {
    const me = await newPerson();
    const page = await openSettings(me);
    await turnOn(page);
    const other = await newPerson();
    await page.getByRole('button', { name: me.name }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await arrivesAt(page, '/');
    await page.context().addCookies(other.cookies);
    await page.goto('/settings');
    await card(page).getByRole('button', { name: 'Turn on push notifications' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('subscription-of-test'))).toBeNull();
  });

  const subscribed = (page: Page) => page.evaluate(() => localStorage.getItem('subscription-of-test') !== null);
  async function signInAgain(page: Page, me: Person): Promise<void> {
    await page.goto('/auth');
    await page.getByLabel('Username').fill(me.name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/dashboard');
  }

  it('end on a device that is signed out from another one', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await openSettings(me);
    await turnOn(page);
    const elsewhere = personAt(lotWatch().url, await logIn(lotWatch().url, me.name, PASSWORD));
    await elsewhere.ask('mutation { endOtherSessions }');
    expect(await devices(elsewhere)).toEqual([]);
    await signInAgain(page, me);
    await expect.poll(() => subscribed(page)).toBe(false);
  });

  it('go on after the session has expired, until another user signs in', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await openSettings(me);
    await turnOn(page);
    const elsewhere = personAt(lotWatch().url, await logIn(lotWatch().url, me.name, PASSWORD));
    await page.context().clearCookies();
    const pool = makePool(databaseUrl(), 1, 'browser-tests');
    const sids = me.cookies.map(({ value }) => decodeURIComponent(value).slice(2).split('.')[0]);
    await pool.query('delete from session where sid = any($1)', [sids]);
    await pool.end();
    expect(await devices(elsewhere)).toHaveLength(1);
    const renewed = page.waitForResponse((response) => response.request().postData()?.includes('AddPush') ?? false);
    await signInAgain(page, me);
    await renewed;
    const { sessions } = await elsewhere.ask<{ sessions: { id: string; isCurrent: boolean }[] }>(
      '{ sessions { id isCurrent } }',
    );
    const there = sessions.find(({ isCurrent }) => !isCurrent);
    await elsewhere.ask('mutation ($id: ID!) { endSession(id: $id) }', { id: there?.id });
    expect(await devices(elsewhere)).toEqual([]);
  });

  it('reach the device of a phone from the alert on, as a card that opens the car', async () => {
    const me = await newPerson();
    const id = await giveAlert(me, { location: 'Sitka, AK', emailNotifications: false });
    const page = await browser.open({ ...PHONE, cookies: me.cookies, serviceWorkers: 'allow' });
    await subscribeAt(page, service);
    await page.goto(`/edit-alert/${id}`);
    await page.locator('summary').filter({ hasText: 'How should we tell you?' }).tap();
    await page.getByLabel('Push notifications').check();
    await sees(page, 'At once by push notification.');
    await page.getByText(/Not on this device yet/).waitFor();
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await page.getByRole('button', { name: 'Turn On Here' }).tap();
    await sees(page, 'On for this device.');
    await page.getByRole('button', { name: 'Update Alert' }).tap();
    await arrivesAt(page, '/my-alerts');
    await expect
      .poll(
        async () =>
          (await me.ask<{ alert: { pushNotifications: boolean } }>(`{ alert(id: ${id}) { pushNotifications } }`)).alert,
      )
      .toEqual({ pushNotifications: true });

    await pushItems('e2e-push', [rareCar('Sitka', 'by the harbor')]);
    await expect.poll(() => service.accepted.length).toBe(1);
    expect(service.faults).toEqual([]);
    const { payload } = service.accepted[0] ?? {};
    const title = '2016 Jaguar F-TYPE · by the harbor';
    expect(payload).toMatchObject({
      title: `${title} · $21,500`,
      url: expect.stringMatching(new RegExp(`^${lotWatch().url}/alert/${id}\\?car=\\d+$`)),
    });
    const carPage = payload.url.slice(lotWatch().url.length);

    const worker = await workerOf(page);
    const { deliver } = await findWorker(page);
    if (await canNotify(worker)) {
      await deliver(payload);
      await expect
        .poll(() => shownBy(worker))
        .toEqual([[payload.title, payload.body, payload.tag, { url: payload.url }]]);
      // A message that is delivered twice is shown once.
      await deliver(payload);
      expect(await shownBy(worker)).toHaveLength(1);
    }
    await page.goto(`/alert/${id}`);
    await recordCalls(worker);
    await deliver(payload);
    await expect.poll(() => calls(worker)).toHaveLength(1);
    expect((await calls(worker))[0]).toMatchObject([
      'showNotification',
      payload.title,
      { body: payload.body, tag: payload.tag },
    ]);
    // The tab that shows the alert goes to the car.
    await sees(page, title);
    await press(worker);
    expect((await calls(worker)).at(-1)).toEqual(['focus', `${lotWatch().url}/alert/${id}`]);
    await page.waitForURL(payload.url);
    await expect.poll(() => focused(page)).toContain(title);
    await page.getByRole('heading', { name: 'Matching Listings' }).click();
    await press(worker);
    await expect.poll(() => focused(page)).toContain(title);
    await page.goto('/my-alerts');
    await press(worker);
    expect((await calls(worker)).at(-1)).toEqual(['openWindow', payload.url]);

    // A car that the list does not have stands above it.
    await page.goto(`${carPage}&only=saved`);
    const asked = page.getByRole('region', { name: 'The car of your message' });
    await asked.getByRole('heading', { name: title }).waitFor();
    await expect.poll(() => focused(page)).toContain(title);
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    // A choice in the list keeps the focus, and leaves the car of the message.
    await page.goto(`${carPage}&sort=price`);
    await expect.poll(() => focused(page)).toContain(title);
    const choice = page.getByRole('button', { name: 'New', exact: true });
    await choice.press('Enter');
    await page.waitForURL((url) => url.search === '?sort=price&only=new');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await expect.poll(() => choice.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.goto(`/alert/${id}?car=999999999`);
    await sees(page, 'The car of your message no longer matches this alert.');
  });

  it('with content that can not be read, or for another site, open a page of ours', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await openSettings(me);
    await turnOn(page);
    const worker = await workerOf(page);
    await recordCalls(worker);
    const { deliver } = await findWorker(page);
    await deliver('no JSON');
    await expect.poll(() => calls(worker)).toHaveLength(1);
    expect((await calls(worker))[0]?.[1]).toBe('LotWatch');
    await deliver({ title: 'A card', url: 'https://elsewhere.example/alert/7?x=1' });
    await expect.poll(() => calls(worker)).toHaveLength(2);
    await press(worker);
    expect((await calls(worker)).at(-1)).toEqual(['openWindow', `${lotWatch().url}/alert/7?x=1`]);
  });

  it('that the browser blocks, or has none of, are explained', async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    });
    await page.goto('/settings');
    await card(page)
      .getByText(/^Your browser blocks notifications from LotWatch/)
      .waitFor();
    expect(await card(page).getByRole('button').count()).toBe(0);
    const old = await browser.open({ cookies: me.cookies });
    await old.addInitScript(() => {
      Reflect.deleteProperty(window, 'PushManager');
    });
    await old.goto('/settings');
    await card(old).getByText("This browser can't show push notifications.").waitFor();
  });
});

/** The text of what has the focus, within the screen. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { top = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
    const isSeen = document.activeElement !== document.body && top >= 0 && top < innerHeight;
    return isSeen ? (document.activeElement?.textContent ?? '') : '';
  });

async function workerOf(page: Page): Promise<Worker> {
  const context = page.context();
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
}

/** Chromium without windows has no notifications, whatever is allowed. */
const canNotify = (worker: Worker): Promise<boolean> => worker.evaluate(() => Notification.permission === 'granted');

/** The notifications that the browser shows. */
const shownBy = (worker: Worker): Promise<unknown[][]> =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => [title, body, tag, data]);
  });

/** Records what the worker asks of the browser. Without a press of a person the browser would refuse to open pages. */
async function recordCalls(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const here = globalThis as unknown as {
      calls: unknown[][];
      registration: { showNotification: unknown };
      clients: { openWindow: unknown };
      WindowClient: { prototype: { focus: unknown } };
    };
    here.calls = [];
    here.registration.showNotification = async (...given: unknown[]) =>
      void here.calls.push(['showNotification', ...given]);
    here.clients.openWindow = async (url: string) => void here.calls.push(['openWindow', url]);
    here.WindowClient.prototype.focus = async function focus(this: { url: string }) {
      here.calls.push(['focus', this.url]);
    };
  });
}

const calls = (worker: Worker): Promise<unknown[][]> =>
  worker.evaluate(() => (globalThis as unknown as { calls: unknown[][] }).calls);

/** Presses the last notification. */
async function press(worker: Worker): Promise<void> {
  await worker.evaluate(async () => {
    const here = globalThis as unknown as { calls: [string, string, { data: unknown }][] } & EventTarget;
    const shown = here.calls.findLast(([name]) => name === 'showNotification');
    let work: Promise<unknown> | undefined;
    const event = Object.assign(new Event('notificationclick'), {
      notification: { data: shown?.[2].data, close() {} },
      waitUntil(promise: Promise<unknown>) {
        work = promise;
      },
    });
    here.dispatchEvent(event);
    await work;
  });
}
