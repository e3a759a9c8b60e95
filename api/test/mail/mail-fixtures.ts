import { beforeEach } from 'vitest';
import type { Queryable } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { type EmailParts, makeEmailEngine } from '../../src/notify/channels/email/email.ts';
import type { Mailer, OutgoingMail } from '../../src/vendors/mail.ts';
import { setUpDatabase, type TestDatabase } from '../database.ts';

let counter = 0;

async function insert(db: Queryable, table: string, row: Record<string, unknown>): Promise<number> {
  const names = Object.keys(row);
  const { rows } = await db.query<{ id: number }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}

/** Deletes users, alerts, listings, matches and messages; ids begin at 1 again. */
export async function emptyMailTables(db: Queryable): Promise<void> {
  await db.query(
    'truncate users, alerts, alert_throttles, listings, listings_to_match, matches, notifications, mails, texts, pushes, text_stops, text_counts restart identity cascade',
  );
}

export async function insertPlan(db: Queryable): Promise<void> {
  await db.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (1, 'Free', '', 0, 1, false, '{}') on conflict do nothing`,
  );
}

export function insertUser(db: Queryable, overrides: Record<string, unknown> = {}): Promise<number> {
  counter += 1;
  const username = `buyer-${counter}`;
  return insert(db, 'users', {
    username,
    email: `${username}@example.com`,
    email_confirmed_at: new Date(),
    password_hash: '-',
    time_zone: 'America/Los_Angeles',
    ...overrides,
  });
}

/** An alert for a Toyota Camry within 50 miles of Los Angeles that needs no backfill. */
export function insertAlert(db: Queryable, userId: number, overrides: Record<string, unknown> = {}): Promise<number> {
  return insert(db, 'alerts', {
    user_id: userId,
    make: 'toyota',
    model: 'camry',
    year_min: 2015,
    year_max: 2020,
    location: 'Los Angeles',
    place: 'Los Angeles, CA',
    lat: 34.0522,
    lng: -118.2437,
    radius: 50,
    price_max: 50_000,
    pending_match: false,
    ...overrides,
  });
}

export function insertListing(db: Queryable, overrides: Record<string, unknown> = {}): Promise<number> {
  counter += 1;
  return insert(db, 'listings', {
    source: 'lot',
    external_id: `car-${counter}`,
    title: '2018 Toyota Camry SE',
    make: 'toyota',
    model: 'camry',
    year: 2018,
    price: 15_400,
    mileage: 61_000,
    transmission: 'automatic',
    color: 'silver',
    city: 'Pasadena',
    state: 'CA',
    lat: 34.1478,
    lng: -118.1445,
    image_url: 'https://photos.example/1.jpg',
    images: ['https://photos.example/1.jpg'],
    url: 'https://marketplace.example/1',
    facts_hash: 'x',
    pending_match: false,
    ...overrides,
  });
}

/** A match with a notification that is due. @returns the notification's id */
export async function insertMatch(
  db: Queryable,
  alertId: number,
  listingId: number,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { rows } = await db.query<{ at: Date; userId: number }>(
    `select now() - interval '3 seconds' as at, (select user_id from alerts where id = $1) as "userId"`,
    [alertId],
  );
  const userId = rows[0]?.userId ?? 0;
  await db.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
     select $1, id, user_id, version, 8.8, 15400, true from alerts where id = $2 and user_id = $3
     on conflict do nothing`,
    [listingId, alertId, userId],
  );
  return insert(db, 'notifications', {
    user_id: userId,
    alert_id: alertId,
    listing_id: listingId,
    created_at: rows[0]?.at,
    due_at: rows[0]?.at,
    ...overrides,
  });
}

/** A match without a notification, as its car was to be announced under another id. */
export async function insertSilentMatch(db: Queryable, alertId: number, listingId: number): Promise<void> {
  await db.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
     select l.id, a.id, a.user_id, a.version, 8.8, l.price, false from listings l cross join alerts a
      where l.id = $1 and a.id = $2`,
    [listingId, alertId],
  );
}

/** A buyer with one alert and one due match. */
export async function insertDueMatch(
  db: Queryable,
  alert: Record<string, unknown> = {},
  user: Record<string, unknown> = {},
): Promise<{ userId: number; alertId: number; listingId: number; notificationId: number }> {
  const userId = await insertUser(db, user);
  const alertId = await insertAlert(db, userId, alert);
  const listingId = await insertListing(db);
  return { userId, alertId, listingId, notificationId: await insertMatch(db, alertId, listingId) };
}

interface RecordingMailer extends Mailer {
  mails: OutgoingMail[];
}

/** A mailer that keeps its mails. @param before runs before each mail is kept; it may throw */
export function recordingMailer(before: (mail: OutgoingMail) => void | Promise<void> = () => {}): RecordingMailer {
  const mails: OutgoingMail[] = [];
  return {
    mails,
    async send(mail) {
      await before(mail);
      mails.push(mail);
    },
    wasSent: (id) => Promise.resolve(mails.some((mail) => mail.id === id)),
    staleMs: 60_000,
  };
}

export function emailParts(db: TestDatabase, mailer: Mailer, overrides: Partial<EmailParts> = {}): EmailParts {
  return {
    pool: db.pool,
    mailer,
    log: silentLog,
    confirmEmail: true,
    publicUrl: 'https://lotwatch.example',
    secret: 'a secret of this test that is long enough',
    supportEmail: 'support@lotwatch.example',
    marketplaceHome: 'https://marketplace.example/',
    ...overrides,
  };
}

/** Delivers all mails that are due, with a new engine. */
export const sendDueMails = (parts: EmailParts) => makeEmailEngine(parts).drain();

/** Sets up a database for mails, emptied before each test. Call it at the top of a test file. */
export function setUpMails(prepare?: () => unknown) {
  const db = setUpDatabase(prepare ?? (() => insertPlan(db.pool)));
  beforeEach(() => emptyMailTables(db.pool));
  const all = (sql: string, values: unknown[] = []) => db.rows(sql, values);
  return {
    db,
    all,
    /** The statuses of all notifications, in order. */
    statuses: async () => (await all('select status from notifications order by id')).map(({ status }) => status),
    oneMatch: (alert: Record<string, unknown> = {}, user: Record<string, unknown> = {}) =>
      insertDueMatch(db.pool, alert, user),
  };
}

/** Alerts with their owners, as claims take them; an alert that is not there is nobody's. */
export async function alertsOf(
  db: Queryable,
  ...alertIds: number[]
): Promise<{ id: number; alertId: number; userId: number }[]> {
  const { rows } = await db.query<{ id: number; alertId: number; userId: number }>(
    `select i.id, i.id as "alertId", coalesce(a.user_id, 0) as "userId"
       from unnest($1::int8[]) with ordinality i (id, place) left join alerts a on a.id = i.id order by i.place`,
    [alertIds],
  );
  return rows;
}
