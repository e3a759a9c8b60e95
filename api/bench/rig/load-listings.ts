import type { ThrowAway } from '../../lab/throw-away.ts';
import { inTransaction, type Pool } from '../../src/base/database.ts';
import { listingSearchColumns } from '../../src/domain/criteria/search-columns.ts';
import { markNew } from '../../src/placement/listing-marks.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import { beginLoad, copyRows } from './copy-rows.ts';

interface LoadListingsOptions {
  source?: string;
  /** Whether they wait to be matched. */
  pending: boolean;
  announce?: boolean;
  /** When each was seen, in days before now. */
  daysAgo?: (at: number) => number;
  /** Whether the table is vacuumed afterwards, as after a load that is not measured. */
  vacuum?: boolean;
}

/** Stores listings for sale whose external ids are their positions. Returns the id of the first; the others follow. */
export async function loadListings(
  db: Pick<ThrowAway, 'pool' | 'folder'>,
  listings: readonly TestListing[],
  { source = 'bench', pending, announce = true, daysAgo = () => 0, vacuum = true }: LoadListingsOptions,
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
    await copyRows(client, db.folder, 'listed', { columns, rows: rows() });
    await client.query(
      `insert into listings (source, external_id, title, make, model, year, price, color, image_url, lat, lng,
           facts_hash, make_key, model_key, color_code, x, y, z, mileage, transmission, fuel, drive, body, title_status,
           seller, band_low, band_middle, band_high, announce, pending_match, seen_at, last_seen_at, changed_at)
         select $1, at, coalesce(title, concat_ws(' ', year, make, model)), make, model, year, price, color, image_url, lat, lng, '',
                make_key, model_key, color_code, x, y, z, mileage, transmission, fuel, drive, body, title_status, seller,
                band_low, band_middle, band_high, $2, false, seen_at, seen_at, seen_at
           from listed, lateral (select now() - days_ago * interval '1 day' as seen_at) seen
          order by at`,
      [source, announce],
    );
    const stored = 'listings where source = $1 and external_id = any (array(select at::text from listed))';
    if (pending) await client.query(markNew(stored), [source]);
    const { rows: inserted } = await client.query<{ first: number }>(`select min(id) as first from ${stored}`, [
      source,
    ]);
    return inserted[0]?.first ?? 0;
  });
  if (vacuum) await db.pool.query('vacuum analyze listings, listings_to_match');
  return first;
}

/** Lets these listings wait to be matched, and no others. */
export async function markToMatch(pool: Pool, ids: readonly number[]): Promise<void> {
  await pool.query('delete from listings_to_match');
  await pool.query(
    `insert into listings_to_match (listing_id, version, is_news)
                    select id, version, true from listings where id = any ($1::int8[]) order by id`,
    [ids],
  );
}
