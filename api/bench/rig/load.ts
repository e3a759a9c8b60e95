import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { type Client, inTransaction, limitIdleTime, type Queryable } from '../../src/base/database.ts';
import { alertKeys, alertSearch, listingSearchColumns } from '../../src/domain/criteria/search-columns.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';

type Value = string | number | boolean | null | undefined;

const ROWS_A_WRITE = 5_000;

/** Rows are made within the transaction, which takes long on a busy machine. */
const beginLoad = `set local maintenance_work_mem = '512MB'; ${limitIdleTime(0)}`;

/** A list as the database reads it. */
const arrayOf = (list: readonly string[] | null | undefined): string | null =>
  list ? `{${list.map((text) => `"${text}"`).join(',')}}` : null;

/** A value of a row. Texts must not contain a tab, a line break or a backslash. */
const lineOf = (row: readonly Value[]): string => `${row.map((value) => (value ?? '\\N').toString()).join('\t')}\n`;

/**
 * Fills a table by COPY from a file, which is the fastest way. The server must run on this machine, with a superuser.
 * @param folder one that the server can read
 */
async function copyRows(
  db: Queryable,
  folder: string,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  const path = join(folder, `${table.replaceAll(/\W/g, '-')}.copy`);
  const file = openSync(path, 'w', 0o644);
  chmodSync(path, 0o644);
  try {
    let lines: string[] = [];
    for (const row of rows) {
      lines.push(lineOf(row));
      if (lines.length < ROWS_A_WRITE) continue;
      writeSync(file, lines.join(''));
      lines = [];
    }
    writeSync(file, lines.join(''));
  } finally {
    closeSync(file);
  }
  await db.query(`copy ${table} (${columns.join(', ')}) from '${path}'`);
  rmSync(path);
}

const ELITE = 4;

/** Fills a table without its indexes, which are created afterwards; keys stay. */
async function withoutIndexes(client: Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}

/** Creates users on the largest plan with confirmed addresses `user1@example.test` …, ids from 1 on. */
async function loadUsers({ pool }: Pick<ThrowAway, 'pool'>, count: number): Promise<void> {
  await pool.query(
    `insert into users (id, username, email, email_confirmed_at, password_hash, plan_id) overriding system value
     select n, 'user' || n, 'user' || n || '@example.test', now(), '', ${ELITE} from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query("select setval(pg_get_serial_sequence('users', 'id'), $1)", [count]);
}

function* cellRows(alerts: readonly TestAlert[]): Generator<(number | string)[]> {
  for (const [at, alert] of alerts.entries()) for (const key of alertKeys(alert)) yield [at + 1, key];
}

function* alertRows(alerts: readonly TestAlert[], perUser: number) {
  for (const [at, alert] of alerts.entries()) {
    const { x, y, z, cosRadius, color, ...bounds } = alertSearch(alert);
    yield [
      ...[at + 1, Math.floor(at / perUser) + 1, alert.make, alert.model, alert.yearMin, alert.yearMax, alert.lat],
      ...[alert.lng, alert.radius, alert.priceMin, alert.priceMax, alert.color, alert.onlyWithImages],
      ...[bounds.priceMin, bounds.priceMax, bounds.yearMin, bounds.yearMax, color, x, y, z, cosRadius],
      ...[bounds.asked, bounds.conditions, bounds.mileageMax, arrayOf(alert.models), arrayOf(alert.excludeWords)],
      ...[arrayOf(alert.requireWords), alert.priceStated],
    ];
  }
}

/**
 * Stores active alerts with their cells, ids from 1 on in their order, `perUser` for each user; none waits to be
 * matched. The tables must be empty. Indexes are made afterwards.
 */
export async function loadAlerts(
  db: Pick<ThrowAway, 'pool' | 'folder'>,
  alerts: readonly TestAlert[],
  { perUser = 10 } = {},
): Promise<void> {
  await loadUsers(db, Math.ceil(alerts.length / perUser));
  await inTransaction(db.pool, async (client) => {
    await client.query(beginLoad);
    await client.query(
      `create temp table asked (id int8, user_id int8, make text, model text, year_min int4, year_max int4, lat float8,
         lng float8, radius int4, price_min int4, price_max int4, color text, only_with_images bool, least_price int4,
         most_price int4, least_year int2, most_year int2, color_code int2, x float8, y float8, z float8,
         cos_radius float8, asked int4, conditions text, mileage_max int4, models text[], exclude_words text[], require_words text[],
         price_stated bool) on commit drop`,
    );
    await client.query('create temp table covered (alert_id int8, key int8) on commit drop');
    const columns =
      'id user_id make model year_min year_max lat lng radius price_min price_max color only_with_images least_price most_price least_year most_year color_code x y z cos_radius asked conditions mileage_max models exclude_words require_words price_stated';
    await copyRows(client, db.folder, 'asked', columns.split(' '), alertRows(alerts, perUser));
    await copyRows(client, db.folder, 'covered', ['alert_id', 'key'], cellRows(alerts));
    await withoutIndexes(client, 'alerts', async () => {
      await client.query(
        `insert into alerts (id, user_id, make, model, year_min, year_max, location, place, lat, lng, radius,
           price_min, price_max, color, only_with_images, models, exclude_words, require_words, price_stated, pending_match)
           overriding system value
         select id, user_id, make, model, year_min, year_max, '', '', lat, lng, radius, price_min, price_max, color,
                only_with_images, models, exclude_words, require_words, price_stated, false from asked order by id`,
      );
    });
    await client.query("select setval(pg_get_serial_sequence('alerts', 'id'), $1)", [alerts.length]);
    await withoutIndexes(client, 'alert_cells', async () => {
      // Without the trigger that serves only apis of an older version.
      await client.query('set local session_replication_role = replica');
      await client.query(
        `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max,
           color, only_images, asked, conditions, mileage_max, announces, x, y, z, cos_radius, expires_at)
         select k.key, most_price, id, 1, user_id, least_price, least_year, most_year, color_code, only_with_images,
                asked, conditions, mileage_max, true, x, y, z, cos_radius, now() + interval '42 days'
           from covered k join asked on id = alert_id`,
      );
    });
  });
  await db.pool.query('vacuum analyze alerts, alert_cells, users');
}

/** Loads the index of searches into memory, where it is on a server that has run for a while. */
export async function warmSearch({ pool }: Pick<ThrowAway, 'pool'>): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0');
    await client.query('select sum(price_max) from alert_cells where key > 0');
  });
}

interface LoadListingsOptions {
  source?: string;
  /** Whether they wait to be matched. */
  pending: boolean;
  announce?: boolean;
  /** When each was seen, in days before now. */
  daysAgo?: (at: number) => number;
}

/** Stores listings for sale whose external ids are their positions. Returns the id of the first; the others follow. */
export async function loadListings(
  db: ThrowAway,
  listings: readonly TestListing[],
  { source = 'bench', pending, announce = true, daysAgo = () => 0 }: LoadListingsOptions,
): Promise<number> {
  const columns =
    'at make model year price color image_url lat lng make_key model_key color_code x y z days_ago title mileage transmission fuel drive body title_status seller band_low band_middle band_high'.split(
      ' ',
    );
  const rows = function* () {
    for (const [at, one] of listings.entries()) {
      const { makeKey, modelKey, colorCode, x, y, z } = listingSearchColumns(one);
      yield [
        ...[at, one.make, one.model, one.year, one.price, one.color, one.imageUrl, one.lat, one.lng],
        ...[makeKey, modelKey, colorCode, x, y, z, daysAgo(at), one.title, one.mileage, one.transmission, one.fuel],
        ...[one.drive, one.body, one.titleStatus, one.seller, one.bandLow, one.bandMiddle, one.bandHigh],
      ];
    }
  };
  const first = await inTransaction(db.pool, async (client) => {
    await client.query(beginLoad);
    await client.query(
      `create temp table listed (at int4, make text, model text, year int2, price int4, color text, image_url text,
         lat float8, lng float8, make_key int8, model_key int8, color_code int2, x float8, y float8, z float8,
         days_ago float8, title text, mileage int4, transmission text, fuel text, drive text, body text,
         title_status text, seller text, band_low int4, band_middle int4, band_high int4) on commit drop`,
    );
    await copyRows(client, db.folder, 'listed', columns, rows());
    const { rows: inserted } = await client.query<{ first: number }>(
      `with stored as (
         insert into listings (source, external_id, title, make, model, year, price, color, image_url, lat, lng,
           facts_hash, make_key, model_key, color_code, x, y, z, mileage, transmission, fuel, drive, body, title_status,
           seller, band_low, band_middle, band_high, announce, pending_match, seen_at, last_seen_at, changed_at)
         select $1, at, coalesce(title, concat_ws(' ', year, make, model)), make, model, year, price, color, image_url, lat, lng, '',
                make_key, model_key, color_code, x, y, z, mileage, transmission, fuel, drive, body, title_status, seller,
                band_low, band_middle, band_high, $2, $3, seen_at, seen_at, seen_at
           from listed, lateral (select now() - days_ago * interval '1 day' as seen_at) seen
          order by at returning id)
       select min(id) as first from stored`,
      [source, announce, pending],
    );
    return inserted[0]?.first ?? 0;
  });
  await db.pool.query('vacuum analyze listings');
  return first;
}
