import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';

/** Most cars that a user may have saved. */
const MAX_SAVED = 500;

/** SQL: whether it was removed too long ago to be saved again without a match. @param removedAt a column */
export const isForgotten = (removedAt: string): string => `${removedAt} < now() - interval '1 day'`;

/**
 * Saves a listing that matches one of the user's alerts, or removes it from the saved ones; for a day after that, it can be
 * saved again whether it matches or not. Doing it again changes nothing.
 * @param isMatch whether it matches one of the user's alerts now
 * @throws AppError NOT_FOUND for a listing that neither matches nor is or was saved, VALIDATION above the limit
 */
export async function saveListing(
  pool: Pool,
  { userId, listingId, isMatch }: { userId: number; listingId: number; isMatch: boolean },
  saved: boolean,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Calls of one user come one after another, so that the limit holds.
    await client.query('select id from users where id = $1 for no key update', [userId]);
    const { rows } = await client.query<{ count: number; isSaved: boolean; wasSaved: boolean }>(
      `select count(*) filter (where removed_at is null)::int4 as count,
              coalesce(bool_or(listing_id = $2 and removed_at is null), false) as "isSaved",
              coalesce(bool_or(listing_id = $2 and not (${isForgotten('removed_at')})), false) as "wasSaved"
         from saved_listings where user_id = $1`,
      [userId, listingId],
    );
    const { count = 0, isSaved = false, wasSaved = false } = rows[0] ?? {};
    if (!isSaved && !wasSaved && !isMatch) throw new AppError('NOT_FOUND', 'Listing not found');
    if (!saved) {
      await client.query(
        'update saved_listings set removed_at = now() where user_id = $1 and listing_id = $2 and removed_at is null',
        [userId, listingId],
      );
    } else if (!isSaved) {
      if (count >= MAX_SAVED) refuseInvalid({ saved: `You can save up to ${MAX_SAVED} cars. Remove one first.` });
      await client.query(
        `insert into saved_listings (user_id, listing_id) values ($1, $2)
         on conflict (user_id, listing_id) do update set id = default, saved_at = now(), removed_at = null`,
        [userId, listingId],
      );
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
  endCursor: number | null;
  hasMore: boolean;
}

/**
 * Reads a page of the user's saved listings, those that were saved last first.
 * @param after an `endCursor`: the page has those that were saved earlier
 */
export async function readSavedListings(
  db: Queryable,
  { userId, first, after }: { userId: number; first: number; after?: number | undefined },
): Promise<SavedPage> {
  const { rows } = await db.query<SavedListing>({
    name: 'read-saved-listings',
    text: `select s.id, s.listing_id as "listingId", s.saved_at as "savedAt" from saved_listings s
            where s.user_id = $1 and s.removed_at is null and ($2::int8 is null or s.id < $2::int8) order by s.id desc limit $3`,
    values: [userId, after ?? null, first + 1],
  });
  const shown = rows.slice(0, first);
  return {
    nodes: shown,
    endCursor: shown.at(-1)?.id ?? null,
    hasMore: rows.length > first,
  };
}
