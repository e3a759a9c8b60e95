import { untilTrue } from '../../lab/until-true.ts';
import { outboxFile } from '../../src/vendors/outbox-mail.ts';
import type { Probe } from '../acts/probe.ts';
import { failpoints } from '../failpoints/failpoints.ts';
import type { Life } from '../system/part.ts';
import type { System } from '../system/system.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import { loadPages } from '../world/readers.ts';
import type { World } from '../world/world.ts';
import { judgeHolds } from './judge-holds.ts';
import { judgeMails, judgeTimely } from './judge-mails.ts';
import { judgeMatches } from './judge-matches.ts';
import { judgePushes } from './judge-pushes.ts';
import { judgeCursorReader, judgePages, judgeWebhook, type ReaderVerdict } from './judge-readers.ts';
import {
  readAcceptedByOutbox,
  readDoubledDecisions,
  readMails,
  readMatches,
  readPushes,
  readShown,
  readTimelyMails,
  readUnstored,
} from './read-rows.ts';

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
  /** What was compared, by the name of its file. */
  journals: Record<string, unknown>;
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

/** How long a match may be on its way to a reader where recoveries take no longer than usual. */
const ON_ITS_WAY_MS = 30_000;

/** Compares the readers of all dealers with what these see, and waits for deliveries that are under way. */
async function judgeReaders({ pool, losses }: System, world: World, recoveryMs: number): Promise<ReaderVerdict> {
  const onItsWayMs = Math.max(ON_ITS_WAY_MS, recoveryMs);
  const judgeNow = async (): Promise<ReaderVerdict[]> => {
    const verdicts: ReaderVerdict[] = [];
    for (const dealer of world.dealers) {
      const { shown, announced } = await readShown(pool, dealer.id);
      const { hiddenAt } = world;
      const facts = { alerts: dealer.alerts, cars: world.cars(), shown, announced, hiddenAt, losses, onItsWayMs };
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
export async function judge(
  system: System,
  world: World,
  probe: Probe,
  { demo, recoveryMs }: { demo: readonly CarLog[]; recoveryMs: number },
): Promise<Verdict> {
  const { pool, provider, pushProvider, database, troubles, losses } = system;
  const readers = await judgeReaders(system, world, recoveryMs);
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
  const timelyMails = await readTimelyMails(pool);
  const timely = judgeTimely(world.alerts(), timelyMails, accepted, happened);
  const pushFacts = {
    accepted: pushProvider.accepted(),
    refused: pushProvider.refused,
    rows: await readPushes(pool),
    devices: [...world.buyers, probe.buyer].flatMap(({ devices }) => devices),
  };
  const pushes = judgePushes(judged[0]?.alerts ?? [], judged[0]?.cars ?? [], { ...happened, ...pushFacts });
  const mailAskedAt = new Map(accepted.map(({ mailId, askedAt, writtenAt }) => [mailId, writtenAt ?? askedAt]));
  const holds = judgeHolds(world.alerts(), mailRows, 'mail', mailAskedAt);
  const pushAskedAt = new Map(pushFacts.accepted.map(({ pushId, askedAt }) => [pushId, askedAt]));
  const pushesEarly = judgeHolds(world.alerts(), pushFacts.rows, 'push message', pushAskedAt).early;
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
    journals: {
      world: judged,
      matches: rows,
      mails: { rows: mailRows, timely: timelyMails, accepted },
      pushes: pushFacts,
      readers: { cursors: world.readers, webhooks: world.webhooks, hiddenAt: world.hiddenAt },
      happened,
    },
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
        messages: pushFacts.rows.length,
        accepted: pushFacts.accepted.length,
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
