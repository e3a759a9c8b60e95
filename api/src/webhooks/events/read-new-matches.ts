import type { Queryable } from '../../base/database.ts';
import { KEPT_DAYS } from '../../domain/webhooks/event-types.ts';

/** A match that became visible after its buyer's position, in the order of visibility. */
export interface NewMatch {
  userId: number;
  /** An int8 as decimal text. */
  position: string;
  listingId: number;
  alertId: number;
  matchedAt: Date;
  announced: boolean;
  distance: number;
  /** It is new to the buyer: what an alert found by looking back, or a new source had before, is not. */
  isNews: boolean;
}

/** Matches of one buyer that are read at a time. */
export const MATCHES_AT_ONCE = 200;

export const wantsMatches = `exists (
  select from webhooks w where w.user_id = p.user_id and 'match.created' = any(w.events))`;

/**
 * Whether the search for a new or changed listing found the pair, and not a look-back of the alert. It did when the
 * listing came or changed after the alert last requested a look-back, however late the match was made. It is taken to
 * have done so when that was in the ten minutes before the match.
 * @param at the column with the time at which the listing came or changed
 */
const foundByListingSearch = (at: string) => `
  ${at} <= m.matched_at and ${at} >= a.created_at
  and (${at} >= a.look_back_asked_at or ${at} > m.matched_at - interval '10 minutes')`;

/**
 * An alert that mails nothing announces nothing: a match of it is news when its listing is fresh and the car has not been
 * told of under another id. A pair that is hidden or of an earlier version is no news: it takes a new position when it is
 * shown again. Neither is a pair older than the oldest event that is kept, since it may have been told. The query gives
 * `m` the `mails` and `version` of its alert; `p` is the buyer's position.
 */
export const toldColumns = `
  p.user_id as "userId", m.position::text as position, m.listing_id as "listingId", m.alert_id as "alertId",
  m.matched_at as "matchedAt", m.announced, m.distance_miles::float8 as distance,
  m.alert_version = m.version and m.matched_at > now() - interval '${KEPT_DAYS} days' and (m.announced or not m.mails and coalesce((
    select l.announce and (${foundByListingSearch('l.seen_at')} or ${foundByListingSearch('l.changed_at')})
      and (l.car_id is null or not exists (
        select from listings o join webhook_events e
            on e.user_id = p.user_id and e.type = 'match.created' and e.subject = a.id || ':' || o.id
         where o.car_id = l.car_id and o.id <> l.id and e.created_at > now() - interval '30 days'))
      from listings l join alerts a on a.id = m.alert_id where l.id = m.listing_id), false))
  and not exists (
    select from webhook_events e
     where e.user_id = p.user_id and e.type = 'match.created' and e.subject = m.alert_id || ':' || m.listing_id)
    as "isNews"`;

/** A transaction that still runs holds back what came after it, so that nothing appears behind a position. */
const newMatchesSql = `
  with h as materialized (select match_horizon() as horizon)
  select ${toldColumns}
    from h, webhook_positions p
   cross join lateral (
     select m.*, a.email_notifications as mails, a.version
       from alerts a
      cross join lateral (
        select * from matches
         where alert_id = a.id and position < h.horizon and (position, listing_id, alert_id) > (p.position, p.listing_id, p.alert_id)
         order by position, listing_id
         limit ${MATCHES_AT_ONCE}) m
      where a.user_id = p.user_id
      order by m.position, m.listing_id, m.alert_id
      limit ${MATCHES_AT_ONCE}) m
   where p.user_id = any($1::int8[]) and ${wantsMatches}
   order by p.user_id, m.position::int8, m.listing_id, m.alert_id`;

/** What became visible for those of these buyers who have a webhook for matches, at most 200 each. */
export async function readNewMatches(db: Queryable, buyers: readonly number[]): Promise<NewMatch[]> {
  if (buyers.length === 0) return [];
  const { rows } = await db.query<NewMatch>({ name: 'webhooks-new-matches', text: newMatchesSql, values: [buyers] });
  return rows;
}

/**
 * Sets positions back that are ahead of all that this server gave out, as when tables were restored to different moments:
 * to where its epoch begins, since what was told is not told again. Returns of whom.
 */
export async function setBackPositions(db: Queryable, buyers: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'webhooks-set-back-positions',
    text: `update webhook_positions p
              set position = (select max(epoch) << 42 from match_epochs), listing_id = 0, alert_id = 0
             from match_bounds() b
            where p.user_id = any($1::int8[]) and p.position > b.ceiling
           returning p.user_id as "userId"`,
    values: [buyers],
  });
  return rows.map(({ userId }) => userId);
}

/** Lets the next reading begin behind what was read of each buyer. @param matches in their order */
export async function movePositions(db: Queryable, matches: readonly NewMatch[]): Promise<void> {
  const last = [...new Map(matches.map((match) => [match.userId, match])).values()];
  if (last.length === 0) return;
  await db.query({
    name: 'webhooks-move-positions',
    text: `update webhook_positions p set position = m.position, listing_id = m.listing_id, alert_id = m.alert_id
             from unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[]) m (user_id, position, listing_id, alert_id)
            where p.user_id = m.user_id`,
    values: [
      last.map(({ userId }) => userId),
      last.map(({ position }) => position),
      last.map(({ listingId }) => listingId),
      last.map(({ alertId }) => alertId),
    ],
  });
}

/**
 * Matches from now on are told, unless a webhook of the user's has been waiting for them. Call it in the transaction that
 * makes or changes a webhook, before.
 */
export async function startPosition(db: Queryable, userId: number): Promise<void> {
  await db.query(
    `insert into webhook_positions as p (user_id, position) values ($1, match_horizon())
     on conflict (user_id) do update set position = excluded.position, listing_id = 0, alert_id = 0 where not ${wantsMatches}`,
    [userId],
  );
}
