import type { Queryable } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { alertCells } from '../domain/criteria/search-columns.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { askedFiltersFit } from './filter-rules.ts';
import { askedAlerts, askedOf, otherFactsFit, pricesFit } from './match-rules.ts';

/* $1: the criteria as for the backfill; $2: {makeKey, modelKeys} of their cells; $3: days; $4: the most listings. */
const newestSql = `
  with asked as materialized (${askedAlerts('$1')})
  select l.id
    from json_to_recordset($2::json) as k ("makeKey" int8, "modelKeys" int8[])
   cross join asked c
   cross join lateral (
     select l.id, l.seen_at from listings l
      where l.make_key = k."makeKey" and l.seen_at > now() - $3::int4 * interval '1 day'
        and l.status = '${ListingStatus.forSale}' and not l.pending_match
        and (k."modelKeys" is null or l.model_key = any (k."modelKeys"))
        and ${pricesFit} and ${otherFactsFit} and ${askedFiltersFit}
     offset 0) l
   order by l.seen_at desc, l.id desc
   limit $4`;

/**
 * Finds the newest listings for sale that fit criteria, of those first seen in the last days, as the backfill of an alert with
 * these criteria does. No alert and no match is read.
 * @returns ids of listings
 */
export async function findNewestFitting(
  db: Queryable,
  criteria: AlertCriteria,
  { days, limit }: { days: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-newest-fitting',
    text: newestSql,
    values: [
      JSON.stringify([askedOf({ ...criteria, id: 0, userId: 0, version: 0 })]),
      JSON.stringify(alertCells(criteria)),
      days,
      limit,
    ],
  });
  return rows.map(({ id }) => id);
}
