import type { Queryable } from '../../src/base/database.ts';
import { carMailKinds } from '../../src/domain/mail-kinds.ts';
import { readOutbox } from '../../src/vendors/outbox-mail.ts';
import type { AcceptedMail } from '../system/providers.ts';
import type { CarLog } from '../world/journal.ts';
import { SOURCE } from '../world/pusher.ts';
import { carOf } from '../world/readers.ts';
import type { MailRow, TimelyMail } from './judge-mails.ts';
import { type MatchRow, pairOf } from './judge-matches.ts';
import type { PushRow } from './judge-pushes.ts';

/** Reads all rows of `matches`. An alert that was deleted in a race may leave some, which a job removes. */
export async function readMatches(db: Queryable): Promise<{ rows: MatchRow[]; orphans: number }> {
  const { rows } = await db.query<MatchRow & { isOrphan: boolean }>(
    `select l.external_id as car, m.alert_id as "alertId", a.id is null as "isOrphan",
            coalesce(m.alert_version = a.version, false) as shown
       from matches m join listings l on l.id = m.listing_id left join alerts a on a.id = m.alert_id and a.user_id = m.user_id`,
  );
  return { rows: rows.filter(({ isOrphan }) => !isOrphan), orphans: rows.filter(({ isOrphan }) => isOrphan).length };
}

/** Reads pairs with more than one notification as new matches; a dropped notification may be followed by another. */
export async function readDoubledDecisions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ pair: string; times: number }>(
    `select l.external_id || ':' || n.alert_id as pair, count(*)::int as times
       from notifications n join listings l on l.id = n.listing_id
      where n.kind = 'match' and n.channel = 'email' and n.status <> 'dropped' group by 1 having count(*) > 1`,
  );
  return rows.map(({ pair, times }) => `${pair}: ${times} notifications`);
}

/** Reads the visible pairs of a buyer's alerts, and the times of those that are announced as matches. */
export async function readShown(db: Queryable, userId: number) {
  const { rows } = await db.query<{ url: string; alertId: number; announced: boolean; matchedAt: number }>(
    `select l.url, m.alert_id as "alertId", extract(epoch from m.matched_at)::float8 * 1000 as "matchedAt",
            m.announced and exists (
              select from notifications n where n.alert_id = m.alert_id and n.user_id = m.user_id and n.listing_id = m.listing_id
                and n.kind = 'match' and n.status <> 'dropped') as announced
       from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id and m.alert_version = a.version
       join listings l on l.id = m.listing_id where a.user_id = $1`,
    [userId],
  );
  const pairs = rows.map((row) => ({ ...row, pair: pairOf(carOf(row.url), row.alertId) }));
  return {
    shown: pairs.map(({ pair }) => pair),
    announced: new Map(pairs.filter((row) => row.announced).map(({ pair, matchedAt }) => [pair, matchedAt])),
  };
}

/** Reads mails that an alert has ended, or will end. */
export async function readTimelyMails(db: Queryable): Promise<TimelyMail[]> {
  const { rows } = await db.query<TimelyMail>(
    `select id, kind, alert_id as "alertId", status, extract(epoch from created_at)::float8 * 1000 as "createdAt"
       from mails where kind in ('expired', 'reminder') and alert_id is not null`,
  );
  return rows;
}

export async function readPushes(db: Queryable): Promise<PushRow[]> {
  const { rows } = await db.query<PushRow>(
    `select p.id, p.alert_id as "alertId", p.status, extract(epoch from p.created_at)::float8 * 1000 as "claimedAt",
            coalesce(array_agg(l.external_id) filter (where l.id is not null), '{}') as cars
       from pushes p left join notifications n on n.push_id = p.id and n.user_id = p.user_id left join listings l on l.id = n.listing_id
      group by p.id, p.user_id`,
  );
  return rows;
}

export async function readMails(db: Queryable): Promise<MailRow[]> {
  const { rows } = await db.query<MailRow>(
    `select m.id, m.alert_id as "alertId", m.status,
            extract(epoch from m.claimed_at)::float8 * 1000 as "claimedAt",
            coalesce(array_agg(l.external_id) filter (where l.id is not null), '{}') as cars
       from mails m left join notifications n on n.mail_id = m.id and n.user_id = m.user_id left join listings l on l.id = n.listing_id
      where m.kind = any($1) group by m.id, m.user_id`,
    [carMailKinds],
  );
  return rows;
}

/** Finds cars that were pushed and acknowledged, and are not stored in their last state. */
export async function readUnstored(db: Queryable, cars: readonly CarLog[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string; price: number; status: string }>(
    'select external_id as id, price, status from listings where source = $1',
    [SOURCE],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return cars.flatMap(({ externalId, states }) => {
    const [row, said] = [stored.get(externalId), states.at(-1)];
    if (row && said && row.price === said.facts.price && (row.status === 'for_sale') === said.forSale) return [];
    return [`${externalId} was acknowledged and is ${row ? 'not stored in its last state' : 'not stored'}`];
  });
}

/** The time of mails in the outbox: it is used after SendGrid, and its times are by a worker's clock, which may be wrong. */
const LAST = 8.64e15;

/** Reads the lines of the outbox as accepted mails. */
export async function readAcceptedByOutbox(file: string): Promise<AcceptedMail[]> {
  const lines = await readOutbox(file, 1_000_000);
  return lines.map(({ id, to, text, sentAt }) => ({
    mailId: id,
    writtenAt: Date.parse(sentAt),
    to,
    text,
    askedAt: LAST,
    at: LAST,
    by: 'outbox',
    how: 'accepted',
  }));
}
