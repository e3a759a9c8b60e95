import { outboxFile } from '../../src/vendors/outbox-mail.ts';
import type { Probe } from '../acts/probe.ts';
import { type Moment, moments } from '../moments/moments.ts';
import { loadPages } from '../readers/cursor-readers.ts';
import type { Life } from '../system/part.ts';
import type { System } from '../system/system.ts';
import { untilTrue } from '../until-true.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import {
  readDoubledDecisions,
  readMails,
  readMatches,
  readShown,
  readTakenFromOutbox,
  readTimelyMails,
  readUnstored,
} from './collect.ts';
import { judgeMails, judgeTimely } from './judge-mails.ts';
import { judgeMatches } from './judge-matches.ts';
import { judgeCursorReader, judgePages, judgeWebhook, type ReaderVerdict } from './judge-readers.ts';

/** Alerts and the cars that they are judged with. */
interface Judged {
  alerts: readonly AlertLog[];
  cars: readonly CarLog[];
}

export interface Verdict {
  /** The contract's numbers, and what explains them. */
  counts: Record<string, unknown> & { expected: number };
  /** Everything that is wrong, in words. */
  faults: string[];
}

/** How often a process came to a moment, and how often one ended there. */
const reachedBy = (lives: readonly Life[]): Record<string, { reached: number; killed: number }> =>
  Object.fromEntries(
    moments.map((moment: Moment) => [
      moment,
      {
        reached: lives.reduce((sum, { report }) => sum + (report?.reached[moment] ?? 0), 0),
        killed: lives.filter(({ report }) => report?.killedAt === moment).length,
      },
    ]),
  );

const within = <T>(kind: string, faults: readonly T[]) => faults.map((fault) => `${kind}: ${fault}`);
const READ_ON_MS = 60_000;

/** Holds the readers of all dealers against what these see; what is still on its way is waited for. */
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
      const { pairs } = await loadPages(world.door, dealer);
      verdicts.push(judgePages(`pages of ${dealer.email}`, pairs, shown));
    }
    return verdicts;
  };
  let verdicts: ReaderVerdict[] = [];
  await untilTrue('what the readers lack', READ_ON_MS, async () => {
    verdicts = await judgeNow();
    return verdicts.every(({ lost }) => lost.length === 0);
  }).catch(() => {});
  return {
    lost: verdicts.flatMap((one) => one.lost),
    doubled: verdicts.flatMap((one) => one.doubled),
    extra: verdicts.flatMap((one) => one.extra),
  };
}

/** Compares what is stored, what was handed over and what was read on with what the journals say. */
export async function judge(system: System, world: World, probe: Probe, demo: readonly CarLog[]): Promise<Verdict> {
  const { pool, provider, database, troubles, losses } = system;
  const readers = await judgeReaders(system, world);
  const { rows, orphans } = await readMatches(pool);
  const mailRows = await readMails(pool);
  const taken = [...provider.taken, ...(await readTakenFromOutbox(outboxFile(system.folder)))];
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
    const handed = taken.filter(({ mailId }) => ownIds.has(mailId));
    return judgeMails(alerts, cars, { ...happened, taken: handed, rows: own });
  });
  const timely = judgeTimely(world.alerts(), await readTimelyMails(pool), taken, happened);
  const missing = [...matches.flatMap((one) => one.missing), ...(await readUnstored(pool, pushed))];
  const extra = [...matches.flatMap((one) => one.extra), ...mails.flatMap((one) => one.wrong), ...readers.extra];
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
      moments: reachedBy(lives),
      planted: lives.reduce((sum, { report }) => sum + (report?.planted ?? 0), 0),
      mails: { taken: taken.length, outbox: taken.filter(({ by }) => by === 'outbox').length },
      timely: timely.expected,
      readers: Object.fromEntries([
        ...world.readers.map(({ name, deliveries, disconnects, anew }) => [
          name,
          { told: deliveries.length, disconnects, anew: anew.length },
        ]),
        ...world.webhooks.map(({ name, messages }) => [name, { told: messages.length }]),
      ] as [string, object][]),
      provider: provider.counts,
      explained: [...mails.flatMap((one) => one.explained), ...timely.explained],
      orphans,
    },
  };
}
