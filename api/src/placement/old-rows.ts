import type { Queryable } from '../base/database.ts';

/*
 * Where the tables are distributed, matches and notifications have one partition on each shard: a function that changes the
 * partitions of one server can't change those of all in one moment. What is old is deleted there page by page, as it is on one
 * server from a partition with listings of years (`delete_old_rows`).
 */

/** What the functions of one server keep: a test compares the two. @param from,to between which ids the listings of a page are */
const stillOffered = (from: string, to: string): string => `exists (
  select from listings l
   where l.id = r.listing_id and l.id >= ${from} and l.id < ${to}
     and (l.status in ('for_sale', 'pending') or l.pending_match or l.last_seen_at > now() - interval '90 days'))`;

export const staysOf = {
  matches: (from: string, to: string): string => `r.matched_at > now() - $1 or ${stillOffered(from, to)}
    or r.alert_version = 2147483647 and exists (select from alerts a where a.id = r.alert_id and a.user_id = r.user_id)
    or exists (select from saved_listings s join alerts a on a.user_id = s.user_id
                where s.listing_id = r.listing_id and s.listing_id >= ${from} and s.listing_id < ${to}
                  and a.id = r.alert_id and a.user_id = r.user_id and s.user_id = r.user_id)
    or exists (select from notifications n
                where n.alert_id = r.alert_id and n.listing_id = r.listing_id and n.listing_id >= ${from} and n.listing_id < ${to}
                  and n.status in ('waiting', 'sending') and n.user_id = r.user_id)`,
  notifications: (from: string, to: string): string =>
    `r.created_at > now() - $1 or r.status in ('waiting', 'sending') or ${stillOffered(from, to)}`,
} as const;

type OldTable = keyof typeof staysOf;

/** The two columns of the key beside the user, in whose order the pages are. */
const keyOf = { matches: ['listing_id', 'alert_id'], notifications: ['id', 'listing_id'] } as const;
const isOldOf = { matches: 'r.listing_id < $2', notifications: 'r.created_at <= now() - $1' } as const;
const EVERY_LISTING = '9223372036854775807';

/** SQL: as the function of one server deletes a page, whose listings are from $5 on and below $6. */
function deletePage(table: OldTable): string {
  const [first, second] = keyOf[table];
  const stays = staysOf[table]('$5', '$6').replaceAll('$1', '$1::interval');
  return `
    with page as materialized (
      select r.${first} as a, r.${second} as b, r.user_id, ${isOldOf[table].replaceAll('$1', '$1::interval')} as is_old,
             r.listing_id < $2 and not (${stays}) as goes
        from ${table} r
       where r.listing_id >= $5 and r.listing_id < $6 and r.${first} > $3
       order by r.${first} fetch first ($4) rows with ties
    ), gone as (
      delete from ${table} d
       using (select r.${first} as a, r.${second} as b, r.user_id
                from page p join ${table} r on r.${first} = p.a and r.${second} = p.b and r.user_id = p.user_id
               where p.goes and r.listing_id >= $5 and r.listing_id < $6 and not (${stays}) for update of r skip locked) k
       where d.${first} = k.a and d.${second} = k.b and d.user_id = k.user_id and d.listing_id >= $5 and d.listing_id < $6
      returning 1
    )
    select case when bool_or(p.is_old) then max(p.a) end as last, (select count(*) from gone) as removed from page p`;
}

/** The page of listings that the fullest shard can read at once: the notifications that are asked about are of these alone. */
async function endOfPage(db: Queryable, from: number, rows: number): Promise<string> {
  const { rows: ends } = await db.query<{ to: string | null }>({
    name: 'old-rows-page',
    text: `select (max(listing_id) + 1)::text as "to", count(*) as found
             from (select listing_id from matches where listing_id >= $1 order by listing_id limit $2) page
           having count(*) >= $2`,
    values: [from, rows],
  });
  const known = ends.flatMap(({ to }) => (to === null ? [] : [Number(to)]));
  return known.length === 0 ? EVERY_LISTING : String(Math.min(...known));
}

/**
 * Deletes old rows of a page on each shard.
 * @param below only rows of listings with lower ids are old @param after the last row's first key of the page before
 * @returns where the next page begins, null after the last one
 */
export async function deleteOldOnShards(
  db: Queryable,
  table: OldTable,
  { below, days, after, rows }: { below: number; days: number; after: number; rows: number },
): Promise<{ last: number | null; removed: number }> {
  const [from, to] = table === 'matches' ? [after + 1, await endOfPage(db, after + 1, rows)] : [0, EVERY_LISTING];
  const { rows: done } = await db.query<{ last: number | null; removed: number }>({
    name: `delete-old-${table}`,
    text: deletePage(table),
    values: [`${days} days`, below, after, rows, from, to],
  });
  const lasts = done.flatMap(({ last }) => last ?? []);
  return {
    last: lasts.length === 0 ? null : Math.min(...lasts),
    removed: done.reduce((sum, { removed }) => sum + removed, 0),
  };
}
