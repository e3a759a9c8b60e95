import { progress } from '../../lab/command-line.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { type Client, inTransaction, limitIdleTime } from '../../src/base/database.ts';

/** As many partitions as a year has months and a bit, each with the listings of four weeks. */
export const MONTHS = 13;
const DAYS_A_MONTH = 28;
/** Alerts that have ended; their matches are most of a year's. */
const ENDED_ALERTS = 100_000;
const MATCHES_A_LISTING = 172;

export interface YearSizes {
  matches: number;
  notifications: number;
}

/** How many listings a month of that year has. */
export const listingsAMonth = ({ matches }: YearSizes): number =>
  Math.max(1, Math.round(matches / MATCHES_A_LISTING / MONTHS));

/** Adds alerts of one more user that have ended. @returns the id before the first of them */
export async function loadEndedAlerts({ pool }: ThrowAway): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with one as (
       insert into users (username, password_hash) values ('former', '') returning id
     ), made as (
       insert into alerts (user_id, make, location, place, lat, lng, radius, is_active, expires_at, pending_match)
       select one.id, 'toyota', '', '', 34, -118, 50, false, now() - interval '30 days', false
         from one, generate_series(1, $1::int4) returning id)
     select min(id) - 1 as id from made`,
    [ENDED_ALERTS],
  );
  await pool.query('vacuum analyze alerts');
  return rows[0]?.id ?? 0;
}

/** SQL: what a listing `l` of the past matched: every one of these numbers is another alert. */
const pairs = (share: string) => `
  cross join lateral (
    select $1 + 1 + (l::int8 * 7919 + k * 577) % ${ENDED_ALERTS} as alert_id
      from generate_series(1, (${MATCHES_A_LISTING} * ${share})::int4) k) p`;

/** SQL: whose alerts these are. */
const owner = '(select user_id from alerts where id = $1 + 1)';

async function attachMonth(client: Client, table: string, name: string, [from, to]: [number, number]): Promise<void> {
  // Attaching builds the indexes.
  await client.query(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`);
}

/** Adds one month of the past, the last of which was four weeks ago: its listings, and what they matched and sent. */
export async function loadMonth(
  db: ThrowAway,
  { month, before, sizes }: { month: number; before: number; sizes: YearSizes },
): Promise<void> {
  const listings = listingsAMonth(sizes);
  const range: [number, number] = [1 + month * listings, 1 + (month + 1) * listings];
  const daysAgo = (MONTHS - month) * DAYS_A_MONTH;
  const seen = `now() - (${daysAgo} - ${DAYS_A_MONTH} * (l - ${range[0]})::float8 / ${listings}) * interval '1 day'`;
  await inTransaction(db.pool, async (client) => {
    await client.query(
      `set local maintenance_work_mem = '512MB'; set local statement_timeout = 0; ${limitIdleTime(0)}`,
    );
    await client.query(
      `insert into listings (id, source, external_id, title, make, facts_hash, status, pending_match, seen_at, last_seen_at)
       overriding system value
       select l, 'past', l, '2018 Toyota Camry SE', 'toyota', '', 'gone', false, ${seen}, ${seen}
         from generate_series(${range[0]}, ${range[1] - 1}) l`,
    );
    for (const table of ['matches', 'notifications'])
      await client.query(
        `create table ${table}_month_${month} (like ${table} including defaults including constraints)`,
      );
    await client.query(
      `insert into matches_month_${month} (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced, matched_at, position)
       select l, p.alert_id, ${owner}, 1, 8.8, 15400, true, ${seen}, l from generate_series(${range[0]}, ${range[1] - 1}) l ${pairs('1')}`,
      [before],
    );
    await client.query(
      `insert into notifications_month_${month} (id, user_id, alert_id, listing_id, price, status, mail_id, created_at, due_at, settled_at)
       select nextval(pg_get_serial_sequence('notifications', 'id')), ${owner}, p.alert_id, l, 15400, 'sent', gen_random_uuid(), ${seen}, ${seen}, ${seen}
         from generate_series(${range[0]}, ${range[1] - 1}) l ${pairs(`${sizes.notifications / sizes.matches}`)}`,
      [before],
    );
    for (const table of ['matches', 'notifications'])
      await attachMonth(client, table, `${table}_month_${month}`, range);
  });
  progress(`Loaded month ${month + 1} of ${MONTHS}.`);
}

/** Lets the listings of the present begin behind those of the year, which are loaded later. @returns their first id */
export async function leaveRoom({ pool }: ThrowAway, sizes: YearSizes): Promise<number> {
  const first = 1 + MONTHS * listingsAMonth(sizes);
  await pool.query(`alter table listings alter id restart with ${first}`);
  for (const table of ['matches', 'notifications'])
    await pool.query(
      `alter table ${table} detach partition ${table}_1;
       alter table ${table} attach partition ${table}_1 for values from (${first}) to (maxvalue)`,
    );
  return first;
}
