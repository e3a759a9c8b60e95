import { FIRST_PIECE, type InPieces } from '../base/pieces.ts';

/**
 * Marketplace items count as for sale for 30 days after they were last seen; then they are gone. A feed's cars don't
 * while the feed is read: each complete read, an unchanged one too, says that they are there. The position is the day
 * and number of the listing that was looked at last; what somebody else holds is left to the next walk.
 */
export const retireUnseen: InPieces = async (db, { after, rows } = FIRST_PIECE) => {
  const [day = '-infinity', id = '0'] = after?.split(' ') ?? [];
  const { rows: done } = await db.query<{ last: string | null; seen: number; removed: number }>({
    name: 'retire-unseen',
    text: `with piece as materialized (
             select id, unseen_since from listings
              where status = 'for_sale' and unseen_since <= (now() at time zone 'UTC')::date - 30
                and (unseen_since, id) > ($1::date, $2::int8)
              order by unseen_since, id limit $3
           ), unseen as materialized (
             select id from listings
              where id in (select id from piece) and status = 'for_sale' and last_seen_at < now() - interval '30 days'
                and source not in (select name from sources where kind = 'vehicle-feed'
                                      and last_success_at > now() - interval '30 days')
              order by id for update skip locked
           ), retired as (
             update listings set status = 'gone', pending_match = false, changed_at = now()
              where id in (select id from unseen) returning 1
           )
           select (select count(*) from retired)::int4 as removed, (select count(*) from piece)::int4 as seen,
                  (select unseen_since || ' ' || id from piece order by unseen_since desc, id desc limit 1) as last`,
    values: [day, id, rows],
  });
  const { last = null, seen = 0, removed = 0 } = done[0] ?? {};
  return { after: seen < rows ? null : last, removed };
};
