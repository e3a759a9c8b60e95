import type { Queryable } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import type { SmsParts } from '../../src/notify/channels/sms/sms.ts';
import type { Texter } from '../../src/vendors/texts/text.ts';
import type { TestDatabase } from '../database.ts';
import { insertAlert, insertListing, insertMatch, insertUser } from '../mail/mail-fixtures.ts';

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
    ...overrides,
  };
}
