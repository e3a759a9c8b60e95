import type { MatchNotice } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';
import { type NewMatch, toldColumns, wantsMatches } from './read-new-matches.ts';

/** Few of a listing's thousands of matches are a dealer's: begin with those of the listings, and look up who owns them. */
const noticedSql = `
  select ${toldColumns}
    from (
      select m.*, a.user_id, a.email_notifications as mails
        from matches m join alerts a on a.id = m.alert_id
       where m.listing_id = any($1::int8[]) and m.tx = any($2::xid8[]) offset 0) m
    join webhook_positions p on p.user_id = m.user_id
   where (m.tx, m.listing_id, m.alert_id) > (p.tx, p.listing_id, p.alert_id) and ${wantsMatches}
   order by m.tx::text::int8, m.listing_id, m.alert_id`;

/**
 * Matches that notices tell of, behind the positions of those who have a webhook for them; positions stay. What an older
 * transaction still holds back comes back as a notice.
 */
export async function readNoticed(
  db: Queryable,
  notices: readonly MatchNotice[],
): Promise<{ matches: NewMatch[]; unsettled: MatchNotice[] }> {
  if (notices.length === 0) return { matches: [], unsettled: [] };
  const { rows } = await db.query<{ horizon: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  );
  const horizon = BigInt(rows[0]?.horizon ?? 0);
  const isSettled = ({ tx }: MatchNotice) => BigInt(tx) < horizon;
  const settled = notices.filter(isSettled);
  const { rows: matches } = await db.query<NewMatch>({
    name: 'webhooks-noticed',
    text: noticedSql,
    values: [settled.flatMap(({ listings = [] }) => listings), [...new Set(settled.map(({ tx }) => tx))]],
  });
  return { matches, unsettled: notices.filter((notice) => !isSettled(notice)) };
}
