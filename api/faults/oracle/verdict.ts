import { untilTrue } from '../../lab/until-true.ts';
import type { Queryable } from '../../src/base/database.ts';
import { carMailKinds } from '../../src/domain/mail-kinds.ts';
import { outboxFile, readOutbox } from '../../src/vendors/outbox-mail.ts';
import type { Probe } from '../acts/probe.ts';
import { failpoints } from '../failpoints/failpoints.ts';
import type { Life } from '../system/part.ts';
import type { AcceptedMail } from '../system/providers.ts';
import type { System } from '../system/system.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import { SOURCE } from '../world/pusher.ts';
import { carOf, loadPages } from '../world/readers.ts';
import type { World } from '../world/world.ts';
import { judgeHolds } from './judge-holds.ts';
import { judgeMails, judgeTimely, type MailRow, type TimelyMail } from './judge-mails.ts';
import { judgeMatches, type MatchRow, pairOf } from './judge-matches.ts';
import { judgePushes, type PushRow } from './judge-pushes.ts';
import { judgeCursorReader, judgePages, judgeWebhook, type ReaderVerdict } from './judge-readers.ts';

/** Reads all rows of `matches`. An alert that was deleted in a race may leave some, which a job removes. */
async function readMatches(db: Queryable): Promise<{ rows: MatchRow[]; orphans: number }> {
  const { rows } = await db.query<MatchRow & { isOrphan: boolean }>(
    `select l.external_id as car, m.alert_id as "alertId", a.id is null as "isOrphan",
            coalesce(m.alert_version = a.version, false) as shown
       from matches m join listings l on l.id = m.listing_id left join alerts a on a.id = m.alert_id`,
  );
  return { rows: rows.filter(({ isOrphan }) => !isOrphan), orphans: rows.filter(({ isOrphan }) => isOrphan).length };
}

/** Reads pairs with more than one notification as new matches; a dropped notification may be followed by another. */
async function readDoubledDecisions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ pair: string; times: number }>(
    `select l.external_id || ':' || n.alert_id as pair, count(*)::int as times
       from notifications n join listings l on l.id = n.listing_id
      where n.kind = 'match' and n.channel = 'email' and n.status <> 'dropped' group by 1 having count(*) > 1`,
  );
  return rows.map(({ pair, times }) => `${pair}: ${times} notifications`);
}

/** Reads the visible pairs of a buyer's alerts, and the times of those that are announced as matches. */
async function readShown(db: Queryable, userId: number) {
  const { rows } = await db.query<{ url: string; alertId: number; announced: boolean; matchedAt: number }>(
    `select l.url, m.alert_id as "alertId", extract(epoch from m.matched_at)::float8 * 1000 as "matchedAt",
            m.announced and exists (
              select from notifications n where n.alert_id = m.alert_id and n.listing_id = m.listing_id
                and n.kind = 'match' and n.status <> 'dropped') as announced
       from alerts a join matches m on m.alert_id = a.id and m.alert_version = a.version
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
async function readTimelyMails(db: Queryable): Promise<TimelyMail[]> {
  const { rows } = await db.query<TimelyMail>(
    `select id, kind, alert_id as "alertId", status, extract(epoch from created_at)::float8 * 1000 as "createdAt"
       from mails where kind in ('expired', 'reminder') and alert_id is not null`,
  );
  return rows;
}

async function readPushes(db: Queryable): Promise<PushRow[]> {
  const { rows } = await db.query<PushRow>(
    `select p.id, p.alert_id as "alertId", p.status, extract(epoch from p.created_at)::float8 * 1000 as "claimedAt",
            coalesce(array_agg(l.external_id) filter (where l.id is not null), '{}') as cars
       from pushes p left join notifications n on n.push_id = p.id left join listings l on l.id = n.listing_id
      group by p.id`,
  );
  return rows;
}

async function readMails(db: Queryable): Promise<MailRow[]> {
  const { rows } = await db.query<MailRow>(
    `select m.id, m.alert_id as "alertId", m.status,
            extract(epoch from m.claimed_at)::float8 * 1000 as "claimedAt",
            coalesce(array_agg(l.external_id) filter (where l.id is not null), '{}') as cars
       from mails m left join notifications n on n.mail_id = m.id left join listings l on l.id = n.listing_id
      where m.kind = any($1) group by m.id`,
    [carMailKinds],
  );
  return rows;
}

/** Finds cars that were pushed and acknowledged, and are not stored in their last state. */
async function readUnstored(db: Queryable, cars: readonly CarLog[]): Promise<string[]> {
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
async function readAcceptedByOutbox(file: string): Promise<AcceptedMail[]> {
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

/** Alerts, and the cars with which they are judged. */
interface Judged {
  alerts: readonly AlertLog[];
  cars: readonly CarLog[];
}

interface Verdict {
  /** The counts of the contract, and further ones. */
  counts: Record<string, unknown> & { expected: number };
  /** Descriptions of all faults. */
  faults: string[];
}

/** How often a process reached a failpoint, and how often one was killed there. */
const reachedBy = (lives: readonly Life[]): Record<string, { reached: number; killed: number }> =>
  Object.fromEntries(
    failpoints.map((failpoint) => [
      failpoint,
      {
        reached: lives.reduce((sum, { report }) => sum + (report?.reached[failpoint] ?? 0), 0),
        killed: lives.filter(({ report }) => report?.killedAt === failpoint).length,
      },
    ]),
  );

const within = <T>(kind: string, faults: readonly T[]) => faults.map((fault) => `${kind}: ${fault}`);
const READ_ON_MS = 60_000;

/** Compares the readers of all dealers with what these see, and waits for deliveries that are under way. */
async function judgeReaders({ pool, losses }: System, world: World): Promise<ReaderVerdict> {
  const judgeNow = async (): Promise<ReaderVerdict[]> => {
    const verdicts: ReaderVerdict[] = [];
    for (const dealer of world.dealers) {
      const { shown, announced } = await readShown(pool, dealer.id);
      const facts = { alerts: dealer.alerts, cars: world.cars(), shown, announced, hiddenAt: world.hiddenAt, losses };
      const own = <T extends { owner: string }>(readers: readonly T[]) =>
        readers.filter(({ owner }) => owner === dealer.email);
      verdicts.push(...own(world.readers).map((reader) => judgeCursorReader(reader, facts)));
      verdicts.push(...own(world.webhooks).map((reader) => judgeWebhook(reader, facts)));
      const { pairs } = await loadPages(world.target, dealer);
      verdicts.push(judgePages(`pages of ${dealer.email}`, pairs, shown));
    }
    return verdicts;
  };
  let verdicts: ReaderVerdict[] = [];
  await untilTrue('the last pairs of the readers', READ_ON_MS, async () => {
    verdicts = await judgeNow();
    return verdicts.every(({ lost }) => lost.length === 0);
  }).catch(() => {});
  return {
    lost: verdicts.flatMap((one) => one.lost),
    doubled: verdicts.flatMap((one) => one.doubled),
    extra: verdicts.flatMap((one) => one.extra),
  };
}

/** Compares the stored, delivered and read data with the journals. */
export async function judge(system: System, world: World, probe: Probe, demo: readonly CarLog[]): Promise<Verdict> {
  const { pool, provider, pushProvider, database, troubles, losses } = system;
  const readers = await judgeReaders(system, world);
  const { rows, orphans } = await readMatches(pool);
  const mailRows = await readMails(pool);
  const accepted = [...provider.accepted, ...(await readAcceptedByOutbox(outboxFile(system.folder)))];
  const lives = [system.api, ...system.workers].flatMap((part) => part.lives);
  const happened = { lives, outages: database.outages, troubles, losses };

  const pushed = [...world.cars(), ...probe.pushed];
  const judged: Judged[] = [
    { alerts: [...world.alerts(), ...probe.buyer.alerts], cars: [...pushed, ...probe.polled] },
    { alerts: world.watcher?.alerts ?? [], cars: demo },
  ];
  const matches = judged.map(({ alerts, cars }) => judgeMatches(alerts, cars, rows));
  const mails = judged.map(({ alerts, cars }) => {
    const ids = new Set(alerts.map(({ id }) => id));
    const own = mailRows.filter(({ alertId }) => ids.has(alertId));
    const ownIds = new Set(own.map(({ id }) => id));
    const handed = accepted.filter(({ mailId }) => ownIds.has(mailId));
    return judgeMails(alerts, cars, { ...happened, accepted: handed, rows: own });
  });
  const timely = judgeTimely(world.alerts(), await readTimelyMails(pool), accepted, happened);
  const pushRows = await readPushes(pool);
  const pushes = judgePushes(judged[0]?.alerts ?? [], judged[0]?.cars ?? [], {
    ...happened,
    accepted: pushProvider.accepted(),
    refused: pushProvider.refused,
    rows: pushRows,
    devices: [...world.buyers, probe.buyer].flatMap(({ devices }) => devices),
  });
  const holds = judgeHolds(world.alerts(), mailRows, 'mail');
  const pushesEarly = judgeHolds(world.alerts(), pushRows, 'push message').early;
  const missing = [...matches.flatMap((one) => one.missing), ...(await readUnstored(pool, pushed))];
  const extra = [...matches.flatMap((one) => one.extra), ...mails.flatMap((one) => one.wrong), ...readers.extra];
  extra.push(...pushes.wrong, ...pushProvider.breaches);
  const doubled = [
    ...matches.flatMap((one) => one.doubled),
    ...(await readDoubledDecisions(pool)),
    ...readers.doubled,
    ...timely.doubled,
  ];
  const mailsLost = mails.flatMap((one) => one.lost);
  const mailsDoubled = mails.flatMap((one) => one.doubled);
  const lost = [...readers.lost, ...timely.lost];
  return {
    faults: [
      ...within('missing', missing),
      ...within('extra', extra),
      ...within('doubled', doubled),
      ...within('lost', lost),
      ...within('mail lost', mailsLost),
      ...within('mail doubled', mailsDoubled),
      ...within('mail early', holds.early),
      ...within('push lost', pushes.lost),
      ...within('push doubled', pushes.doubled),
      ...within('push early', pushesEarly),
      ...within('push again', pushes.again),
    ],
    counts: {
      listings: pushed.length + probe.polled.length + demo.length,
      expected: matches.reduce((sum, one) => sum + one.expected, 0),
      missing: missing.length,
      extra: extra.length,
      doubled: doubled.length,
      lost: lost.length,
      mailsExpected: mails.reduce((sum, one) => sum + one.expected, 0),
      mailsLost: mailsLost.length,
      mailsDoubled: mailsDoubled.length,
      mailsEarly: holds.early.length,
      pushesExpected: pushes.expected,
      pushesLost: pushes.lost.length,
      pushesDoubled: pushes.doubled.length,
      pushesEarly: pushesEarly.length,
      toldAgain: pushes.again.length,
      pushes: {
        messages: pushRows.length,
        accepted: pushProvider.accepted().length,
        gone: pushProvider.refused.length,
        explained: pushes.explained,
        service: pushProvider.counts,
      },
      holds: holds.holds,
      failpoints: reachedBy(lives),
      injected: lives.reduce((sum, { report }) => sum + (report?.injected ?? 0), 0),
      mails: { accepted: accepted.length, outbox: accepted.filter(({ by }) => by === 'outbox').length },
      timely: timely.expected,
      readers: Object.fromEntries([
        ...world.readers.map(({ name, deliveries, disconnects, restarts }) => [
          name,
          { received: deliveries.length, disconnects, restarts: restarts.length },
        ]),
        ...world.webhooks.map(({ name, messages }) => [name, { received: messages.length }]),
      ] as [string, object][]),
      provider: provider.counts,
      explained: [...mails.flatMap((one) => one.explained), ...timely.explained],
      orphans,
    },
  };
}
