import { Temporal } from 'temporal-polyfill';
import twilio from 'twilio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { insertListing, insertMatch } from '../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../test/make-app.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { PHONE } from '../../test/texts/text-fixtures.ts';
import { channels } from '../base/channels.ts';
import { startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { readSettings } from '../base/settings/settings.ts';
import { signToken } from '../domain/action-links.ts';
import { channelList } from '../entities/delivery-channels.ts';
import { startJobs } from '../jobs/schedule/agenda.ts';
import { outboxFile, readOutbox } from '../vendors/outbox-mail.ts';
import { buildWorker } from './build-worker.ts';

const TOKEN = 'a-token-of-twilio';
const PUBLIC_URL = 'http://localhost:4000';
/** Longer than the test: what leaves, leaves as the change has notified the worker. */
const EVERY_MS = 3_600_000;

const api = setUpApi({ env: { PUBLIC_URL, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+15125550100' } });
const folder = setUpFolder();
const closing: (() => Promise<void>)[] = [];
/** How many of the worker's jobs are running. */
let runs = 0;

const makeWorker = (over: Record<string, string> = {}) => {
  const env = { DATABASE_URL: api.db.url, DATA_DIR: folder, SESSION_SECRET: api.sessionSecret, PUBLIC_URL, ...over };
  return buildWorker(readSettings(env), { log: silentLog });
};

/** A worker of which only the delivery jobs run, when they are notified. */
beforeAll(async () => {
  const worker = await makeWorker();
  const listener = await startListener(api.db.url, silentLog);
  const names = channelList.map(({ job }) => job);
  const jobs = worker.jobs
    .filter(({ name }) => names.includes(name))
    .map((job) => ({
      ...job,
      everyMs: EVERY_MS,
      run: () => {
        runs += 1;
        return job.run().finally(() => (runs -= 1));
      },
    }));
  const options = { database: api.db.url, mongoUrl: undefined, listener, log: silentLog, jobs };
  const running = await startJobs(options);
  closing.push(
    () => running.close(),
    () => worker.close(),
    () => listener.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

interface Buyer {
  browser: Browser;
  userId: number;
  alertId: number;
}

async function ask({ browser }: Buyer, mutation: string): Promise<void> {
  const { errors } = await browser.gql(`mutation { ${mutation} }`);
  if (errors[0]) throw new Error(errors[0].message);
}
const snooze = (days: number) => (buyer: Buyer) =>
  ask(buyer, `snoozeAlert(id: ${buyer.alertId}, days: ${days}) { id }`);
const update = (buyer: Buyer, patch: string) =>
  ask(buyer, `updateAlert(id: ${buyer.alertId}, input: {${patch}}) { id }`);
const hourIn = (hours: number) => Temporal.Now.zonedDateTimeISO('America/New_York').add({ hours }).hour;

async function unsubscribe({ alertId, userId }: Buyer): Promise<void> {
  const token = signToken(api.linkSecret, { action: 'unsubscribe', alertId, userId, expiresAt: null });
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(`${api.url}/m/${token}`, { method: 'POST', body })).status).toBe(200);
}

async function replyStop(): Promise<void> {
  const path = '/api/webhooks/twilio';
  const form = { MessageSid: 'SM1', From: PHONE, To: '+15125550100', Body: 'STOP' };
  const signature = twilio.getExpectedTwilioSignature(TOKEN, PUBLIC_URL + path, form);
  const headers = { 'x-twilio-signature': signature };
  expect((await fetch(api.url + path, { method: 'POST', headers, body: new URLSearchParams(form) })).status).toBe(200);
}

async function textOnly(buyer: Buyer): Promise<void> {
  await api.db.pool.query('update users set plan_id = 2, phone = $2, phone_confirmed_at = now() where id = $1', [
    buyer.userId,
    PHONE,
  ]);
  await update(buyer, 'textNotifications: true, emailNotifications: false');
  await snooze(1)(buyer);
}

/** What has become of the notification of an alert: the kind of the message in the outbox, or that it was dropped. */
async function outcome({ alertId }: Buyer): Promise<string | null> {
  const line = (await readOutbox(outboxFile(folder), 100)).find((one) => one.alertId === alertId);
  if (line) return line.kind;
  const [row] = await api.db.rows('select status from notifications where alert_id = $1', [alertId]);
  return row?.status === 'dropped' ? 'dropped' : null;
}

const changes: [
  what: string,
  hold: (buyer: Buyer) => Promise<void>,
  change: (buyer: Buyer) => Promise<void>,
  then: string,
][] = [
  ['the end of a snooze', snooze(1), snooze(0), 'summary'],
  [
    'the end of a pause',
    (buyer) => ask(buyer, 'pauseAll(paused: true) { id }'),
    (buyer) => ask(buyer, 'pauseAll(paused: false) { id }'),
    'summary',
  ],
  [
    'another hour of the digest',
    (buyer) => update(buyer, `delivery: daily, digestHour: ${hourIn(4)}`),
    (buyer) => update(buyer, `digestHour: ${hourIn(0)}`),
    'digest',
  ],
  ['unsubscribing', snooze(1), unsubscribe, 'dropped'],
  ['the reply STOP', textOnly, replyStop, 'dropped'],
];

it.each(changes)(
  '%s applies to what already waits as soon as the worker is notified',
  async (what, hold, change, then) => {
    const { browser, id: userId } = await api.user(`buyer-${changes.findIndex(([name]) => name === what)}`);
    const buyer = { browser, userId, alertId: await browser.createAlert() };
    await api.db.pool.query('update alerts set pending_match = false where id = $1', [buyer.alertId]);
    await hold(buyer);
    const found = { created_at: new Date(Date.now() - 65 * 60_000), channel: what.includes('STOP') ? 'sms' : 'email' };
    await insertMatch(api.db.pool, buyer.alertId, await insertListing(api.db.pool), found);
    await api.db.pool.query(`select pg_notify('${channels.work}', 'send')`);
    const held = 'select from notifications where alert_id = $1 and held_by is not null and due_at > now()';
    await expect.poll(() => api.db.rows(held, [buyer.alertId])).toHaveLength(1);
    // A run that is under way would look again by itself.
    await expect.poll(() => runs).toBe(0);
    expect(await outcome(buyer)).toBe(null);

    await change(buyer);
    const from = performance.now();
    await expect.poll(() => outcome(buyer), { interval: 10 }).toBe(then);
    process.stdout.write(`${what}: ${Math.round(performance.now() - from)} ms\n`);
  },
);

it('mails what waited for an address that no longer has to be confirmed, once a worker starts so', async () => {
  const { browser, id: userId } = await api.user('unconfirmed');
  const buyer = { browser, userId, alertId: await browser.createAlert() };
  await api.db.pool.query('update alerts set pending_match = false where id = $1', [buyer.alertId]);
  await api.db.pool.query('update users set email_confirmed_at = null where id = $1', [userId]);
  await insertMatch(api.db.pool, buyer.alertId, await insertListing(api.db.pool), {
    created_at: new Date(Date.now() - 65 * 60_000),
    due_at: new Date(Date.now() + 23 * 3_600_000),
    held_by: 'unconfirmed',
  });
  const isHeld = () => api.db.rows('select from notifications where alert_id = $1 and due_at > now()', [buyer.alertId]);
  await (await makeWorker({ CONFIRM_EMAIL: 'on' })).close();
  expect(await isHeld()).toHaveLength(1);
  await (await makeWorker({ CONFIRM_EMAIL: 'off' })).close();
  await expect.poll(() => outcome(buyer), { interval: 10 }).toBe('summary');
});
