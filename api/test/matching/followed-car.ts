import { afterEach, beforeEach } from 'vitest';
import type { ListingFacts } from '../../src/domain/facts/listing-facts.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import type { OutgoingMail } from '../../src/vendors/mail.ts';
import { setUpDatabase, type TestDatabase } from '../database.ts';
import { changeEverywhere } from '../everywhere.ts';
import { buildFacts, storePage } from '../factories.ts';
import { emailParts, recordingMailer, sendDueMails } from '../mail/mail-fixtures.ts';
import { camryAlert, insertAlerts, insertUsers, type TestAlert } from './match-rows.ts';

export const wantedCar: TestAlert = { ...camryAlert, priceMin: 10_000, priceMax: 20_000 };
export const followedFacts = buildFacts({
  price: 12_000,
  lat: wantedCar.lat,
  lng: wantedCar.lng,
  model: camryAlert.model,
});

/** A listing that was announced by an alert of its user before each test. */
export interface FollowedCar {
  db: TestDatabase;
  userId: number;
  alertId: number;
  listingId: number;
  /** Stores the car as a later read of its source would, and matches it. @returns its listing's id */
  store(changes?: Partial<ListingFacts>): Promise<number>;
  match(): Promise<void>;
  save(listingId?: number): Promise<unknown>;
  view(daysAgo?: number): Promise<unknown>;
  /** Delivers what is due some minutes later. */
  send(): Promise<OutgoingMail[]>;
  /** The subjects of the mails that `send` delivers. */
  subjects(): Promise<string[]>;
  /** Delivers what is due now. */
  deliver(): Promise<OutgoingMail[]>;
}

/** Makes a database for the tests of a file. Call it at the top of the file; the ids are those of each test's rows. */
export function setUpFollowedCar(): FollowedCar {
  const db = setUpDatabase();
  const world: FollowedCar = {
    db,
    userId: 0,
    alertId: 0,
    listingId: 0,
    async store(changes = {}) {
      const { results } = await storePage(db.pool, 'lot', [{ ...followedFacts, ...changes }]);
      await world.match();
      return results[0]?.listingId ?? 0;
    },
    async match() {
      while ((await matchPendingListings(db.pool)) > 0);
      while ((await matchPendingAlerts(db.pool)) > 0);
    },
    save: (listingId = world.listingId) =>
      db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [world.userId, listingId]),
    view: (daysAgo = 0) =>
      db.pool.query(
        'insert into listing_views (user_id, listing_id, viewed_at) values ($1, $2, now() - make_interval(days => $3))',
        [world.userId, world.listingId, daysAgo],
      ),
    async send() {
      await changeEverywhere(db, `update alerts set last_mailed_at = last_mailed_at - interval '6 minutes'`);
      await changeEverywhere(
        db,
        `update notifications set created_at = now() - interval '1 minute', due_at = least(due_at, now())
          where status = 'waiting' and held_by is distinct from 'digest'`,
      );
      return world.deliver();
    },
    subjects: async () => (await world.send()).map(({ subject }) => subject),
    async deliver() {
      const mailer = recordingMailer();
      await sendDueMails(emailParts(db, mailer, { confirmEmail: false }));
      return mailer.mails;
    },
  };
  beforeEach(async () => {
    [world.userId = 0] = await insertUsers(db.pool);
    [world.alertId = 0] = await insertAlerts(db.pool, world.userId, [wantedCar]);
    world.listingId = await world.store();
    await world.send();
  });
  afterEach(async () => {
    await db.pool.query(`truncate users, alerts, alert_cells, alert_throttles, listings, listings_to_match, matches, notifications, mails, texts,
      price_changes, saved_listings, listing_views, sources, suppressed_addresses restart identity cascade`);
  });
  return world;
}
