import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { storableText } from '../domain/facts/listing-facts.ts';
import { noteSchema } from '../domain/forms/note.ts';
import { parseForm } from '../domain/validate-form.ts';
import type { BuyerListing } from './listing-for-buyer.ts';
import { lockBuyer } from './lock-buyer.ts';
import { isForgotten } from './saved-listings.ts';

/** Most cars that a user may have notes about. */
const MAX_NOTES = 500;

/** SQL: the ids of all listings of a listing's car. "offset 0" keeps the look-up by index. */
const carOf = (id: string): string => `
  select ${id} as id union
  select c.id from (select car_id from listings where id = ${id} offset 0) this
   cross join lateral (select id from listings where car_id = this.car_id offset 0) c`;

/** Reads notes about the cars of listings, for keys that differ. Where two cars turned out to be one, the later note. */
export async function readListingNotes(
  db: Queryable,
  keys: readonly BuyerListing[],
): Promise<(BuyerListing & { note: string })[]> {
  const { rows } = await db.query<BuyerListing & { note: string }>({
    name: 'load-listing-notes',
    text: `
      select k.user_id as "userId", k.id, n.note
        from unnest($1::int8[], $2::int8[]) k (user_id, id)
       cross join lateral (select from listing_notes where user_id = k.user_id limit 1) has_notes
       cross join lateral (
         select f.note from (${carOf('k.id')}) car
          cross join lateral (
            select note, updated_at from listing_notes where user_id = k.user_id and listing_id = car.id offset 0) f
          order by f.updated_at desc limit 1) n`,
    values: [keys.map(({ userId }) => userId), keys.map(({ id }) => id)],
  });
  return rows;
}

/**
 * Writes a user's note about the car of a listing, or removes it where the text is empty. It takes the place of what was
 * noted under other listings of the car.
 * @param isMatch whether the listing matches one of the user's alerts now
 * @throws AppError NOT_FOUND for a listing that neither matches nor is saved and has no note, VALIDATION for a text that is
 *   too long and above the limit of notes, UNAUTHENTICATED when the account is gone
 */
export async function noteOnListing(
  pool: Pool,
  { userId, listingId, isMatch }: { userId: number; listingId: number; isMatch: boolean },
  text: string | null | undefined,
): Promise<void> {
  const plain = storableText((text ?? '').replace(/\r\n?/g, '\n'));
  const { note } = parseForm(noteSchema, { note: plain });
  await inTransaction(pool, async (client) => {
    await lockBuyer(client, userId);
    const { rows } = await client.query<{ count: number; isKnown: boolean }>(
      `with car as materialized (${carOf('$2::int8')}), of_car as (
         delete from listing_notes where user_id = $1 and listing_id in (select id from car) returning listing_id)
       select (select count(*)::int4 from listing_notes where user_id = $1) - (select count(*)::int4 from of_car) as count,
              exists (select from of_car) or exists (
                select from saved_listings where user_id = $1 and listing_id = $2 and not coalesce(${isForgotten('removed_at')}, false))
                as "isKnown"`,
      [userId, listingId],
    );
    const { count = 0, isKnown = false } = rows[0] ?? {};
    if (!isMatch && !isKnown) throw new AppError('NOT_FOUND', 'Listing not found');
    if (!note) return;
    if (count >= MAX_NOTES)
      refuseInvalid({ note: `You can keep notes about up to ${MAX_NOTES} cars. Remove one first.` });
    await client.query('insert into listing_notes (user_id, listing_id, note) values ($1, $2, $3)', [
      userId,
      listingId,
      note,
    ]);
  });
}
