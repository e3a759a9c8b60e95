/** @module-tag long */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTextProvider } from '../../faults/system/providers.ts';
import { closeServer, listen } from '../../lab/local-server.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makePushEngine } from '../../src/notify/channels/push/push.ts';
import { readVapidKeys } from '../../src/notify/channels/push/vapid-keys.ts';
import { readUnknownTexts } from '../../src/notify/channels/sms/read-unknown-texts.ts';
import { makeSmsEngine } from '../../src/notify/channels/sms/sms.ts';
import type { Engine } from '../../src/notify/engine.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import { makeWebPusher } from '../../src/vendors/push/web-push.ts';
import { makeSendgridMailer } from '../../src/vendors/sendgrid-mail.ts';
import { makeTwilioTexter } from '../../src/vendors/texts/twilio-text.ts';
import { storeCars } from '../factories.ts';
import { emailParts, sendDueMails } from '../mail/mail-fixtures.ts';
import { type SendgridServer, startSendgridServer } from '../mail/sendgrid-server.ts';
import { setUpApi } from '../make-app.ts';
import { insertDevice } from '../push/push-fixtures.ts';
import { type PushService, startPushService } from '../push/push-service.ts';
import { makeTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { PHONE, smsParts } from '../texts/text-fixtures.ts';
import { LOCAL_WEBHOOKS, makeTestEngine, matchAndMakeEvents } from '../webhooks/dealer.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/*
 * Every receiver of a buyer's is down for an hour by the database's clock, which is moved: instead of waiting until
 * something is due, all of its times are moved back by as much. All clients are those of production.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SENDGRID_KEY = 'SG.a-key-of-this-test';

const api = setUpApi({ env: LOCAL_WEBHOOKS });
const servers = {} as {
  sendgrid: SendgridServer;
  twilio: Awaited<ReturnType<typeof startTextProvider>>;
  push: PushService;
  webhook: Receiver;
};
const gates: TcpProxy[] = [];
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A gate in front of a server, which refuses every connection while it is closed. */
async function gateTo(serverUrl: string): Promise<string> {
  const gate = await makeTcpProxy(new URL(serverUrl).origin);
  gates.push(gate);
  return new URL(gate.url).origin;
}

const urls = { sendgrid: '', twilio: '', push: '', webhook: '' };
beforeAll(async () => {
  servers.sendgrid = await startSendgridServer(SENDGRID_KEY);
  servers.twilio = await startTextProvider(() => 1);
  servers.push = await startPushService();
  servers.webhook = await startReceiver();
  closing.push(() => Promise.all(gates.map((gate) => gate.close())));
  for (const name of ['sendgrid', 'twilio', 'push', 'webhook'] as const) {
    urls[name] = await gateTo(servers[name].url);
    closing.push(() => servers[name].close());
  }
  // Senders name the origin of the address that they call.
  servers.push.url = urls.push;
});

/** A dealer with an alert for Camrys that announces through every channel, and a webhook. */
async function makeBuyer(name: string): Promise<number> {
  const { pool } = api.db;
  const { browser, id } = await api.user(name);
  await pool.query('update users set plan_id = 4, phone = $2, phone_confirmed_at = now() where id = $1', [id, PHONE]);
  const { pushKey } = (await browser.gql('{ pushKey }')).data;
  await insertDevice(pool, id, servers.push.subscribe(pushKey).subscription);
  const made = await browser.gql(
    'mutation ($url: String!) { createWebhook(url: $url, events: ["match.created"]) { secret } }',
    { url: `${urls.webhook}/hooks` },
  );
  servers.webhook.secret = made.data.createWebhook.secret;
  const channels = { emailNotifications: true, textNotifications: true, pushNotifications: true };
  const alertId = await browser.createAlert(channels);
  await pool.query('update alerts set pending_match = false where id = $1', [alertId]);
  return alertId;
}

/** One engine of each channel, as a process that was just started makes them. */
function makeEngines(): { drain: Engine['drain'] }[] {
  const { pool } = api.db;
  const mailer = makeSendgridMailer({ apiKey: SENDGRID_KEY, apiBase: urls.sendgrid, from: 'a@lotwatch.example' });
  const texter = makeTwilioTexter({
    ...{ accountSid: `AC${'0f'.repeat(16)}`, authToken: 'a-token-of-this-test', from: '+15125550100' },
    ...{ apiBase: `${urls.twilio}/worker/1`, statusCallback: 'https://lotwatch.example/twilio' },
  });
  const encryption = makeEncryption(api.sessionSecret, 'vapid keys');
  const pusher = makeWebPusher({
    subject: 'mailto:support@lotwatch.example',
    keys: () => readVapidKeys(pool, encryption),
    post: postGuarded,
    ...{ allowPrivateNetwork: true, allowHttp: true },
  });
  const site = { publicUrl: 'https://lotwatch.example', secret: 'a secret of this test that is long enough' };
  return [
    { drain: () => sendDueMails(emailParts(api.db, mailer, { confirmEmail: false })) },
    makeSmsEngine(smsParts(api.db, texter)),
    makePushEngine({ pool, log: silentLog, pusher, site }),
    makeTestEngine(api, { random: Math.random }),
  ];
}

const movedTables = [
  ...['notifications', 'mails', 'texts', 'pushes', 'push_subscriptions'],
  ...['webhook_deliveries', 'webhooks', 'webhook_events'],
];

/** Moves all times of messages back, which is as if so much time had passed. */
async function letPass(ms: number): Promise<void> {
  const columns = await api.db.rows(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and (table_name = any ($1) or table_name = 'alerts' and column_name like 'last\\_%\\_at')`,
    [movedTables],
  );
  for (const [table, own] of Map.groupBy(columns, (row) => row.table)) {
    const moved = own.map(({ column }) => `${column} = ${column} - interval '${ms} ms'`).join(', ');
    await api.db.pool.query(`update ${table} set ${moved}`);
  }
}

/** Lets engines work for as long as this takes by the moved clock, or until nothing is pending. @returns how long it took */
async function work(forMs: number): Promise<number> {
  let passed = 0;
  while (passed < forMs) {
    // New engines, as those of a running process remember by their own clock that their vendor is down.
    const next: (number | null)[] = [];
    for (const engine of makeEngines()) next.push((await engine.drain()).nextInMs);
    const waits = next.filter((ms) => ms !== null);
    if (waits.length === 0) break;
    const ms = Math.min(forMs - passed, Math.max(SECOND, Math.ceil(Math.min(...waits))));
    await letPass(ms);
    passed += ms;
  }
  return passed;
}

/** Lists cars, whose notifications are written as for every new listing. */
async function listCars(count: number): Promise<number[]> {
  const ids = await storeCars(
    api.db.pool,
    Array.from({ length: count }, (_, n) => ({ url: `https://cars.example/${n}` })),
  );
  while ((await matchPendingListings(api.db.pool)) > 0);
  await matchAndMakeEvents(api);
  return ids;
}

/** The cars of the messages of a channel that its receiver accepted, by the ids that it got. */
const carsOf = async (column: 'mail_id' | 'text_id' | 'push_id', acceptedIds: readonly string[]): Promise<number[]> =>
  (
    await api.db.rows(
      `select listing_id as id from notifications where ${column} = any ($1::uuid[]) order by listing_id`,
      [acceptedIds],
    )
  ).map(({ id }) => Number(id));

const ofMails = () =>
  servers.sendgrid.accepted.map(({ body }) => body.personalizations[0]?.custom_args?.lotwatch_id ?? '');
const ofTexts = () => servers.twilio.accepted.map(({ textId }) => textId);
const ofPushes = () => servers.push.accepted.map(({ payload }) => String(payload.tag));
const ofWebhook = () => servers.webhook.accepted.map(({ data }) => Number(data.listing.id)).sort((a, b) => a - b);

async function emptyReceivers(): Promise<void> {
  servers.sendgrid.accepted.length = 0;
  servers.twilio.accepted.length = 0;
  servers.push.accepted.length = 0;
  servers.webhook.accepted.length = 0;
  for (const table of ['webhooks', 'alerts', 'notifications', 'mails', 'texts', 'pushes'])
    await api.db.pool.query(`delete from ${table}`);
}

/** Lists cars at the beginning of an outage and during it, for an hour. */
async function outage(): Promise<number[]> {
  const ids = await listCars(3);
  for (const more of [2, 1]) {
    await work(HOUR / 3);
    ids.push(...(await listCars(more)));
  }
  await work(HOUR / 3);
  return ids.sort((a, b) => a - b);
}

/** The longest delay between two attempts: half an hour with its jitter, of webhooks 85 minutes with theirs. */
const MAX_DELAY_MS = 95 * MINUTE;

describe('receivers that are down for an hour', () => {
  it('get everything once, through every channel, when they refused all connections', async () => {
    await emptyReceivers();
    await makeBuyer('refused');
    const ids = await outage();
    expect([ofMails(), ofTexts(), ofPushes(), ofWebhook()]).toEqual([[], [], [], []]);
    expect(
      await api.db.rows("select channel, status from notifications where status not in ('waiting', 'sending')"),
    ).toEqual([]);

    for (const gate of gates) await gate.open();
    expect(await work(3 * HOUR)).toBeLessThan(MAX_DELAY_MS);
    expect(await carsOf('mail_id', ofMails())).toEqual(ids);
    expect(await carsOf('text_id', ofTexts())).toEqual(ids);
    expect(await carsOf('push_id', ofPushes())).toEqual(ids);
    expect(ofWebhook()).toEqual(ids);
    for (const accepted of [ofMails(), ofTexts(), ofPushes()]) expect(new Set(accepted).size).toBe(accepted.length);
    expect(await api.db.rows('select distinct channel, status from notifications order by channel')).toEqual(
      ['email', 'push', 'sms'].map((channel) => ({ channel, status: 'sent' })),
    );
    expect(servers.push.faults).toEqual([]);
    for (const gate of gates) await gate.close();
  }, 120_000);

  it('get all but texts when they cut all connections, and the admin sees each text whose outcome is unknown', async () => {
    await emptyReceivers();
    await makeBuyer('cut');
    const cutters = await Promise.all(
      Object.values(urls).map(async (url) => {
        const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy()));
        await listen(server, Number(new URL(url).port));
        return server;
      }),
    );
    const ids = await outage();
    expect([ofMails(), ofTexts(), ofPushes(), ofWebhook()]).toEqual([[], [], [], []]);
    await Promise.all(cutters.map((server) => closeServer(server)));

    for (const gate of gates) await gate.open();
    await work(3 * HOUR);
    expect(await carsOf('mail_id', ofMails())).toEqual(ids);
    expect(await carsOf('push_id', ofPushes())).toEqual(ids);
    expect(ofWebhook()).toEqual(ids);
    const { rows: unknown } = await readUnknownTexts(api.db.pool, { first: 100, after: undefined });
    const texted = [
      ...(await carsOf('text_id', ofTexts())),
      ...(await carsOf(
        'text_id',
        unknown.map(({ id }) => id),
      )),
    ];
    expect(texted.sort((a, b) => a - b)).toEqual(ids);
    expect(unknown.length).toBeGreaterThan(0);
    expect(await api.db.rows('select distinct channel, status from notifications order by channel, status')).toEqual([
      { channel: 'email', status: 'sent' },
      { channel: 'push', status: 'sent' },
      { channel: 'sms', status: 'unknown' },
    ]);
    for (const gate of gates) await gate.close();
  }, 120_000);
});
