import { makeEncryption } from '../../src/base/encryption.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeWebhookEngine, type WebhookParts } from '../../src/notify/channels/webhook/webhook.ts';
import type { Engine } from '../../src/notify/engine.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import { makeEventMaker } from '../../src/webhooks/events/event-maker.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { untilMatchesSettle } from '../matching/match-factory.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const TRYING = { WEBHOOK_PRIVATE_NETWORK: 'on' };

export interface Dealer {
  id: number;
  browser: Browser;
  alertId: number;
}

let made = 0;

/** Somebody on Elite with an alert for Camrys around Los Angeles. */
export async function makeDealer(api: TestApi, alert: Record<string, unknown> = {}): Promise<Dealer> {
  const browser = makeBrowser(api.url);
  const id = await browser.register(`dealer-${++made}`);
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [id]);
  const { data, errors } = await browser.gql('mutation ($input: AlertInput!) { createAlert(input: $input) { id } }', {
    input: { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, ...alert },
  });
  if (errors[0]) throw new Error(errors[0].message);
  while ((await matchPendingAlerts(api.db.pool)) > 0);
  return { id, browser, alertId: Number(data.createAlert.id) };
}

export interface MadeWebhook {
  id: string;
  receiver: Receiver;
}

/** A webhook to a receiver of its own, which knows the secret. */
export async function makeWebhook(
  { browser }: Dealer,
  events = ['match.created', 'listing.price_dropped', 'alert.expiring'],
): Promise<MadeWebhook> {
  const receiver = await startReceiver();
  const { data, errors } = await browser.gql(
    'mutation ($url: String!, $events: [String!]!) { createWebhook(url: $url, events: $events) { secret webhook { id } } }',
    { url: receiver.url, events },
  );
  if (errors[0]) throw new Error(errors[0].message);
  receiver.secret = data.createWebhook.secret;
  return { id: data.createWebhook.webhook.id, receiver };
}

export function makeTestEngine(
  api: TestApi,
  more: Partial<WebhookParts> & { log?: Log } = {},
): Engine & { stop(): void } {
  const stopping = new AbortController();
  const engine = makeWebhookEngine({
    pool: api.db.pool,
    post: postGuarded,
    encryption: makeEncryption(api.sessionSecret, 'webhook secrets'),
    allowPrivateNetwork: true,
    allowHttp: true,
    confirmEmail: false,
    log: silentLog,
    signal: stopping.signal,
    random: () => 0.5,
    ...more,
  });
  return { ...engine, stop: () => stopping.abort() };
}

export const untilSettled = ({ db }: TestApi): Promise<void> => untilMatchesSettle(db.pool);

/** Matches all that waits and makes events of it. */
export async function matchAndMake(api: TestApi): Promise<void> {
  const { db } = api;
  while ((await matchPendingListings(db.pool)) > 0);
  await untilSettled(api);
  const maker = makeEventMaker(db.pool);
  while (await maker.round());
}

/** Sends all that is due, until nothing is. */
export async function deliverAll(engine: Engine): Promise<void> {
  await engine.run();
  await engine.idle();
}

/** Every wait is over: of messages to be tried again, and of webhooks that rest. */
export async function letTimePass({ db }: TestApi): Promise<void> {
  await db.pool.query(`update webhook_deliveries set next_try_at = now() where status in ('waiting', 'sending')`);
  await db.pool.query('update webhooks set backoff_until = null');
}
