import { outboxFile } from '../../src/vendors/outbox-mail.ts';
import { type Moment, moments } from '../moments/moments.ts';
import type { Life } from '../system/part.ts';
import type { System } from '../system/system.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import { readDoubledDecisions, readMails, readMatches, readTakenFromOutbox, readUnstored } from './collect.ts';
import { judgeMails } from './judge-mails.ts';
import { judgeMatches } from './judge-matches.ts';

/** Alerts and the cars that they are judged with: those of the pusher, those of the demo marketplace. */
export interface World {
  alerts: readonly AlertLog[];
  cars: readonly CarLog[];
}

export interface Verdict {
  /** The contract's numbers, and what explains them. */
  counts: Record<string, unknown> & { expected: number; reached: Record<Moment, number> };
  /** Everything that is wrong, in words. */
  faults: string[];
}

const reachedBy = (lives: readonly Life[]): Record<Moment, number> =>
  Object.fromEntries(
    moments.map((moment) => [moment, lives.reduce((sum, { report }) => sum + (report?.reached[moment] ?? 0), 0)]),
  ) as Record<Moment, number>;

const within = <T>(kind: string, faults: readonly T[]) => faults.map((fault) => `${kind}: ${fault}`);

/** Compares what is stored and what was handed over with what the journals say. */
export async function judge(system: System, folder: string, pushed: World, polled: World): Promise<Verdict> {
  const { pool, provider, database } = system;
  const { rows, orphans } = await readMatches(pool);
  const mailRows = await readMails(pool);
  const taken = [...provider.taken, ...(await readTakenFromOutbox(outboxFile(folder)))];
  const lives = [system.api, ...system.workers].flatMap((part) => part.lives);

  const matches = [pushed, polled].map(({ alerts, cars }) => judgeMatches(alerts, cars, rows));
  const mails = [pushed, polled].map(({ alerts, cars }) => {
    const ids = new Set(alerts.map(({ id }) => id));
    const own = mailRows.filter(({ alertId }) => ids.has(alertId));
    const ownIds = new Set(own.map(({ id }) => id));
    const handed = taken.filter(({ mailId }) => ownIds.has(mailId));
    return judgeMails(alerts, cars, { taken: handed, rows: own, lives, outages: database.outages });
  });
  const missing = [...matches.flatMap((one) => one.missing), ...(await readUnstored(pool, pushed.cars))];
  const extra = [...matches.flatMap((one) => one.extra), ...mails.flatMap((one) => one.wrong)];
  const doubled = [...matches.flatMap((one) => one.doubled), ...(await readDoubledDecisions(pool))];
  const lost = mails.flatMap((one) => one.lost);
  const mailsDoubled = mails.flatMap((one) => one.doubled);
  return {
    faults: [
      ...within('missing', missing),
      ...within('extra', extra),
      ...within('doubled', doubled),
      ...within('mail lost', lost),
      ...within('mail doubled', mailsDoubled),
    ],
    counts: {
      listings: pushed.cars.length + polled.cars.length,
      expected: matches.reduce((sum, one) => sum + one.expected, 0),
      missing: missing.length,
      extra: extra.length,
      doubled: doubled.length,
      mailsExpected: mails.reduce((sum, one) => sum + one.expected, 0),
      mailsLost: lost.length,
      mailsDoubled: mailsDoubled.length,
      reached: reachedBy(lives),
      planted: lives.reduce((sum, { report }) => sum + (report?.planted ?? 0), 0),
      mails: { taken: taken.length, outbox: taken.filter(({ by }) => by === 'outbox').length },
      provider: provider.counts,
      explained: mails.flatMap((one) => one.explained),
      orphans,
    },
  };
}
