import type { MatchNotice } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';
import { EVENT_RETENTION_DAYS } from '../../domain/webhooks/message.ts';
import { isStillAnnounced } from '../../entities/notification-rules.ts';
import { type Bounds, isHeldBack } from '../../placement/positions.ts';

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
  /** Whether it is new to the buyer: a match of a backfill, or of a new source's first read, is not. */
  isNews: boolean;
}

/** Matches of one buyer that are read at a time. */
export const MATCHES_A_BATCH = 200;

const wantsMatchEvents = `exists (
  select from webhooks w where w.user_id = p.user_id and 'match.created' = any(w.events))`;

/**
 * Whether the search for a new or changed listing found the pair, and not a backfill of the alert. It did when the
 * listing came or changed after the alert last requested a backfill, however late the match was made. It is assumed to
 * have done so when the listing came or changed in the ten minutes before the match.
 * @param at the column with the time at which the listing came or changed
 */
const foundByListingSearch = (at: string) => `
  ${at} <= m.matched_at and ${at} >= a.created_at
  and (${at} >= a.backfill_requested_at or ${at} > m.matched_at - interval '10 minutes')`;

/**
 * A match of an alert without mails is never announced: it is news when its listing is new and no event named the car
 * under another id. A hidden pair or one of an earlier version is no news, since it gets a new position when it is shown
 * again. A pair older than the oldest stored event is no news, since its event may have been purged. The query gives `m`
 * the `mails` and `version` of its alert; `p` is the buyer's position.
 */
const newMatchColumns = `
  p.user_id as "userId", m.position::text as position, m.listing_id as "listingId", m.alert_id as "alertId",
  m.matched_at as "matchedAt", m.announced, m.distance_miles::float8 as distance,
  m.alert_version = m.version and m.matched_at > now() - interval '${EVENT_RETENTION_DAYS} days' and (m.announced or not m.mails and coalesce((
    select l.announce and (${foundByListingSearch('l.seen_at')} or ${foundByListingSearch('l.changed_at')})
      and (l.car_id is null or not exists (
        select from listings o join webhook_events e
            on e.user_id = p.user_id and e.type = 'match.created' and e.subject = a.id || ':' || o.id
         where o.car_id = l.car_id and o.id <> l.id and ${isStillAnnounced('e.created_at')}))
      from listings l join alerts a on a.id = m.alert_id and a.user_id = m.user_id
     where l.id = m.listing_id), false))
  and not exists (
    select from webhook_events e
     where e.user_id = p.user_id and e.type = 'match.created' and e.subject = m.alert_id || ':' || m.listing_id)
    as "isNews"`;

/** A transaction that still runs holds back what came after it, so that nothing appears behind a position. */
const newMatchesSql = `
  with h as materialized (select match_horizon() as horizon)
  select ${newMatchColumns}
    from h cross join webhook_positions p
   cross join lateral (
     select m.*, a.email_notifications as mails, a.version
       from alerts a
      cross join lateral (
        select * from matches
         where alert_id = a.id and user_id = p.user_id and position < h.horizon
           and (position, listing_id, alert_id) > (p.position, p.listing_id, p.alert_id)
         order by position, listing_id
         limit ${MATCHES_A_BATCH}) m
      where a.user_id = p.user_id
      order by m.position, m.listing_id, m.alert_id
      limit ${MATCHES_A_BATCH}) m
   where p.user_id = any($1::int8[]) and ${wantsMatchEvents}
   order by p.user_id, m.position::int8, m.listing_id, m.alert_id`;

/** Reads matches that became visible to those of these buyers who have a webhook for matches, 200 each at most. */
export async function readNewMatches(db: Queryable, buyers: readonly number[]): Promise<NewMatch[]> {
  if (buyers.length === 0) return [];
  const { rows } = await db.query<NewMatch>({ name: 'webhooks-new-matches', text: newMatchesSql, values: [buyers] });
  return rows;
}

/**
 * Resets positions that are ahead of all positions of this server, as after a restore of tables from different times, to
 * the beginning of its epoch. Stored events are not repeated. @returns the users' ids
 */
export async function resetPositionsAhead(db: Queryable, buyers: readonly number[]): Promise<number[]> {
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

/** Moves each buyer's position behind the matches that were read. @param matches in their order */
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
 * Starts the user's position now, unless another webhook of theirs asks for matches already. Call it in the transaction
 * that creates or changes a webhook, before that.
 */
export async function startPosition(db: Queryable, userId: number): Promise<void> {
  await db.query({
    name: 'webhooks-start-position',
    text: `insert into webhook_positions as p (user_id, position) values ($1, match_horizon())
           on conflict (user_id) do update set position = excluded.position, listing_id = 0, alert_id = 0 where not ${wantsMatchEvents}`,
    values: [userId],
  });
}

/** Only few of a listing's thousands of matches are a dealer's, so the query begins with the matches of the listings. */
const noticedSql = `
  select ${newMatchColumns}
    from (
      select m.*, a.email_notifications as mails, a.version
        from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id
       where m.listing_id = any($1::int8[]) and m.position = any($2::int8[]) offset 0) m
    join webhook_positions p on p.user_id = m.user_id
   where (m.position, m.listing_id, m.alert_id) > (p.position, p.listing_id, p.alert_id) and ${wantsMatchEvents}
   order by m.position::int8, m.listing_id, m.alert_id`;

/**
 * Reads the matches that notices name and that lie behind their buyers' positions, which it does not move. Notices whose
 * matches an older transaction still holds back are returned as `heldBack`.
 */
export async function readNotifiedMatches(
  db: Queryable,
  notices: readonly MatchNotice[],
): Promise<{ matches: NewMatch[]; heldBack: MatchNotice[] }> {
  if (notices.length === 0) return { matches: [], heldBack: [] };
  const { rows: bounds } = await db.query<Bounds>({
    name: 'webhooks-bounds',
    text: 'select horizon::text as horizon, ceiling::text as ceiling from match_bounds()',
  });
  const isVisible = ({ position }: MatchNotice) => !isHeldBack(position, bounds);
  const visible = notices.filter(isVisible);
  const { rows: matches } = await db.query<NewMatch>({
    name: 'webhooks-noticed',
    text: noticedSql,
    values: [visible.flatMap(({ listings = [] }) => listings), [...new Set(visible.map(({ position }) => position))]],
  });
  return { matches, heldBack: notices.filter((notice) => !isVisible(notice)) };
}
