import { lockCars, locks, tryLockCar } from '../base/advisory-lock.ts';
import type { Client, Queryable } from '../base/database.ts';
import { ConcurrentWrite } from '../base/retried-transaction.ts';
import { factsBefore, NO_FACTS } from '../entities/facts-before.ts';
import { isDistributed } from './layout.ts';
import { queryShards } from './shards.ts';
import { shardCount } from './user-shards.ts';

/*
 * A listing that waits for its search has a mark, a row of `listings_to_match` with the number of the listing's last change.
 * It is written in the transaction that stores the listing, and deleted in the one that writes the matches. Whoever writes it
 * holds the lock of the listing's row, taken by an earlier statement: marks are read as that lock has found them.
 */

/**
 * SQL: marks changed listings, in the statement that changes them. The change waits where it is news; otherwise facts were
 * only read for the first time.
 * @param rows after "from": the listings to mark, as `l`
 */
export const markChanged = (rows: string, isNews: boolean): string => `
  insert into listings_to_match as known (listing_id, version, is_news, facts_before)
  select l.id, l.version + 1, ${isNews}, ${factsBefore('l')} from ${rows}
  on conflict (listing_id) do update
    set version = excluded.version, is_news = known.is_news or excluded.is_news,
        marked_at = case when excluded.is_news and not known.is_news then excluded.marked_at else known.marked_at end,
        facts_before = coalesce(known.facts_before, ${NO_FACTS})`;

/** SQL: what an update of `listings l` sets where it marks them as above. @param marks a condition: which ones it marks */
export const settingsOfMarked = (marks: string): string => `
  version = l.version + case when ${marks} then 1 else 0 end,
  facts_before = case when not ${marks} then l.facts_before end,
  pending_match = l.pending_match and not ${marks}, pending_filters = l.pending_filters and not ${marks}`;

/** SQL: marks new listings. @param rows after "from": their ids and versions */
export const markNew = (rows: string): string => `
  insert into listings_to_match (listing_id, version, is_news) select id, version, true from ${rows}
  on conflict (listing_id) do update set version = excluded.version, is_news = true, facts_before = null`;

/** Deletes the marks of listings that are deleted. */
export const deleteMarksOf = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('delete from listings_to_match where listing_id = any($1)', [ids]);
};

/** SQL: deletes the marks of listings that are no longer for sale, as `unmarked`. @param ids a query */
export const unmarked = (ids: string): string => `
  unmarked as (delete from listings_to_match where listing_id in (${ids}) returning listing_id, facts_before)`;

/** SQL: the facts at the last search of a listing that had a mark until now; null of others. @param l the row that is updated, in a statement with `unmarked` */
export const factsOfUnmarked = (l: string): string => `
  (select coalesce(u.facts_before, ${NO_FACTS}) from unmarked u where u.listing_id = ${l}.id)`;

/** SQL: whether a listing waits for a search of any kind. @param listing SQL of its id */
export const hasMark = (listing: string): string =>
  `exists (select from listings_to_match w where w.listing_id = ${listing})`;

/**
 * SQL: whether a listing waits for a search that decides about all its pairs. "limit 1" keeps the look-up by index.
 * @param listing SQL of its id
 */
export const waitsForSearch = (listing: string): string => `
  (select true from listings_to_match w where w.listing_id = ${listing} and w.is_news limit 1) is not null`;

/** SQL: those of some listings that wait for such a search, by one scan of the index of their ids. @param ids a query */
export const waitingOf = (ids: string): string => `
  select w.listing_id from listings_to_match w where w.listing_id = any (array(${ids})) and w.is_news`;

/** A listing whose mark this transaction has locked. */
export interface ClaimedListing {
  id: number;
  version: number;
  carId: number | null;
  /** Whether it may have matches. */
  known: boolean;
  /** Whether an alert may fit it or not because of what has changed. */
  asked: boolean;
  /** JSON: its facts at the last search, where they were others. */
  factsBefore: string | null;
  /** Since when it waits, by the database's clock. */
  markedAt: string;
  /** Whether the version before has marked it, in `listings`. */
  isMarkedThere: boolean;
}

/**
 * SQL: claims marks, in the order of their index. Each listing is locked before its mark: whoever has locked it may be about to
 * change the mark. The lateral query keeps each step a look-up by index, where a join may read all listings in their order.
 * @param facts SQL: what else to read of the mark `w` and the listing `l` @param where a condition on `w` @param limit a parameter
 */
const claimSql = (facts: string, where: string, limit: string): string => `
  select l.id, w.version, l."carId", w.facts_before::text as "factsBefore", w.marked_at::text as "markedAt",
         l."isMarkedThere", ${facts}
    from listings_to_match w
   cross join lateral (
     select l.id, l.car_id as "carId", l.make_key, l.model_key, l.pending_match or l.pending_filters as "isMarkedThere"
       from listings l where l.id = w.listing_id for update skip locked) l
   where ${where} order by w.is_news, w.listing_id limit ${limit} for update of w skip locked`;

/** SQL: whether the listing `l` has matches. "limit 1" keeps the look-up by index; "exists" may read all of matches into a hash. */
const hasMatches = '(select true from matches m where m.listing_id = l.id limit 1) is not null';

/**
 * SQL: whether nobody else holds the car of a claimed listing `c` on this server, where what another search has announced, or a
 * claim of messages has dropped, may not be seen yet. A search holds its listing and the known ones of the car, each by the lock of
 * a car with its id, as a listing may be linked to the car after its search.
 */
const carIsFree = `
  ${tryLockCar('c.id')} and (c.car is null or not exists (
    select from (select c.car as id union all select o.id from listings o where o.car_id = c.car) k
     where not ${tryLockCar('k.id')}))`;

/** What a server says of a claimed listing. */
interface Seen {
  id: number;
  version: number;
  answer: boolean;
}

/**
 * Asks each server for claimed listings, and takes the locks of their search there, as `server-locks.ts` says. A mark can be seen
 * at the coordinator before each server has committed the change that it marks; whoever searches there would miss the listing,
 * and delete its mark.
 * @param question SQL about the listing `l`
 * @returns those of which each server has the car and at least the version that is marked, and whose cars are free on each, with
 *   whether one says yes. The others keep their marks.
 */
async function seenByAll(
  client: Client,
  claimed: ClaimedListing[],
  name: string,
  question: string,
): Promise<[ClaimedListing, boolean][]> {
  if (claimed.length === 0) return [];
  const cars = claimed.map(({ carId }) => carId);
  await lockCars(
    client,
    cars.filter((id) => id !== null),
  );
  const answers = await queryShards<Seen>(client, {
    name,
    text: `with searching as materialized (select pg_advisory_xact_lock_shared(${locks.search}))
           select l.id, l.version, ${question} as answer
             from searching cross join unnest($1::int8[], $2::int8[]) c (id, car)
            cross join lateral (
              select l.id, l.version, l.make_key, l.model_key, l.car_id from listings l where l.id = c.id offset 0) l
            where l.car_id is not distinct from c.car and ${carIsFree}`,
    values: [claimed.map(({ id }) => id), cars],
  });
  const shards = shardCount();
  return claimed.flatMap((listing): [ClaimedListing, boolean][] => {
    const seen = answers.filter(({ id, version }) => id === listing.id && version >= listing.version);
    return seen.length < shards ? [] : [[listing, seen.some(({ answer }) => answer)]];
  });
}

/**
 * Claims listings with news, of which each server of the database has at least the version that is marked: on PostgreSQL alone
 * this holds for all, as the next statement sees no less than this one. It is a separate statement, so that the search sees
 * everything committed before these rows were locked.
 * @param from the least id
 */
export async function claimNews(client: Client, limit: number, from: number): Promise<ClaimedListing[]> {
  // One that has changed since it was new may have had matches, or a backfill may write some.
  const mayHaveSome = 'w.version > 0 or w.facts_before is not null';
  const known = isDistributed() ? mayHaveSome : `${mayHaveSome} or ${hasMatches}`;
  const { rows } = await client.query<ClaimedListing>({
    name: 'match-listings-claim',
    text: claimSql(`true as asked, ${known} as known`, 'w.is_news and w.listing_id >= $2', '$1'),
    values: [limit, from],
  });
  if (!isDistributed()) return rows;
  const seen = await seenByAll(client, rows, 'match-listings-seen', hasMatches);
  return seen.map(([listing, hasSome]) => ({ ...listing, known: listing.known || hasSome }));
}

/** Claims listings of which facts were read for the first time. @param asked SQL: whether an alert asks for such facts of `l` */
export async function claimLearned(client: Client, limit: number, asked: string): Promise<ClaimedListing[]> {
  const { rows } = await client.query<ClaimedListing>({
    name: 'match-listings-claim-learned',
    text: claimSql(`true as known, ${isDistributed() ? 'true' : asked} as asked`, 'not w.is_news', '$1'),
    values: [limit],
  });
  if (!isDistributed()) return rows;
  const seen = await seenByAll(client, rows, 'match-listings-seen-learned', asked);
  return seen.map(([listing, isAsked]) => ({ ...listing, asked: isAsked }));
}

/**
 * Deletes the marks of claimed listings, unless they changed since. Sent before the search, it lets that see each change of
 * which it takes the mark; and the planner still uses indexes then.
 */
export async function deleteMarks(client: Client, listings: readonly ClaimedListing[]): Promise<void> {
  const there = listings.filter(({ isMarkedThere }) => isMarkedThere).map(({ id }) => id);
  const deleted = client.query({
    name: 'match-listings-clear',
    text: `delete from listings_to_match
            where listing_id = any ($1::int8[]) and version <= ($2::int4[])[array_position($1::int8[], listing_id)]`,
    values: [listings.map(({ id }) => id), listings.map(({ version }) => version)],
  });
  if (there.length > 0) {
    await client.query({
      name: 'match-listings-clear-column',
      text: `update listings set version = version + 1, pending_match = false, pending_filters = false, facts_before = null
              where id = any ($1::int8[])`,
      values: [there],
    });
  }
  await deleted;
}

/**
 * Reads which of the listings that this transaction has locked each server has. One that was inserted lately may not have been
 * committed everywhere yet, where an update would change nothing.
 */
export async function haveCopies(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const asked = [...new Set(ids)];
  if (!isDistributed() || asked.length === 0) return asked;
  const copies = await queryShards<{ id: number }>(db, {
    name: 'listings-here',
    text: 'select id from listings where id = any ($1::int8[])',
    values: [asked],
  });
  const byId = Map.groupBy(copies, ({ id }) => id);
  return asked.filter((id) => byId.get(id)?.length === shardCount());
}

/**
 * Requires that each server has the listings that this transaction has locked.
 * @throws ConcurrentWrite so that the transaction is repeated
 */
export async function requireCopies(client: Client, ids: readonly number[]): Promise<void> {
  if (!isDistributed()) return;
  const copied = await haveCopies(client, ids);
  // One that was deleted is on no server.
  const { rows: lacking } = await client.query(
    'select from listings where id = any ($1::int8[]) and id <> all ($2::int8[])',
    [ids, copied],
  );
  if (lacking.length > 0) throw new ConcurrentWrite('A server has not committed these listings yet.');
}

/**
 * Locks listings before a write, where no statement has locked them and they are copied: at the coordinator, as all writers do.
 * Citus writes the copies at once, so that two writers would hold a copy each and wait for the other's.
 */
export async function lockToWrite(client: Client, ids: readonly number[]): Promise<void> {
  if (!isDistributed()) return;
  await client.query({
    name: 'lock-listings-to-write',
    text: 'select id from listings where id = any ($1::int8[]) order by id for update',
    values: [ids],
  });
}
