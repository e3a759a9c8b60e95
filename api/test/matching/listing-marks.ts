import type { Queryable } from '../../src/base/database.ts';
import { markNew } from '../../src/placement/listing-marks.ts';

interface Changed {
  /** SQL, as after "where". */
  where?: string;
  values?: readonly unknown[];
}

/** Changes listings and marks them as news. Unlike intake it does not keep their facts. @param changes SQL, as after "set" */
export async function changeListings(db: Queryable, changes: string, { where = 'true', values = [] }: Changed = {}) {
  await db.query(
    `with changed as (update listings set version = version + 1, ${changes} where ${where} returning id, version)
     ${markNew('changed')}`,
    [...values],
  );
}

/** Marks listings that have not changed. */
export const markListings = (db: Queryable, where = 'true') => changeListings(db, 'pending_match = false', { where });

/** As after a search that found nothing. */
export const unmarkListings = (db: Queryable) => db.query('delete from listings_to_match');

/** Ends listings, as intake does. */
export const endListings = (db: Queryable, where: string) =>
  db.query(
    `with ended as (update listings set version = version + 1, status = 'sold' where ${where} returning id)
     delete from listings_to_match where listing_id in (select id from ended)`,
  );

/** SQL: whether a listing waits to be matched. @param listing SQL of its id */
export const hasNews = (listing: string): string =>
  `exists (select from listings_to_match w where w.listing_id = ${listing} and w.is_news)`;
