import express from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpServer } from '../../../test/set-up.ts';
import type { LinkedCar } from '../../alerts/dismiss-car.ts';
import type { LinkedDelivery } from '../../alerts/find-delivery.ts';
import { silentLog } from '../../base/log.ts';
import { signToken } from '../../domain/action-links.ts';
import { confirmLink } from './address-links.ts';
import type { AlertOfLink } from './alert-links.ts';
import { carLink } from './car-link.ts';
import { deliveryLinks } from './delivery-links.ts';
import { mailLinks } from './mail-links.ts';

const secret = 'a secret that is long enough for this';
const camry = { name: 'Toyota <Camry>', place: 'Los Angeles, CA' };
let acts: string[] = [];
let exists = true;
let delivery: LinkedDelivery;
let car: LinkedCar | null;

const act = (name: string) => async (alert: AlertOfLink) => {
  acts.push(`${name} ${alert.alertId} of ${alert.userId}`);
};

const server = setUpServer(
  express().use(
    mailLinks({
      secret,
      log: silentLog,
      count: async () => {},
      links: {
        ...deliveryLinks({
          findDelivery: async () => (exists ? delivery : null),
          change: async (alert, patch) => {
            await act(JSON.stringify(patch))(alert);
            delivery = { ...delivery, ...(patch as Partial<LinkedDelivery>), words: 'Once a day at 08:00 by mail.' };
          },
          snooze: (alert, days) => act(`snooze ${days}`)(alert),
        }),
        dismiss: carLink({
          findAlert: async () => (exists ? camry : null),
          findCar: async () => car,
          dismiss: act('dismiss'),
          restore: act('restore'),
        }),
      },
      confirm: confirmLink({ readConfirmation: async () => 'open', confirm: async () => {} }),
    }),
  ),
);
beforeEach(() => {
  acts = [];
  exists = true;
  delivery = {
    ...camry,
    words: 'At once by mail.',
    delivery: 'instant',
    maxMailsPerDay: null,
    isSnoozed: false,
    isActive: true,
  };
  car = { title: '2018 <Camry>', isDismissed: false };
});

const sign = (action: 'fewer' | 'daily') => signToken(secret, { action, alertId: 5, userId: 7, expiresAt: null });
const oneClick: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};
const choose = (choice: string): RequestInit => ({ ...oneClick, body: new URLSearchParams({ choice }).toString() });
const labelsOf = (page: string) => [...page.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label);
const visit = async (token: string, init?: RequestInit) => {
  const response = await fetch(`${server.url}/m/${token}`, init);
  return { status: response.status, page: await response.text() };
};

describe('the link "fewer mails"', () => {
  it('shows what holds now and offers each way as one button, and changes nothing', async () => {
    const { status, page } = await visit(sign('fewer'));
    expect(status).toBe(200);
    expect(page).toContain('At once by mail.');
    expect(labelsOf(page)).toEqual([
      'One mail a day',
      'At most 3 mails a day',
      'Snooze for 1 day',
      'Snooze for 3 days',
      'Snooze for 7 days',
      'Pause this alert',
    ]);
    expect(acts).toEqual([]);
  });

  it.each([
    ['daily', '{"delivery":"daily"} 5 of 7'],
    ['few', '{"delivery":"instant","maxMailsPerDay":3} 5 of 7'],
    ['snooze-1', 'snooze 1 5 of 7'],
    ['snooze-3', 'snooze 3 5 of 7'],
    ['snooze-7', 'snooze 7 5 of 7'],
    ['pause', '{"isActive":false} 5 of 7'],
    ['at-once', '{"delivery":"instant","maxMailsPerDay":null} 5 of 7'],
    ['wake', 'snooze 0 5 of 7'],
    ['resume', '{"isActive":true} 5 of 7'],
  ])('does what was chosen: %s', async (choice, expected) => {
    expect((await visit(sign('fewer'), choose(choice))).status).toBe(200);
    expect(acts).toEqual([expected]);
  });

  it('then says what holds, and offers the way back', async () => {
    const { page } = await visit(sign('fewer'), choose('daily'));
    expect(page).toContain('One mail a day from now on');
    expect(page).toContain('Once a day at 08:00 by mail.');
    expect(labelsOf(page)).toContain('Mail me at once again');
    expect(labelsOf(page)).not.toContain('One mail a day');
    expect(labelsOf((await visit(sign('fewer'), choose('pause'))).page)).toEqual(['Switch it on again']);
  });

  it.each([
    ['without a choice', oneClick],
    ['with an unknown one', choose('toString')],
    ['with a body that is too long', choose('x'.repeat(5_000))],
  ])('asks again %s', async (_what, init) => {
    const { status, page } = await visit(sign('fewer'), init);
    expect(status).toBe(400);
    expect(labelsOf(page)).toContain('One mail a day');
    expect(acts).toEqual([]);
  });
});

describe('the link "one mail a day"', () => {
  it('shows one button on a GET, acts on a POST, and offers the way back', async () => {
    expect(labelsOf((await visit(sign('daily'))).page)).toEqual(['One mail a day']);
    expect(acts).toEqual([]);
    const { page } = await visit(sign('daily'), { method: 'POST' });
    expect(labelsOf(page)).toContain('Mail me at once again');
    expect(labelsOf((await visit(sign('daily'))).page)).not.toContain('One mail a day');
    await visit(sign('daily'), choose('at-once'));
    expect(acts).toEqual(['{"delivery":"daily"} 5 of 7', '{"delivery":"instant","maxMailsPerDay":null} 5 of 7']);
  });
});

describe('the link "not this car"', () => {
  const link = () => signToken(secret, { action: 'dismiss', alertId: 5, userId: 7, listingId: 9, expiresAt: null });

  it('shows one button on a GET, dismisses on a POST, and undoes it on the page that follows', async () => {
    const asked = await visit(link());
    expect(labelsOf(asked.page)).toEqual(['Hide this car']);
    expect(asked.page).toContain('2018 &lt;Camry&gt;');
    expect(acts).toEqual([]);
    const posted = await visit(link(), { method: 'POST' });
    expect([posted.status, labelsOf(posted.page)]).toEqual([200, ['Undo']]);
    const undone = await visit(link(), choose('undo'));
    expect([undone.status, labelsOf(undone.page)]).toEqual([200, []]);
    expect(acts).toEqual(['dismiss 5 of 7', 'restore 5 of 7']);
  });

  it('of a car that is dismissed offers to undo it', async () => {
    car = { title: '2018 Camry', isDismissed: true };
    expect(labelsOf((await visit(link())).page)).toEqual(['Undo']);
  });

  it('that has expired leads to the alert, where the car can be hidden', async () => {
    const expiresAt = new Date(Date.now() - 1000);
    const late = await visit(signToken(secret, { action: 'dismiss', alertId: 5, userId: 7, listingId: 9, expiresAt }));
    expect(late.status).toBe(410);
    expect(late.page).toContain('Not this car');
    expect(late.page).toContain('href="/alert/5"');
  });

  it('says that the car or the alert is gone', async () => {
    car = null;
    for (const init of [undefined, oneClick]) {
      const { status, page } = await visit(link(), init);
      expect([status, page.includes('This car is gone')]).toEqual([410, true]);
    }
    exists = false;
    expect((await visit(link())).page).toContain('This alert no longer exists');
    expect(acts).toEqual([]);
  });
});
