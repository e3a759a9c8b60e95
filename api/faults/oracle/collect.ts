import type { Queryable } from '../../src/base/database.ts';
import { readOutbox } from '../../src/vendors/outbox-mail.ts';
import type { TakenMail } from '../provider/provider.ts';
import { carOf } from '../readers/cursor-readers.ts';
import type { CarLog } from '../world/journal.ts';
import { SOURCE } from '../world/pusher.ts';
import type { MailRow, TimelyMail } from './judge-mails.ts';
import { type MatchRow, pairOf } from './judge-matches.ts';

/** Every row of `matches`; an alert that was deleted in a race may leave some, which a sweep removes. */
export async function readMatches(db: Queryable): Promise<{ rows: MatchRow[]; orphans: number }> {
  const { rows } = await db.query<MatchRow & { isOrphan: boolean }>(
    `select l.external_id as car, m.alert_id as "alertId", a.id is null as "isOrphan",
            coalesce(m.alert_version = a.version, false) as shown
       from matches m join listings l on l.id = m.listing_id left join alerts a on a.id = m.alert_id`,
  );
  return { rows: rows.filter(({ isOrphan }) => !isOrphan), orphans: rows.filter(({ isOrphan }) => isOrphan).length };
}

/** Pairs that were decided to be told of as new more than once; a decision that was dropped untold may come again. */
export async function readDoubledDecisions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ pair: string; times: number }>(
    `select l.external_id || ':' || n.alert_id as pair, count(*)::int as times
       from notifications n join listings l on l.id = n.listing_id
      where n.kind = 'match' and n.channel = 'email' and n.status <> 'dropped' group by 1 having count(*) > 1`,
  );
  return rows.map(({ pair, times }) => `${pair}: ${times} notifications`);
}

/** Pairs of a buyer's alerts that are shown, and those that are announced to boot. */
export async function readShown(db: Queryable, userId: number): Promise<{ shown: string[]; announced: string[] }> {
  const { rows } = await db.query<{ url: string; alertId: number; announced: boolean }>(
    `select l.url, m.alert_id as "alertId", m.announced
       from alerts a join matches m on m.alert_id = a.id and m.alert_version = a.version
       join listings l on l.id = m.listing_id where a.user_id = $1`,
    [userId],
  );
  const pairs = (some: typeof rows) => some.map(({ url, alertId }) => pairOf(carOf(url), alertId));
  return { shown: pairs(rows), announced: pairs(rows.filter(({ announced }) => announced)) };
}

/** Pairs of these buyers' alerts that are hidden. */
export async function readHidden(db: Queryable, userIds: readonly number[]): Promise<string[]> {
  const { rows } = await db.query<{ url: string; alertId: number }>(
    `select l.url, m.alert_id as "alertId"
       from alerts a join matches m on m.alert_id = a.id and m.alert_version <> a.version
       join listings l on l.id = m.listing_id where a.user_id = any ($1)`,
    [userIds],
  );
  return rows.map(({ url, alertId }) => pairOf(carOf(url), alertId));
}

/** Mails that say that an alert has ended, or will. */
export async function readTimelyMails(db: Queryable): Promise<TimelyMail[]> {
  const { rows } = await db.query<TimelyMail>(
    `select id, kind, alert_id as "alertId", status, extract(epoch from created_at)::float8 * 1000 as "createdAt"
       from mails where kind in ('expired', 'reminder') and alert_id is not null`,
  );
  return rows;
}

export async function readMails(db: Queryable): Promise<MailRow[]> {
  const { rows } = await db.query<MailRow>(
    `select m.id, m.alert_id as "alertId", m.status,
            coalesce(array_agg(l.external_id) filter (where l.id is not null), '{}') as cars
       from mails m left join notifications n on n.mail_id = m.id left join listings l on l.id = n.listing_id
      where m.kind = 'match' group by m.id`,
  );
  return rows;
}

/** What was pushed and acknowledged, and is not stored as it was said last. */
export async function readUnstored(db: Queryable, cars: readonly CarLog[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string; price: number; status: string }>(
    'select external_id as id, price, status from listings where source = $1',
    [SOURCE],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return cars.flatMap(({ externalId, states }) => {
    const [row, said] = [stored.get(externalId), states.at(-1)];
    if (row && said && row.price === said.facts.price && (row.status === 'for_sale') === said.forSale) return [];
    return [`${externalId} was acknowledged and is ${row ? 'not as it was said last' : 'not there'}`];
  });
}

/** What is still under way, in words; empty when everything is at rest. */
export async function readUnrest(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ what: string; n: number }>(
    `select 'listings to match' as what, count(*)::int as n from listings where pending_match
     union all select 'alerts to match', count(*)::int from alerts where pending_match
     union all select 'notifications ' || status, count(*)::int from notifications
                where status in ('waiting', 'sending') group by status
     union all select 'alerts to end', count(*)::int from alerts where is_active and expires_at <= now()
     union all select 'owners to remind', count(*)::int from alerts
                where is_active and email_notifications and reminded_at is null
                  and expires_at > now() and expires_at < now() + interval '3 days'
     union all select 'mails ' || status, count(*)::int from mails where status in ('waiting', 'sending') group by status`,
  );
  return rows
    .filter(({ n }) => n > 0)
    .map(({ what, n }) => `${n} ${what}`)
    .join(', ');
}

/** The outbox comes after SendGrid, and what it says of times is by the clock of a worker, which may be wrong. */
const LAST = 8.64e15;

/** The lines of the outbox as mails that were taken. */
export async function readTakenFromOutbox(file: string): Promise<TakenMail[]> {
  const lines = await readOutbox(file, 1_000_000);
  return lines.map(({ id, to, text, sentAt }) => ({
    mailId: id,
    writtenAt: Date.parse(sentAt),
    to,
    text,
    askedAt: LAST,
    at: LAST,
    by: 'outbox',
    how: 'taken',
  }));
}
