import type { Pool } from '../../src/base/database.ts';
import { makeSeal } from '../../src/base/seal.ts';
import { newWebhookSecret } from '../../src/domain/webhooks/message.ts';

export const ALERTS_OF_ONE = 100;
const SEEN_BEFORE = 3;
/** Of a million alerts so many fit a listing. */
const ALERTS_A_LISTING = 190;

export const seal = makeSeal('a secret of this benchmark, long enough', 'webhook secrets');

/** Dealers with a hundred alerts and a webhook each; their alerts have matches that were told long ago. */
export async function loadDealers(pool: Pool, dealers: number, receiver: string): Promise<void> {
  await pool.query(
    `insert into users (id, username, password_hash, plan_id) overriding system value
     select n, 'dealer' || n, '', 4 from generate_series(1, $1::int) n`,
    [dealers],
  );
  await pool.query(
    `insert into alerts (id, user_id, make, location, place, lat, lng, radius, pending_match, created_at, expires_at)
     overriding system value
     select n, (n - 1) / $2::int + 1, 'toyota', 'Los Angeles, CA', 'Los Angeles, CA', 34, -118, 50, false,
            now() - interval '20 days', now() + interval '40 days' + n % 1000 * interval '1 minute'
       from generate_series(1, $1::int) n`,
    [dealers * ALERTS_OF_ONE, ALERTS_OF_ONE],
  );
  await pool.query(
    `insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
     select -i, n, 1, 1, true, (select match_position()) from generate_series(1, $2::int) i, generate_series(1, $1::int) n`,
    [dealers * ALERTS_OF_ONE, SEEN_BEFORE],
  );
  await pool.query(
    `insert into webhooks (user_id, url, events, secret_box)
     select n, $2 || n, '{match.created,listing.price_dropped,alert.expiring}', $3 from generate_series(1, $1::int) n`,
    [dealers, receiver, seal.close(newWebhookSecret())],
  );
  await pool.query('insert into webhook_positions (user_id, position) select id, match_horizon() from users');
  await pool.query('vacuum analyze users, alerts, matches, webhooks, webhook_positions');
}

/** Cars that fit alerts here and there, matched in one transaction. Returns what NOTIFY says of it. */
export async function matchCars(pool: Pool, alerts: number, cars: number): Promise<string> {
  const { rows } = await pool.query<{ position: string; listings: number[] }>(
    `with listed as (
       insert into listings (source, external_id, title, make, model, year, price, facts_hash, pending_match)
       select 'bench', gen_random_uuid()::text, '2018 Toyota Camry', 'toyota', 'camry', 2018, 15000, '', false
         from generate_series(1, $1::int) returning id
     ), matched as (
       insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
       select distinct on (l.id, a.n) l.id, a.n, 1, 7, true, (select match_position())
         from listed l, lateral (
           select 1 + floor(random() * $2::int)::int8 as n from generate_series(1, $3::int) where l.id > 0) a
       returning 1
     )
     select match_position()::text as position, array_agg(id::int4) as listings from listed`,
    [cars, alerts, Math.min(ALERTS_A_LISTING, alerts)],
  );
  return JSON.stringify(rows[0]);
}
