import type { Queryable } from '../../src/base/database.ts';
import { readUnknownTexts } from '../../src/notify/texts/read-unknown-texts.ts';
import type { TextedRow, TextRow } from './judge-texts.ts';

export async function readTexts(db: Queryable): Promise<TextRow[]> {
  const { rows } = await db.query<TextRow>(
    `select t.id, t.alert_id as "alertId", t.to_phone as "to", t.status, a.id is not null as "alertIsThere",
            (select count(*)::int from notifications n where n.text_id = t.id) as notifications
       from texts t left join alerts a on a.id = t.alert_id where t.kind = 'match'`,
  );
  return rows;
}

export async function readTexted(db: Queryable): Promise<TextedRow[]> {
  const { rows } = await db.query<TextedRow>(
    `select l.external_id as car, n.alert_id as "alertId", n.kind, n.status
       from notifications n join listings l on l.id = n.listing_id where n.channel = 'sms'`,
  );
  return rows;
}

/** What the admin sees, page by page. */
export async function readListed(db: Queryable): Promise<string[]> {
  const listed: string[] = [];
  for (;;) {
    const { rows, hasMore } = await readUnknownTexts(db, { first: 100, after: listed.at(-1) });
    listed.push(...rows.map(({ id }) => id));
    if (!hasMore) return listed;
  }
}

/** What is still under way, in words; empty when all texts are at rest. */
export async function readTextUnrest(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ what: string; n: number }>(
    `select 'listings to match' as what, count(*)::int as n from listings where pending_match
     union all select 'alerts to match', count(*)::int from alerts where pending_match
     union all select 'texts to send', count(*)::int from notifications
                where channel = 'sms' and status in ('waiting', 'sending')
     union all select 'texts under way', count(*)::int from texts where status = 'sending'`,
  );
  return rows
    .filter(({ n }) => n > 0)
    .map(({ what, n }) => `${n} ${what}`)
    .join(', ');
}
