import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import { limitIdleTime, type Queryable, SHORT_IDLE_MS } from '../base/database.ts';
import { MATCHES_KEPT } from '../domain/match-cap.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';
import { HELD_BY_MESSAGES, isHeld } from './held-pairs.ts';

/** To look for the oldest match that an alert keeps costs about as much as to delete so many rows. */
const ROWS_AN_ALERT = 100;
const MORE = 'more';

interface Beyond {
  alertId: number;
  userId: number;
  listingId: number;
  /** Whether messages hold it. */
  isRecent: boolean;
}

/** Takes the next notes of the search for listings. @returns the alerts, each once, which may have too many matches */
async function takeNoted(db: Queryable, limit: number): Promise<OwnedRow[]> {
  const { rows } = await db.query<OwnedRow>(
    `/* trim-noted */ with next as materialized (
       select id, user_id from alerts_to_trim order by id limit $1 for update skip locked
     ), taken as (
       delete from alerts_to_trim t using next where t.id = next.id and t.user_id = next.user_id
       returning t.alert_id, t.user_id
     )
     select distinct alert_id as id, user_id as "userId" from taken`,
    [limit],
  );
  return rows;
}

async function noteAgain(db: Queryable, alerts: readonly OwnedRow[]): Promise<void> {
  if (alerts.length === 0) return;
  await db.query('insert into alerts_to_trim (alert_id, user_id) select * from unnest($1::int8[], $2::int8[])', [
    alerts.map(({ id }) => id),
    alerts.map(({ userId }) => userId),
  ]);
}

/**
 * Locks alerts that nobody else has locked. Edits, claims and backfills lock the alert before its matches, as this does, so
 * that there is no deadlock; searches for listings lock no alert, and go on.
 */
async function lockAlerts(db: Queryable, alerts: readonly OwnedRow[]): Promise<OwnedRow[]> {
  const { rows } = await db.query<OwnedRow>(
    `/* trim-lock */ select id, user_id as "userId" from alerts
      where id = any ($1::int8[]) and user_id = any ($2::int8[]) order by id for no key update skip locked`,
    keysOf(alerts),
  );
  return rows;
}

/** Those that are there. An account that is being erased is locked, and a note would stay behind it. */
async function onlyThere(db: Queryable, alerts: readonly OwnedRow[]): Promise<OwnedRow[]> {
  const { rows } = await db.query<OwnedRow>(
    `/* trim-there */ select a.id, a.user_id as "userId" from alerts a join users u on u.id = a.user_id
      where a.id = any ($1::int8[]) and a.user_id = any ($2::int8[]) for key share of u skip locked`,
    keysOf(alerts),
  );
  return rows;
}

const isRecent = '(k.held_position is null or (b.position, b.listing_id) >= (k.held_position, k.held_listing))';

/** Locks the oldest of the shown matches beyond those that the alerts keep. What a search has locked is left for later. */
async function lockBeyond(db: Queryable, alerts: readonly OwnedRow[], limit: number): Promise<Beyond[]> {
  const [ids, userIds] = keysOf(alerts);
  const { rows } = await db.query<Beyond>(
    `/* trim-lock-beyond */ with oldest_kept as materialized (
       select a.id, a.version, a.user_id, k.position, k.listing_id, h.position as held_position, h.listing_id as held_listing
         from alerts a
        cross join lateral (
          select position, listing_id from matches where alert_id = a.id and user_id = a.user_id and alert_version = a.version
           order by position desc, listing_id desc offset ${MATCHES_KEPT - 1} limit 1) k
         left join lateral (
          select position, listing_id from matches
           where alert_id = a.id and user_id = a.user_id and alert_version = a.version and (position, listing_id) < (k.position, k.listing_id)
           order by position desc, listing_id desc offset ${HELD_BY_MESSAGES - MATCHES_KEPT - 1} limit 1) h on true
        where a.id = any ($1::int8[]) and a.user_id = any ($3::int8[])
     )
     select m.alert_id as "alertId", k.user_id as "userId", m.listing_id as "listingId", coalesce(m.is_recent, false) as "isRecent"
       from oldest_kept k
      cross join lateral (
        select alert_id, listing_id, ${isRecent} as is_recent from matches b
         where alert_id = k.id and user_id = k.user_id and (position, listing_id) < (k.position, k.listing_id) and alert_version = k.version
           and not ${isHeld('b', 'k.user_id', isRecent)}
         order by position, listing_id limit $2 for update skip locked) m
      limit $2`,
    [ids, limit, userIds],
  );
  return rows;
}

/**
 * Deletes locked matches but those that are held now. It is a statement after the lock, so that it sees the message of a search
 * that committed before; one that comes later waits for the lock, and writes the match again.
 */
async function deleteBeyond(db: Queryable, beyond: readonly Beyond[]): Promise<number> {
  const alertIds = beyond.map(({ alertId }) => alertId);
  const userIds = beyond.map(({ userId }) => userId);
  await db.query(
    'update alerts set is_capped = true where id = any ($1::int8[]) and user_id = any ($2::int8[]) and not is_capped',
    [alertIds, userIds],
  );
  const { rowCount } = await db.query(
    `/* trim-delete */ delete from matches m
      using unnest($1::int8[], $2::int8[], $3::bool[], $4::int8[]) k (alert_id, listing_id, is_recent, user_id)
       join alerts a on a.id = k.alert_id and a.user_id = k.user_id
      where m.alert_id = k.alert_id and m.user_id = k.user_id and m.listing_id = k.listing_id
        and not ${isHeld('m', 'k.user_id', 'k.is_recent')}`,
    [alertIds, beyond.map(({ listingId }) => listingId), beyond.map(({ isRecent: is }) => is), userIds],
  );
  return rowCount ?? 0;
}

/**
 * Deletes the matches beyond the newest ones of alerts that the search for listings has noted. Hidden matches stay, and don't
 * count: a car without a match would be a new one. Nothing waits for more than a batch.
 */
export const trimMatches: BatchedCleanUp = async (db, batch = FIRST_BATCH) => {
  const noted = await takeNoted(db, Math.max(1, Math.floor(batch.rows / ROWS_AN_ALERT)));
  if (noted.length === 0) return { after: null, removed: 0 };
  // A search waits for a match that it finds locked.
  await db.query(`${limitIdleTime(SHORT_IDLE_MS)}; set local enable_seqscan = off`);
  const alerts = await lockAlerts(db, noted);
  const locked = new Set(alerts.map(({ id }) => id));
  const beyond = await lockBeyond(db, alerts, batch.rows);
  const removed = beyond.length === 0 ? 0 : await deleteBeyond(db, beyond);
  const others = await onlyThere(
    db,
    noted.filter(({ id }) => !locked.has(id)),
  );
  const unfinished = beyond.length < batch.rows ? [] : noted.filter(({ id }) => locked.has(id));
  await noteAgain(db, [...others, ...unfinished]);
  return { after: removed > 0 || others.length === 0 ? MORE : null, removed };
};
