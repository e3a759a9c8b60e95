import { beforeEach } from 'vitest';
import { inTransaction, type Queryable } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { dropOldTexts, makeSmsEngine, type SmsParts } from '../../src/notify/channels/sms/sms.ts';
import { stopTexts } from '../../src/notify/channels/sms/stop-texts.ts';
import type { OutgoingText, Texter } from '../../src/vendors/texts/text.ts';
import type { TestDatabase } from '../database.ts';
import { insertAlert, insertListing, insertMatch, insertUser, setUpMails } from '../mail/mail-fixtures.ts';

export const PHONE = '+15125550123';

/** A buyer on Starter whose phone is confirmed. */
export function insertTexted(db: Queryable, overrides: Record<string, unknown> = {}): Promise<number> {
  return insertUser(db, { plan_id: 2, phone: PHONE, phone_confirmed_at: new Date(), ...overrides });
}

/** One more due text of an alert. */
export async function insertDueText(db: Queryable, alertId: number, listing: Record<string, unknown> = {}) {
  const listingId = await insertListing(db, listing);
  const notificationId = await insertMatch(db, alertId, listingId, { channel: 'sms' });
  return { listingId, notificationId };
}

/** A buyer with one alert and one due text. */
export async function insertTextedAlert(
  db: Queryable,
  alert: Record<string, unknown> = {},
  user: Record<string, unknown> = {},
) {
  const userId = await insertTexted(db, user);
  const alertId = await insertAlert(db, userId, { text_notifications: true, ...alert });
  return { userId, alertId, ...(await insertDueText(db, alertId)) };
}

export function smsParts(db: TestDatabase, texter: Texter, overrides: Partial<SmsParts> = {}): SmsParts {
  return {
    pool: db.pool,
    texter,
    log: silentLog,
    publicUrl: 'https://lotwatch.example',
    confirmEmail: true,
    rules: { countries: ['US', 'CA'], segmentsPerDay: 100_000, supportEmail: 'support@lotwatch.example' },
    ...overrides,
  };
}

/** A texter that accepts every text and keeps it. */
export function recordingTexter(texts: OutgoingText[]): Texter {
  return {
    timeoutMs: 1_000,
    send(text) {
      texts.push(text);
      return Promise.resolve({ sid: `SM${text.id.replaceAll('-', '')}` });
    },
  };
}

export const failing = (error: unknown): Texter => ({ timeoutMs: 1, send: () => Promise.reject(error) });

/** Sets up a database for texts, emptied before each test, and collects sent texts. Call it at the top of a test file. */
export function setUpTexts() {
  const texts: OutgoingText[] = [];
  const { db, all, statuses } = setUpMails(() => seedPlans(db.pool));
  beforeEach(() => {
    texts.length = 0;
  });
  return {
    texts,
    db,
    all,
    statuses,
    /** Runs a new engine, which delivers into `texts` by default; null is a worker without a provider. */
    run: async (texter: Texter | null = recordingTexter(texts)) =>
      texter ? makeSmsEngine(smsParts(db, texter)).drain() : { unknown: await dropOldTexts(db.pool), nextInMs: null },
    stop: () => inTransaction(db.pool, (client) => stopTexts(client, PHONE)),
  };
}
