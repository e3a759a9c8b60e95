import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Queryable } from '../../src/base/database.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { makePushEngine, type PushParts } from '../../src/notify/channels/push/push.ts';
import { ensureVapidKeys, readVapidKeys } from '../../src/notify/channels/push/vapid-keys.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import type { Pusher } from '../../src/vendors/push/push.ts';
import { makeWebPusher } from '../../src/vendors/push/web-push.ts';
import { insertAlert, insertListing, insertMatch, insertUser, setUpMails } from '../mail/mail-fixtures.ts';
import { type PushService, startPushService, type TestBrowser } from './push-service.ts';

export const vapidEncryption = makeEncryption('a secret of this test that is long enough', 'vapid keys');

export async function insertDevice(
  db: Queryable,
  userId: number,
  subscription: TestBrowser['subscription'],
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, $2, $3, $4) returning id',
    [userId, subscription.endpoint, subscription.p256dh, subscription.auth],
  );
  return Number(rows[0]?.id);
}

/** One more due push notification of an alert. */
export async function insertDuePush(db: Queryable, alertId: number, listing: Record<string, unknown> = {}) {
  const listingId = await insertListing(db, listing);
  const notificationId = await insertMatch(db, alertId, listingId, { channel: 'push' });
  return { listingId, notificationId };
}

interface Pushed {
  devices?: number;
  alert?: object;
  user?: object;
  /** The push service of the devices. */
  service?: PushService;
}

/** Sets up a database and a push service, emptied before each test. Call it at the top of a test file. */
export function setUpPushes() {
  const { db, all, statuses } = setUpMails();
  const used = { service: undefined as unknown as PushService, publicKey: '' };
  beforeAll(async () => {
    used.service = await startPushService();
    used.publicKey = await ensureVapidKeys(db.pool, vapidEncryption);
  });
  afterAll(() => used.service.close());
  beforeEach(async () => {
    await db.pool.query('truncate push_subscriptions');
    used.service.accepted = [];
    used.service.faults = [];
    used.service.requests = [];
    used.service.answer = () => 201;
  });

  /** The real client, which posts to the push service of this machine. */
  const pusher = (timeoutMs = 1_000): Pusher =>
    makeWebPusher({
      subject: 'mailto:support@lotwatch.example',
      keys: () => readVapidKeys(db.pool, vapidEncryption),
      post: (post) => postGuarded({ ...post, timeoutMs }),
      allowPrivateNetwork: true,
      allowHttp: true,
    });
  const engine = (overrides: Partial<PushParts> = {}) =>
    makePushEngine({
      pool: db.pool,
      log: silentLog,
      pusher: pusher(),
      site: { publicUrl: 'https://lotwatch.example', secret: 'a secret of this test that is long enough' },
      random: () => 0.5,
      ...overrides,
    });
  return {
    db,
    all,
    statuses,
    used,
    pusher,
    engine,
    run: (overrides: Partial<PushParts> = {}) => engine(overrides).drain(),
    /** Makes due what waits to be tried again. */
    async retry() {
      await db.pool.query("update pushes set next_try_at = now() where status = 'waiting'");
      await db.pool.query('update push_subscriptions set retry_at = null');
    },
    /** A buyer with one alert, some devices and one due notification. */
    async pushed({ devices = 1, alert = {}, user = {}, service = used.service }: Pushed = {}) {
      const userId = await insertUser(db.pool, { ...user });
      const alertId = await insertAlert(db.pool, userId, { push_notifications: true, ...alert });
      const browsers = Array.from({ length: devices }, () => service.subscribe(used.publicKey));
      const ids: number[] = [];
      for (const browser of browsers) ids.push(await insertDevice(db.pool, userId, browser.subscription));
      return { userId, alertId, browsers, ids, ...(await insertDuePush(db.pool, alertId)) };
    },
  };
}
