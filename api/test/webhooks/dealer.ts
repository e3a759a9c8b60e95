import { beforeEach } from 'vitest';
import { makeEncryption } from '../../src/base/encryption.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeWebhookEngine, type WebhookParts } from '../../src/notify/channels/webhook/webhook.ts';
import type { Engine } from '../../src/notify/engine.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import { makeEventMaker } from '../../src/webhooks/events/event-maker.ts';
import { type Browser } from '../browser.ts';
import { storeCars, untilMatchesVisible } from '../factories.ts';
import { setUpApi, type TestApi } from '../make-app.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Settings under which webhooks may post to local receivers. */
export const LOCAL_WEBHOOKS = { WEBHOOK_PRIVATE_NETWORK: 'on' };

export interface Dealer {
  id: number;
  browser: Browser;
  alertId: number;
}

let made = 0;

/** A user on Elite with an alert for Camrys around Los Angeles. */
export async function makeDealer(api: TestApi, alert: Record<string, unknown> = {}): Promise<Dealer> {
  const { browser, id } = await api.user(`dealer-${++made}`);
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [id]);
  const alertId = await browser.createAlert(alert);
  while ((await matchPendingAlerts(api.db.pool)) > 0);
  return { id, browser, alertId };
}

export interface MadeWebhook {
  id: string;
  receiver: Receiver;
}

/** Creates a webhook with its own receiver, which gets the secret. */
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

/** Matches all pending listings and makes events of the matches. */
export async function matchAndMakeEvents(api: TestApi): Promise<void> {
  const { db } = api;
  while ((await matchPendingListings(db.pool)) > 0);
  await untilMatchesVisible(db.pool);
  const maker = makeEventMaker(db.pool);
  while (await maker.round());
}

/** Sends messages until none is due. */
export async function deliverAll(engine: Engine): Promise<void> {
  await engine.run();
  await engine.idle();
}

/** Ends every wait: retries of messages are due, and no webhook backs off. */
export async function makeRetriesDue({ db }: TestApi): Promise<void> {
  await db.pool.query(`update webhook_deliveries set next_try_at = now() where status in ('waiting', 'sending')`);
  await db.pool.query('update webhooks set backoff_until = null');
}

/** A dealer with one webhook, which is created for each test of the file. */
interface WebhookScene {
  api: TestApi;
  dealer: Dealer;
  made: MadeWebhook;
  receiver: Receiver;
  engine: ReturnType<typeof makeTestEngine>;
  /** Stores cars and makes events of their matches. @returns the listings' ids in order */
  cars(count: number): Promise<number[]>;
  statuses(): Promise<string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the query decides the shape
  webhook(): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the query decides the shape
  act(mutation: string, id?: string): Promise<any>;
}

/** The ids of the listings that the receiver accepted, in the order of their events. */
export const receivedListings = ({ accepted }: Receiver) =>
  accepted.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing?.id);

const shown = `state pausedBecause failingSince waiting previousSecretUntil lastTry { taken statusCode error }
  deliveries { nodes { id messageId status cursor body attempts { statusCode ms error answer } } }`;

/** Call it once in a test file. The result is filled before each test. */
export function setUpWebhookScene(): WebhookScene {
  const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
    scene.dealer = await makeDealer(api);
  });
  const scene = {
    api,
    async cars(count) {
      const ids = await storeCars(
        api.db.pool,
        Array.from({ length: count }, () => ({})),
      );
      await matchAndMakeEvents(api);
      return ids.toSorted((a, b) => a - b);
    },
    async statuses() {
      return (await api.db.rows('select status from webhook_deliveries order by event_id')).map(({ status }) => status);
    },
    async webhook() {
      const { data } = await scene.dealer.browser.gql(`query ($id: ID!) { webhook(id: $id) { ${shown} } }`, {
        id: scene.made.id,
      });
      return data.webhook;
    },
    async act(mutation, id = scene.made.id) {
      const answer = await scene.dealer.browser.gql(`mutation ($id: ID!) { ${mutation} }`, { id });
      if (answer.errors[0]) throw new Error(answer.errors[0].message);
      return answer.data;
    },
  } as WebhookScene;
  beforeEach(async () => {
    await api.db.pool.query('delete from webhooks');
    await api.db.pool.query('delete from mails');
    scene.made = await makeWebhook(scene.dealer);
    scene.receiver = scene.made.receiver;
    scene.engine = makeTestEngine(api);
  });
  return scene;
}
