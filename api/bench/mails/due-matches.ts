import type { Pool } from '../../src/base/database.ts';

/** Buyers with an alert each that a listing of Los Angeles fits; they stay, and each round gives them a new listing. */
export async function loadBuyers(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into users (username, email, email_confirmed_at, password_hash, time_zone)
     select 'buyer-' || n, 'buyer-' || n || '@example.test', now(), '-', 'America/Los_Angeles'
       from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into alerts (user_id, make, model, year_min, year_max, location, place, lat, lng, radius, price_max,
                         pending_match)
     select id, 'toyota', 'camry', 2015, 2020, 'Los Angeles', 'Los Angeles, CA', 34.0522, -118.2437, 50, 50000, false
       from users order by id`,
  );
  await pool.query('vacuum analyze users, alerts');
}

/** One listing that fits them all, matched two seconds ago, so that every mail is due now. */
export async function matchAll(pool: Pool): Promise<void> {
  await pool.query('update alerts set last_mailed_at = null');
  await pool.query(
    `with car as (
       insert into listings (source, external_id, title, make, model, year, price, mileage, transmission, color, city,
                             state, lat, lng, image_url, images, url, facts_hash, pending_match)
       values ('lot', gen_random_uuid()::text, '2018 Toyota Camry SE', 'toyota', 'camry', 2018, 15400, 61000, 'automatic',
               'silver', 'Pasadena', 'CA', 34.1478, -118.1445, 'https://photos.example/1.jpg',
               '{https://photos.example/1.jpg}', 'https://marketplace.example/1', 'x', false) returning id
     ), matched as (
       insert into matches (listing_id, alert_id, alert_version, distance_miles, price, announced)
       select car.id, a.id, a.version, 8.8, 15400, true from car, alerts a
     )
     insert into notifications (user_id, alert_id, listing_id, price, created_at, due_at)
     select a.user_id, a.id, car.id, 15400, now() - interval '2 seconds', now() from car, alerts a`,
  );
}

/** What the database has to do at least: every row claimed in one statement, and recorded in another. Milliseconds. */
export async function claimAtOnce(pool: Pool): Promise<number> {
  const started = performance.now();
  await pool.query(
    `with mail as (
       insert into mails (kind, user_id, alert_id, to_address, status, claimed_at, attempts)
       select 'match', a.user_id, a.id, u.email, 'sending', now(), 1
         from notifications n join alerts a on a.id = n.alert_id join users u on u.id = a.user_id
        where n.status = 'waiting' and n.due_at <= now() returning id, alert_id
     ), mailed as (
       update alerts a set last_mailed_at = now() from mail where a.id = mail.alert_id
     )
     update notifications n set status = 'sending', mail_id = mail.id from mail
      where n.alert_id = mail.alert_id and n.status = 'waiting'`,
  );
  await pool.query(
    `with mail as (update mails set status = 'sent', sent_at = now() where status = 'sending' returning id)
     update notifications n set status = 'sent', settled_at = now() from mail where n.mail_id = mail.id`,
  );
  return performance.now() - started;
}
