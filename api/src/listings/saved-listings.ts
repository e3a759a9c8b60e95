import { inTransaction, type Pool, pipeline, type Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { lockLeftOut, restoreLeftOutOfUser } from '../matching/restore-left-out.ts';
import {
  decodeListCursor,
  encodeListCursor,
  type ListChoice,
  type ListCursor,
  type ListSort,
  meetsFilters,
  sortKey,
} from './list-choice.ts';
import { lockBuyer } from './lock-buyer.ts';

/** Most cars that a user may have saved. */
const MAX_SAVED = 500;

/** SQL: whether it was removed too long ago to be saved again without a match. @param removedAt a column */
export const isForgotten = (removedAt: string): string => `${removedAt} < now() - interval '1 day'`;

/**
 * Saves a listing that matches one of the user's alerts, or removes it from the saved ones; for a day after that, it can be
 * saved again whether it matches or not. One that an alert told of, and whose match newer ones have replaced, is a match again:
 * by that its owner is told what becomes of it. Doing it again changes nothing.
 * @param isMatch whether it matches one of the user's alerts now
 * @throws AppError NOT_FOUND for a listing that neither matches nor is or was saved, VALIDATION above the limit,
 *   UNAUTHENTICATED when the account is gone
 */
export async function saveListing(
  pool: Pool,
  { userId, listingId, isMatch }: { userId: number; listingId: number; isMatch: boolean },
  saved: boolean,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const mayBeLeftOut = saved && !isMatch && (await lockLeftOut(client, { userId, listingId }));
    await lockBuyer(client, userId);
    const isRestored = mayBeLeftOut && (await restoreLeftOutOfUser(client, { userId, listingId }));
    const { rows } = await client.query<{ count: number; isSaved: boolean; wasSaved: boolean }>(
      `select count(*) filter (where removed_at is null)::int4 as count,
              coalesce(bool_or(listing_id = $2 and removed_at is null), false) as "isSaved",
              coalesce(bool_or(listing_id = $2 and not (${isForgotten('removed_at')})), false) as "wasSaved"
         from saved_listings where user_id = $1`,
      [userId, listingId],
    );
    const { count = 0, isSaved = false, wasSaved = false } = rows[0] ?? {};
    if (!isSaved && !wasSaved && !isMatch && !isRestored) throw new AppError('NOT_FOUND', 'Listing not found');
    if (!saved) {
      await client.query(
        'update saved_listings set removed_at = now() where user_id = $1 and listing_id = $2 and removed_at is null',
        [userId, listingId],
      );
    } else if (!isSaved) {
      if (count >= MAX_SAVED) refuseInvalid({ saved: `You can save up to ${MAX_SAVED} cars. Remove one first.` });
      // One that was removed lately gets a new id, as pages are in their order.
      await pipeline(client, () => [
        client.query('delete from saved_listings where user_id = $1 and listing_id = $2', [userId, listingId]),
        client.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, listingId]),
      ]);
    }
  });
}

interface SavedListing {
  id: number;
  listingId: number;
  savedAt: Date;
}

export interface SavedPage {
  nodes: SavedListing[];
  endCursor: string | null;
  hasMore: boolean;
  /** How many there are on all pages. */
  total: number;
}

type SavedRow = { [Column in keyof SavedListing]: SavedListing[Column] | null } & { key: string | null; total: number };

/** At most 500 of a user's are sorted. */
const savedSql = `
  with found as materialized (
    select s.id, s.listing_id, s.saved_at, ${sortKey('$2', {
      newest: '-s.id',
      nearest: `
        select min(m.distance_miles) from alerts a
         cross join lateral (
           select distance_miles from matches
            where listing_id = s.listing_id and alert_id = a.id and user_id = $1 and alert_version = a.version offset 0) m
         where a.user_id = $1`,
    })} as key
      from saved_listings s
      left join lateral (select * from listings where id = s.listing_id offset 0) l on true
     where s.user_id = $1 and s.removed_at is null and ${meetsFilters('$3', '$1')}
  )
  select (select count(*)::int4 from found) as total, f.*
    from (select) one
    left join lateral (
      select s.id, s.listing_id as "listingId", s.saved_at as "savedAt", s.key::text as key
        from found s
       where $4::numeric is null or (s.key, -s.id) > ($4::numeric, -$5::int8)
       order by s.key, s.id desc
       limit $6) f on true
   order by f.key::numeric, f.id desc`;

/**
 * Reads a page of the user's saved listings; newest are those that were saved last.
 * @param after an `endCursor` of a list with the same sort; of the newest it is the number of a bookmark
 * @throws AppError VALIDATION for an invalid cursor
 */
export async function readSavedListings(
  db: Queryable,
  { userId, first, after }: { userId: number; first: number; after?: string | undefined },
  { sort, only }: ListChoice,
): Promise<SavedPage> {
  const from = after === undefined ? null : readCursor(after, sort);
  const { rows } = await db.query<SavedRow>({
    name: 'read-saved-listings',
    text: savedSql,
    values: [userId, sort, only, from?.key ?? null, from?.ids[0] ?? 0, first + 1],
  });
  const found = rows.flatMap(({ id, listingId, savedAt, key }) =>
    id === null || listingId === null || savedAt === null ? [] : [{ key: key ?? '', row: { id, listingId, savedAt } }],
  );
  const page = found.slice(0, first);
  const last = page.at(-1);
  return {
    nodes: page.map(({ row }) => row),
    endCursor: last ? writeCursor(last.row.id, last.key, sort) : null,
    hasMore: found.length > first,
    total: rows[0]?.total ?? 0,
  };
}

const writeCursor = (id: number, key: string, sort: ListSort): string =>
  sort === 'newest' ? String(id) : encodeListCursor(sort, { key, ids: [id] });

const readCursor = (after: string, sort: ListSort): ListCursor =>
  sort === 'newest' && /^[1-9]\d{0,14}$/.test(after)
    ? { key: `-${after}`, ids: [Number(after)] }
    : decodeListCursor(after, sort, 1);
