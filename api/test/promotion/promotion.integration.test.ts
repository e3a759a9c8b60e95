import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from 'graphql-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gazetteer } from '../../lab/gazetteer.ts';
import { buildWorker, type Worker } from '../../src/app/build-worker.ts';
import { makePool } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/base/settings/settings.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { makeOrm } from '../../src/entities/orm.ts';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';
import type { OutgoingMail } from '../../src/vendors/mail.ts';
import type { OutgoingText } from '../../src/vendors/texts/text.ts';
import { type Browser } from '../browser.ts';
import { type TestDatabase, testDatabaseOf } from '../database.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { type OwnServer, type Standby, startOwnServer } from '../positions/own-server.ts';
import { setUpFolder } from '../set-up.ts';
import { makeTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { LOCAL_WEBHOOKS, type MadeWebhook, makeWebhook } from '../webhooks/dealer.ts';

const TOKEN = 'a-token-of-this-test';
const CARS = 40;
const LOWEST = 10_000;
const prices = Array.from({ length: CARS }, (_, at) => LOWEST + at);
const SECRET = 'a secret of at least 32 characters, for tests';
const folder = setUpFolder();

let primary: OwnServer;
let standby: Standby;
let proxy: TcpProxy;
let db: TestDatabase;
let api: TestApi;
let browser: Browser;
let webhook: MadeWebhook;
let socket: Client;
let serverUrl: string;
const workers: Worker[] = [];

/** What left, by channel: the price names the car. */
const left: Record<'email' | 'sms' | 'webhook', number[]> = { email: [], sms: [], webhook: [] };
const live: { price: number; at: number }[] = [];
/** The prices that stand in a message. */
const pricesIn = (text: string): number[] => [
  ...new Set([...text.matchAll(/\$(1\d),(\d{3})/g)].map(([, thousands, rest]) => Number(`${thousands}${rest}`))),
];

beforeAll(async () => {
  primary = await startOwnServer();
  serverUrl = primary.url;
  proxy = await makeTcpProxy(primary.url, () => serverUrl);
  await proxy.open();
  db = testDatabaseOf(proxy.url, makePool(proxy.url, 6, 'lotwatch-api'), await makeOrm(proxy.url, 4));
  await seedPlans(db.pool);
  const env = { ...LOCAL_WEBHOOKS, DATABASE_URL: proxy.url, INGEST_TOKEN: TOKEN, SESSION_SECRET: SECRET };
  api = await makeTestApi({ db, env });
  const made = await api.user('ana');
  browser = made.browser;
  await db.pool.query(
    "update users set plan_id = 4, phone = '+15125550100', phone_confirmed_at = now() where id = $1",
    [made.id],
  );
  // An alert for each car, as the messages of one alert are five minutes apart.
  for (const price of prices)
    await browser.createAlert({ priceMin: price, priceMax: price, priceStated: true, textNotifications: true });
  webhook = await makeWebhook({ ...made, alertId: 0 }, ['match.created']);
  for (let count = 0; count < 2; count += 1) {
    const settings = readSettings({
      ...env,
      ROLE: 'worker',
      DATA_DIR: join(folder, `worker-${count}`),
      DEMO_MARKETPLACE: 'off',
    });
    const worker = await buildWorker(settings, {
      log: silentLog,
      gazetteer,
      mailer: {
        send: async ({ text }: OutgoingMail) => void left.email.push(...pricesIn(text)),
        wasSent: async () => undefined,
      } as never,
      texter: {
        timeoutMs: 5_000,
        send: async ({ text }: OutgoingText) => {
          left.sms.push(...pricesIn(text));
          return { sid: null };
        },
      },
    });
    workers.push(worker);
    await worker.start();
  }
  standby = await primary.startStandby();
}, 180_000);
afterAll(async () => {
  await socket?.dispose();
  webhook?.receiver.close();
  for (const worker of workers) await worker.close();
  await api?.close();
  await db?.close();
  await proxy?.close();
  await standby?.stop();
  await primary?.stop();
}, 60_000);

/** Pushes a car until it is acknowledged. */
async function push(price: number): Promise<void> {
  const body = JSON.stringify([
    {
      id: `car-${price}`,
      title: '2015 Toyota Camry LE',
      price,
      location: { latitude: 34.05, longitude: -118.24 },
      listing_photos: [{ image: { uri: `https://lot.example/${price}.jpg` } }],
      vehicle_odometer_data: { unit: 'MILES', value: 200_000 - (price - LOWEST) * 900 },
      url: `https://lot.example/${price}`,
    },
  ]);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  for (;;) {
    const answer = await fetch(`${api.url}/api/ingest/lot`, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(50);
  }
}

async function follow(): Promise<void> {
  const { data } = await browser.gql('{ matches(first: 1) { liveCursor } }');
  socket = browser.socket();
  socket.subscribe<{ matchAdded: { match: { listing: { price: number } } } }>(
    {
      query: 'subscription ($after: String) { matchAdded(after: $after) { match { listing { price } } } }',
      variables: { after: data.matches.liveCursor },
    },
    {
      next: ({ data: event }) => {
        if (event) live.push({ price: event.matchAdded.match.listing.price, at: performance.now() });
      },
      error: () => {},
      complete: () => {},
    },
  );
}

const leftFor = (some: readonly number[]) => () =>
  some.filter((price) => left.email.includes(price) && left.sms.includes(price) && webhookPrices().includes(price))
    .length;
const webhookPrices = () => webhook.receiver.accepted.map(({ data }) => Number(data.listing.price));

/** Runs a command of the operator. @returns the lines of its answer */
async function restored(...args: string[]): Promise<Record<string, never>[]> {
  const run = ['--import', 'tsx', 'api/src/cli/restored.ts', ...args];
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: proxy.url, DATA_DIR: folder, SESSION_SECRET: SECRET };
  const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: projectRoot, env });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('holds messages after the promotion of a standby that lacks the last second, and sends none twice', {
  tags: 'long',
  timeout: 400_000,
}, async () => {
  await follow();
  const [early, lost, late] = [prices.slice(0, 12), prices.slice(12, 28), prices.slice(28)];
  for (const price of early) await push(price);
  await expect.poll(leftFor(early), { timeout: 40_000 }).toBe(early.length);

  await standby.cutOff();
  for (const price of lost) await push(price);
  await expect.poll(leftFor(lost), { timeout: 40_000 }).toBeGreaterThan(lost.length / 2);
  await primary.kill();
  const killedAt = performance.now();
  serverUrl = standby.url;
  await standby.promote();
  const cursorBefore = Math.max(...webhook.receiver.accepted.map(({ cursor }) => cursor));
  const before = { email: [...left.email], sms: [...left.sms], webhook: webhookPrices() };

  // What is listed goes on being found and shown.
  const resubscribing = follow();
  for (const price of late) await push(price);
  await resubscribing;
  await expect.poll(() => live.some(({ price }) => late.includes(price)), { timeout: 30_000 }).toBe(true);
  const firstLate = live.find(({ price }) => late.includes(price));
  process.stderr.write(`first match after the kill: ${Math.round((firstLate?.at ?? 0) - killedAt)} ms\n`);
  // Sources show again what they show.
  for (const price of lost) await push(price);
  const matched = async () => (await db.row('select count(*)::int4 as n from matches'))?.n;
  await expect.poll(matched, { timeout: 30_000 }).toBe(CARS);
  const { data } = await browser.gql('{ matches(first: 100) { nodes { listing { price } } } }');
  expect(data.matches.nodes.map((node: { listing: { price: number } }) => node.listing.price).toSorted()).toEqual(
    prices,
  );

  // What was under way may still have been recorded; nothing new leaves.
  expect(await db.rows("select held from restores where held <> '{}'")).toHaveLength(1);
  const news = (channel: number[], old: number[]) =>
    channel.filter((price) => !old.includes(price) && late.includes(price));
  expect([news(left.email, before.email), news(left.sms, before.sms), news(webhookPrices(), before.webhook)]).toEqual([
    [],
    [],
    [],
  ]);

  // The former primary is started apart, and asked for what it knew.
  await primary.crash();
  const [compared] = await restored('compare', '--ahead', primary.url, '--complete');
  const listedLines = await restored('list', '--first', '1000');
  await primary.kill();
  const known = listedLines.flatMap(({ lost: message }) =>
    message ? [message as { channel: string; car: string; status: string }] : [],
  );
  for (const channel of ['email', 'sms', 'webhook'] as const) {
    const sent = channel === 'webhook' ? webhookPrices() : left[channel];
    const listed = known.filter((one) => one.channel === channel).map(({ car }) => Number(car?.split('-').at(-1)));
    // Each message that left in the lost interval is accounted for.
    expect([channel, sent.filter((price) => lost.includes(price) && !listed.includes(price))]).toEqual([channel, []]);
  }
  expect(compared).toMatchObject({ erased: [] });

  await restored('release');
  await db.pool.query("update notifications set due_at = now() where status = 'waiting'");
  await db.pool.query("select pg_notify('lotwatch_work', 'send')");
  const settled = async () =>
    (await db.row("select count(*)::int4 as n from notifications where status in ('waiting', 'sending')"))?.n;
  // An alert whose claim met the kill is tried again after a minute.
  await expect.poll(settled, { timeout: 150_000 }).toBe(0);
  await expect.poll(() => new Set(webhookPrices()).size, { timeout: 60_000 }).toBe(CARS);

  const unknown = known
    .filter(({ channel, status }) => channel === 'sms' && status === 'unknown')
    .map(({ car }) => Number(car.split('-').at(-1)));
  const sorted = (some: readonly number[]) => some.toSorted((one, other) => one - other);
  expect(sorted(left.email)).toEqual(prices);
  // A text whose call was under way at the kill is never repeated.
  expect(sorted([...new Set([...left.sms, ...unknown])])).toEqual(prices);
  expect(new Set(left.sms).size).toBe(left.sms.length);
  expect(sorted(webhookPrices())).toEqual(prices);
  const cursorsOf = (some: readonly number[]) =>
    webhook.receiver.accepted
      .filter(({ data: event }) => some.includes(Number(event.listing.price)))
      .map(({ cursor }) => cursor);
  expect(Math.min(...cursorsOf(late))).toBeGreaterThan(cursorBefore);
  const { segments } = (await db.row('select sum(segments)::int4 as segments from text_counts')) ?? {};
  expect(segments).toBeGreaterThanOrEqual(left.sms.length);
});
