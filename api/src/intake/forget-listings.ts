import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { atLeisure } from './at-leisure.ts';

const BATCH = 200;
const BATCHES_A_RUN = 100;

/** How far a walk through the old listings has come: the last one's day, as text, and id. */
export interface OldListing {
  oldSince: string;
  id: number;
}

export interface Forgotten {
  left: number;
  /** Had a match: slimmed to what its card shows. */
  kept: number;
  /** Where the next run goes on; null when nothing old is left. */
  after: OldListing | null;
}

export interface ForgetOptions {
  /** Where the last run stopped. Without it the walk begins anew, and loses nothing. */
  after?: OldListing | null;
  /** Aborted at shutdown: it stops after the batch that it is at. */
  signal?: AbortSignal;
}

interface Claimed extends OldListing {
  offered: boolean;
}

/**
 * Listings that no source has shown for 90 days leave, with their price history and views. One that a match shows,
 * or that is the same car as one, stays as its card shows it, and is looked at again 90 days later. Short transactions
 * with rests between; at most 20,000 listings a call.
 */
export async function forgetListings(pool: Pool, { after = null, signal }: ForgetOptions = {}): Promise<Forgotten> {
  const forgotten: Forgotten = { left: 0, kept: 0, after };
  let batches = 0;
  await atLeisure(signal, async () => {
    const done = await inTransaction(pool, (client) => forgetBatch(client, forgotten.after));
    forgotten.left += done.left;
    forgotten.kept += done.kept;
    forgotten.after = done.after;
    batches += 1;
    return done.after === null || batches === BATCHES_A_RUN ? 'last' : 'more';
  });
  return forgotten;
}

async function forgetBatch(client: Client, after: OldListing | null): Promise<Forgotten> {
  const old = await claim(client, after);
  const offered = old.filter((one) => one.offered).map(({ id }) => id);
  const others = old.filter((one) => !one.offered).map(({ id }) => id);
  const matched = await findMatched(client, others);
  const leaving = others.filter((id) => !matched.has(id));
  if (offered.length > 0) await client.query('update listings set kept_at = now() where id = any($1)', [offered]);
  await slim(client, [...matched]);
  await remove(client, leaving);
  const last = old.length === BATCH ? (old.at(-1) ?? null) : null;
  return { left: leaving.length, kept: matched.size, after: last };
}

/**
 * Of the old listings the next, those that somebody else holds left for another time. What a feed still shows is not
 * old: an unchanged feed isn't stored anew.
 */
async function claim(client: Client, after: OldListing | null): Promise<Claimed[]> {
  const { rows } = await client.query<Claimed>({
    name: 'forget-claim',
    text: `select id, unseen_since::text as "oldSince",
                  status <> 'gone' and source in (
                    select name from sources
                     where kind = 'vehicle-feed' and last_success_at > now() - interval '30 days') as offered
             from listings
            where status <> 'for_sale' and not pending_match
              and unseen_since <= (now() at time zone 'UTC')::date - 90
              and greatest(last_seen_at, kept_at) < now() - interval '90 days'
              and (unseen_since, id) > ($1::date, $2::int8)
            order by unseen_since, id limit ${BATCH} for update skip locked`,
    values: [after?.oldSince ?? '-infinity', after?.id ?? 0],
  });
  return rows;
}

/** A statement of its own: it sees the matches of every search that held one of these rows before. */
async function findMatched(client: Client, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  // "limit 1" keeps the look-up by index; "exists" may read all of matches into a hash.
  const isMatched = (listing: string) => `(select true from matches where listing_id = ${listing} limit 1) is not null`;
  const { rows } = await client.query<{ id: number }>({
    name: 'forget-matched',
    text: `select l.id from listings l
            where l.id = any($1) and (${isMatched('l.id')} or l.car_id is not null and (
              select true from listings o where o.car_id = l.car_id and ${isMatched('o.id')} limit 1) is not null)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Away goes what no card shows, and the keys of the search for cars. Any record of it counts as changed. */
async function slim(client: Client, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `update listings
        set kept_at = now(), images = images[1:1], vin = null, photo_hash = null, make_key = null, model_key = null,
            facts_hash = ''
      where id = any($1)`,
    [ids],
  );
}

async function remove(client: Client, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query('delete from price_changes where listing_id = any($1)', [ids]);
  await client.query('delete from listing_views where listing_id = any($1)', [ids]);
  await client.query('delete from listings where id = any($1)', [ids]);
}
