import { type Moment, moments, noMoments, textMoments, type WatchOrders } from './moments/moments.ts';
import type { Life } from './system/part.ts';

export type Victim = 'api' | 'worker' | 'database' | 'session';

export interface KillPlan {
  /** What a new life is to do; undefined when it may live. */
  orders(part: string): WatchOrders['kill'];
  /** Every life that ended, with the moment at which it did. */
  ended(life: Life): void;
  /** Whether the kills at random are not ahead of those at moments. */
  isRandomDue(): boolean;
  /** The next kill that waits for no moment; undefined when there is none left. */
  nextRandom(): Victim | undefined;
  counts: { moments: Record<Moment, number>; random: Record<Victim, number> };
  isDone(): boolean;
  total(): number;
}

const byPart = (part: string): readonly Moment[] =>
  part === 'api' ? ['after-commit'] : ['mid-match', 'after-claim', 'before-record', 'after-commit', ...textMoments];
const randomVictims: readonly Victim[] = ['database', 'worker', 'api', 'database', 'worker', 'session'];
const LATEST = 3;

/**
 * Divides the kills: a fifth for each of the four named moments, or two for each of two, the rest at random.
 * @param focus a moment that takes them all: the one at which a planted defect shows
 * @param calmMs how long some lives are left alone: where all ended at once, nothing would ever be finished
 */
export function makeKillPlan(
  kills: number,
  random: () => number,
  calmMs = 6_000,
  focus?: Moment,
  named: readonly Moment[] = moments,
): KillPlan {
  const each = focus || kills < 4 ? 0 : Math.max(1, Math.floor((kills * 4) / 5 / named.length));
  const left = noMoments();
  for (const moment of named) left[moment] = each;
  if (focus) left[focus] = kills;
  const given = new Map<string, Moment>();
  const counts: KillPlan['counts'] = {
    moments: noMoments(),
    random: { api: 0, worker: 0, database: 0, session: 0 },
  };
  const randomAtAll = focus ? 0 : kills - each * named.length;
  let randomLeft = randomAtAll;
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const total = () => sum(Object.values(counts.moments)) + sum(Object.values(counts.random));

  return {
    counts,
    orders(part) {
      // The api has but one moment: a worker takes it only now and then.
      const choices = byPart(part).filter(
        (moment) => left[moment] > 0 && (moment !== 'after-commit' || part === 'api' || random() < 0.2),
      );
      const moment = choices.sort((a, b) => left[b] - left[a])[0];
      if (moment === undefined) return undefined;
      left[moment] -= 1;
      given.set(part, moment);
      return { moment, nth: 1 + Math.floor(random() * LATEST), afterMs: random() < 0.3 ? calmMs : 0 };
    },
    ended({ part, report }) {
      const moment = given.get(part);
      given.delete(part);
      if (moment === undefined) return;
      if (report?.killedAt === moment) counts.moments[moment] += 1;
      else left[moment] += 1;
    },
    isRandomDue: () =>
      sum(Object.values(counts.random)) * (kills - randomAtAll) <= sum(Object.values(counts.moments)) * randomAtAll,
    nextRandom() {
      if (randomLeft === 0) return undefined;
      randomLeft -= 1;
      const victim = randomVictims[randomLeft % randomVictims.length] ?? 'worker';
      counts.random[victim] += 1;
      return victim;
    },
    isDone: () => total() === kills,
    total,
  };
}
