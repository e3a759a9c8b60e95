import { type Batch, type BatchResult, FIRST_BATCH } from '../base/batches.ts';
import type { Queryable } from '../base/database.ts';
import { factsOfOld } from '../entities/facts-before.ts';
import { deleteMarksOf } from '../placement/listing-marks.ts';
import { isWhole } from './last-seen.ts';
import { deleteTexts } from './listing-texts.ts';

interface PurgedListings extends BatchResult {
  /** Listings with a match, reduced to what its card shows. */
  kept: number;
}

interface Claimed {
  id: number;
  position: string;
  offered: boolean;
}

/**
 * Deletes listings that no source has shown for 90 days, with their price history and views. A listing that a match
 * shows, or that is the same car as one, is reduced to what its card shows and checked again 90 days later. The position
 * is the day and id of the last one. Call it in a transaction.
 */
export async function purgeListings(db: Queryable, { after, rows }: Batch = FIRST_BATCH): Promise<PurgedListings> {
  const old = await claim(db, after, rows);
  const offered = old.filter((one) => one.offered).map(({ id }) => id);
  const others = old.filter((one) => !one.offered).map(({ id }) => id);
  const matched = await findMatched(db, others);
  const leaving = others.filter((id) => !matched.has(id));
  if (offered.length > 0) await db.query('update listings set kept_at = now() where id = any($1)', [offered]);
  await reduceToCard(db, [...matched]);
  await remove(db, leaving);
  const last = old.length === rows ? (old.at(-1)?.position ?? null) : null;
  return { removed: leaving.length, kept: matched.size, after: last };
}

/**
 * Locks the next old listings, and skips locked ones. A listing that a feed still offers is not old: an unchanged feed is
 * not stored again.
 */
async function claim(db: Queryable, after: string | null, limit: number): Promise<Claimed[]> {
  const [day = '-infinity', id = '0'] = after?.split(' ') ?? [];
  const { rows } = await db.query<Claimed>({
    name: 'purge-claim',
    text: `select id, unseen_since || ' ' || id as position,
                  status <> 'gone' and source in (
                    select name from sources f
                     where ${isWhole('f')} and last_success_at > now() - interval '30 days') as offered
             from listings
            where status <> 'for_sale' and not pending_match
              and unseen_since <= (now() at time zone 'UTC')::date - 90
              and greatest(last_seen_at, kept_at) < now() - interval '90 days'
              and (unseen_since, id) > ($1::date, $2::int8)
            order by unseen_since, id limit $3 for update skip locked`,
    values: [day, id, limit],
  });
  return rows;
}

/** This is a separate statement, so that it sees the matches of every search that locked one of these rows before. */
async function findMatched(db: Queryable, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  // "limit 1" keeps the look-up by index; "exists" may read all of matches into a hash.
  const isMatched = (listing: string) => `(select true from matches where listing_id = ${listing} limit 1) is not null`;
  const { rows } = await db.query<{ id: number }>({
    name: 'purge-matched',
    text: `select l.id from listings l
            where l.id = any($1) and (${isMatched('l.id')} or l.car_id is not null and (
              select true from listings o where o.car_id = l.car_id and ${isMatched('o.id')} limit 1) is not null)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Clears what no card shows, and the keys of the search for cars. Any later record of it counts as changed. A part of an array
 * that is set as it is would end a server of Citus.
 */
async function reduceToCard(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query(
    `update listings
        set kept_at = now(), images = coalesce(images[1:1], images), vin = null, photo_hash = null, make_key = null, model_key = null,
            facts_hash = '', text_hash = null, facts_before = ${factsOfOld}
      where id = any($1)`,
    [ids],
  );
  await deleteTexts(db, ids);
}

async function remove(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from price_changes where listing_id = any($1)', [ids]);
  await db.query('delete from listing_views where listing_id = any($1)', [ids]);
  await db.query('delete from saved_listings where listing_id = any($1)', [ids]);
  await deleteTexts(db, ids);
  await moveNotes(db, ids);
  await deleteMarksOf(db, ids);
  await db.query('delete from listings where id = any($1)', [ids]);
}

/** A note is about the car: it moves to the newest listing of the car that stays, where the later note is kept. */
async function moveNotes(db: Queryable, leaving: readonly number[]): Promise<void> {
  // Whoever erases one of these accounts waits, and then finds the notes where they are.
  await db.query(
    `/* lock-owners-of-notes */ select from users where id in (select user_id from listing_notes where listing_id = any($1)) order by id for key share`,
    [leaving],
  );
  await db.query(
    `with gone as (delete from listing_notes where listing_id = any($1) returning *)
     insert into listing_notes (user_id, listing_id, note, updated_at)
     select distinct on (g.user_id, o.id) g.user_id, o.id, g.note, g.updated_at
       from gone g
       join listings l on l.id = g.listing_id
      cross join lateral (
        select id from listings where car_id = l.car_id and id <> all($1) order by seen_at desc, id desc limit 1) o
      order by g.user_id, o.id, g.updated_at desc
     on conflict (user_id, listing_id) do update set note = excluded.note, updated_at = excluded.updated_at
      where listing_notes.updated_at < excluded.updated_at`,
    [leaving],
  );
}
