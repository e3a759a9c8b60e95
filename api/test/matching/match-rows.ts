import type { Pool } from '../../src/base/database.ts';
import type { AlertCriteria } from '../../src/domain/criteria/criteria.ts';
import type { FilterCriteria, FilterFacts } from '../../src/domain/criteria/filters.ts';
import { alertKeys, alertSearch, listingSearchColumns } from '../../src/domain/criteria/search-columns.ts';
import { markNew } from '../../src/placement/listing-marks.ts';

type Filters = FilterCriteria & Pick<AlertCriteria, 'models'>;
type OwnCriteria = Omit<AlertCriteria, keyof Filters>;

/** Filters may be left out. */
export interface TestAlert extends Required<{ [K in keyof OwnCriteria]: NonNullable<OwnCriteria[K]> | null }>, Filters {
  make: string;
  onlyWithImages: boolean;
  lat: number;
  lng: number;
  radius: number;
}

export interface TestListing extends Omit<FilterFacts, 'price' | 'title' | 'transmission'> {
  transmission?: 'automatic' | 'manual' | null;
  title?: string;
  make: string;
  model: string | null;
  year: number | null;
  price: number | null;
  color: string | null;
  imageUrl: string | null;
  lat: number | null;
  lng: number | null;
}

const ROWS = 2_000;

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS);
}

/** Inserts plans 1 (one alert) and 4 (100 alerts), and users `user1`, `user2` … on plan 4. @returns their ids */
export async function insertUsers(pool: Pool, count = 1): Promise<number[]> {
  await pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (1, 'Free', '', 0, 1, false, '{}'), (4, 'Elite', '', 69.99, 100, false, '{}') on conflict do nothing`,
  );
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (username, email, password_hash, plan_id)
     select 'user' || n, 'user' || n || '@example.test', '', 4 from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Inserts active alerts with their cells, which need no backfill. @returns their ids in order */
export async function insertAlerts(pool: Pool, userId: number, alerts: readonly TestAlert[]): Promise<number[]> {
  const ids: number[] = [];
  for (const chunk of chunks(alerts)) {
    const { rows } = await pool.query<{ id: number }>(
      `insert into alerts (user_id, make, model, models, year_min, year_max, location, place, lat, lng, radius, price_min,
                           price_max, color, only_with_images, mileage_max, transmission, fuel, drive, body, title_status,
                           seller, exclude_words, require_words, price_stated, below_fair_price, pending_match)
       select $1, make, model, models, "yearMin", "yearMax", '', '', lat, lng, radius, "priceMin", "priceMax", color,
              "onlyWithImages", "mileageMax", transmission, fuel, drive, body, "titleStatus", seller, "excludeWords",
              "requireWords", "priceStated", coalesce("belowFairPrice", false), false
         from json_to_recordset($2::json) as a (make text, model text, models text[], "yearMin" int4, "yearMax" int4,
              lat float8, lng float8, radius int4, "priceMin" int4, "priceMax" int4, color text, "onlyWithImages" bool,
              "mileageMax" int4, transmission text, fuel text, drive text, body text, "titleStatus" text, seller text,
              "excludeWords" text[], "requireWords" text[], "priceStated" bool, "belowFairPrice" bool)
       returning id`,
      [userId, JSON.stringify(chunk)],
    );
    const made = rows.map(({ id }) => id);
    const cells = chunk.flatMap((alert, index) =>
      alertKeys(alert).map((key) => ({ id: made[index], key, ...alertSearch(alert) })),
    );
    await pool.query(
      `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max,
                                color, only_images, asked, conditions, mileage_max, announces, x, y, z, cos_radius, expires_at)
       select key, "priceMax", id, 1, $2, "priceMin", "yearMin", "yearMax", color, "onlyImages", asked, conditions, "mileageMax", true,
              x, y, z, "cosRadius", now() + interval '42 days'
         from json_to_recordset($1::json) as c (key int8, id int8, "priceMax" int4, "priceMin" int4, "yearMin" int2,
              "yearMax" int2, color int2, "onlyImages" bool, asked int4, conditions text, "mileageMax" int4, x float8, y float8, z float8,
              "cosRadius" float8)`,
      [JSON.stringify(cells), userId],
    );
    ids.push(...made);
  }
  return ids;
}

/** Inserts listings for sale that wait to be matched. @returns their ids in order */
export async function insertListings(pool: Pool, listings: readonly TestListing[]): Promise<number[]> {
  const ids: number[] = [];
  for (const chunk of chunks(listings)) {
    const { rows } = await pool.query<{ id: number }>(
      `with stored as (
       insert into listings (source, external_id, title, make, model, year, price, color, image_url, lat, lng,
                             facts_hash, make_key, model_key, color_code, x, y, z, mileage, transmission, fuel, drive, body,
                             title_status, trim, seller, band_low, band_middle, band_high, band_cars, pending_match)
       select 'test', gen_random_uuid(), coalesce(title, ''), make, model, year, price, color, "imageUrl", lat, lng, '',
              "makeKey", "modelKey", "colorCode", x, y, z, mileage, transmission, fuel, drive, body, "titleStatus", trim, seller,
              "bandLow", "bandMiddle", "bandHigh", 9, false
         from json_to_recordset($1::json) as l (make text, model text, year int2, price int4, color text,
              "imageUrl" text, lat float8, lng float8, "makeKey" int8, "modelKey" int8, "colorCode" int2, x float8,
              y float8, z float8, title text, mileage int4, transmission text, fuel text, drive text, body text,
              "titleStatus" text, trim text, seller text, "bandLow" int4, "bandMiddle" int4, "bandHigh" int4)
       returning id, version), marked as (${markNew('stored')})
       select id from stored`,
      [JSON.stringify(chunk.map((listing) => ({ ...listing, ...listingSearchColumns(listing) })))],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

export const camryAlert: TestAlert = {
  make: 'toyota',
  model: 'camry',
  yearMin: null,
  yearMax: null,
  priceMin: null,
  priceMax: 20_000,
  color: null,
  onlyWithImages: true,
  lat: 34.05,
  lng: -118.24,
  radius: 50,
};
export const camry: TestListing = {
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: 10_000,
  color: null,
  imageUrl: 'https://photos.example/1.jpg',
  lat: 34.1,
  lng: -118.1,
};
