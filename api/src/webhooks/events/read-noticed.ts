import type { MatchNotice } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';
import { isHeldBack } from '../../entities/shared/match-position.ts';
import { type NewMatch, toldColumns, wantsMatches } from './read-new-matches.ts';

/** Few of a listing's thousands of matches are a dealer's: begin with those of the listings, and look up who owns them. */
const noticedSql = `
  select ${toldColumns}
    from (
      select m.*, a.user_id, a.email_notifications as mails, a.version
        from matches m join alerts a on a.id = m.alert_id
       where m.listing_id = any($1::int8[]) and m.position = any($2::int8[]) offset 0) m
    join webhook_positions p on p.user_id = m.user_id
   where (m.position, m.listing_id, m.alert_id) > (p.position, p.listing_id, p.alert_id) and ${wantsMatches}
   order by m.position::int8, m.listing_id, m.alert_id`;

/**
 * Matches that notices tell of, behind the positions of those who have a webhook for them; positions stay. What an older
 * transaction still holds back comes back as a notice.
 */
export async function readNoticed(
  db: Queryable,
  notices: readonly MatchNotice[],
): Promise<{ matches: NewMatch[]; unsettled: MatchNotice[] }> {
  if (notices.length === 0) return { matches: [], unsettled: [] };
  const { rows } = await db.query<{ horizon: string }>('select match_horizon()::text as horizon');
  const horizon = rows[0]?.horizon ?? '0';
  const isSettled = ({ position }: MatchNotice) => !isHeldBack(position, horizon);
  const settled = notices.filter(isSettled);
  const { rows: matches } = await db.query<NewMatch>({
    name: 'webhooks-noticed',
    text: noticedSql,
    values: [settled.flatMap(({ listings = [] }) => listings), [...new Set(settled.map(({ position }) => position))]],
  });
  return { matches, unsettled: notices.filter((notice) => !isSettled(notice)) };
}
