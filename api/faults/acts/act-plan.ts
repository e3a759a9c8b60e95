import { type Moment, moments, type Plant, textMoments } from '../moments/moments.ts';
import type { WorkerSources } from '../system/system.ts';

export type Victim = 'api' | 'worker' | 'database' | 'session';
/** Which of LotWatch's processes something happens to; which worker is chosen when it does. */
export type Role = 'api' | 'worker';

export type Act =
  /** `kill -9` of a process at a moment, or of whatever at any time. */
  | { kind: 'kill'; moment: Moment; role: Role }
  | { kind: 'kill'; moment: null; victim: Victim }
  /** The process stops, and goes on after a while as if nothing had happened. */
  | { kind: 'pause'; moment: Moment | null; role: Role }
  /** Everything between the process and another is swallowed for a while, then goes on or is reset. */
  | { kind: 'cut'; role: Role; from: 'database' | 'provider' | 'both'; end: 'mended' | 'reset' }
  /** The database is restored into a new cluster. `loses`: what the workers do after the dump is lost. */
  | { kind: 'restore'; loses: boolean }
  /** A worker is ended gently and begins anew with other sources in its settings. */
  | { kind: 'settings'; sources: WorkerSources };

export const kinds = ['kill', 'pause', 'cut', 'restore', 'settings'] as const;
export type Kind = (typeof kinds)[number];

export interface PlanOptions {
  acts: number;
  only: readonly Kind[];
  /** The named moments of this run. */
  named?: readonly Moment[];
  /** A moment that takes all kills: the one at which a planted defect shows. */
  focus?: Moment | undefined;
  /** Who is killed at random, and then nobody at a moment. */
  victims?: readonly Victim[] | undefined;
}

/** Where a planted defect shows soonest; a run with a plant has nothing but this where the others show it no better. */
export const shownBy: Record<Plant, Pick<PlanOptions, 'focus' | 'victims'> & { only: readonly Kind[] }> = {
  'no-claim': { only: ['kill'] },
  'no-mark': { only: ['kill'], focus: 'mid-match' },
  'no-unique': { only: ['kill'] },
  'old-position': { only: ['kill'] },
  'old-cluster': { only: ['restore'] },
  'held-lock': { only: ['kill'], focus: 'source-claimed' },
  'doubled-expiry': { only: ['kill'], victims: ['database'] },
  'ended-sources': { only: ['settings'] },
};

const randomVictims: readonly Victim[] = ['database', 'worker', 'api', 'database', 'worker', 'session'];
const cuts: readonly Pick<Act & { kind: 'cut' }, 'role' | 'from' | 'end'>[] = [
  { role: 'worker', from: 'database', end: 'mended' },
  { role: 'api', from: 'database', end: 'reset' },
  { role: 'worker', from: 'both', end: 'reset' },
  { role: 'worker', from: 'provider', end: 'mended' },
  { role: 'api', from: 'database', end: 'mended' },
  { role: 'worker', from: 'database', end: 'reset' },
  { role: 'worker', from: 'provider', end: 'reset' },
];

/** A worker that polls commits listings as well: it is killed there now and then. */
const roleAt = (moment: Moment, n: number): Role => (moment === 'after-commit' && n % 5 !== 4 ? 'api' : 'worker');

/** @param at the nth of its kind */
type Make = (at: number) => Act;

function makersFor({ named = moments, focus, victims }: PlanOptions): Record<Kind, Make> {
  const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  const ofTexts = named.some((moment) => textMoments.some((text) => text === moment));
  return {
    // Of five, four at named moments.
    kill: (n) => {
      if (victims) return { kind: 'kill', moment: null, victim: at(victims, n) };
      if (focus) return { kind: 'kill', moment: focus, role: roleAt(focus, n) };
      const round = Math.floor(n / 5);
      if (n % 5 === 4) return { kind: 'kill', moment: null, victim: at(randomVictims, round) };
      const nth = round * 4 + (n % 5);
      const moment = at(named, nth);
      return { kind: 'kill', moment, role: roleAt(moment, Math.floor(nth / named.length)) };
    },
    pause: (n) => {
      const slots = named.length + 1;
      const round = Math.floor(n / slots);
      const moment = focus ?? named[n % slots] ?? null;
      return { kind: 'pause', moment, role: moment ? roleAt(moment, round) : at(['worker', 'api'] as const, round) };
    },
    cut: (n) => ({ kind: 'cut', ...at(ofTexts ? cuts.filter(({ from }) => from === 'database') : cuts, n) }),
    restore: (n) => ({ kind: 'restore', loses: n % 2 === 1 }),
    settings: (n) => ({ kind: 'settings', sources: at(['none', 'two', 'both', 'one'] as const, n) }),
  };
}

/** How many of each kind: a tenth are pauses, and the kills take what the others leave. */
function share(acts: number, only: readonly Kind[]): Record<Kind, number> {
  const wanted = { pause: acts / 10, cut: acts / 12, settings: acts / 20, restore: acts / 50 };
  const counts: Record<Kind, number> = { kill: 0, pause: 0, cut: 0, restore: 0, settings: 0 };
  let left = acts;
  for (const [kind, number] of Object.entries(wanted) as [Exclude<Kind, 'kill'>, number][]) {
    if (!only.includes(kind)) continue;
    counts[kind] = Math.min(left, Math.max(1, Math.round(number)));
    left -= counts[kind];
  }
  // Without kills what is left is divided among the other kinds.
  const takers = only.includes('kill') ? (['kill'] as const) : only;
  for (let n = 0; left > 0; n++, left--) counts[takers[n % takers.length] ?? 'kill'] += 1;
  return counts;
}

/**
 * The acts of a run, in an order drawn at random. Each kind goes through its variants in turn, so that a plan of a few
 * acts has the first of each.
 */
export function makeActPlan(options: PlanOptions, random: () => number): Act[] {
  const makers = makersFor(options);
  const plan = Object.entries(share(options.acts, options.only)).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => makers[kind as Kind](n)),
  );
  for (let last = plan.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [plan[last], plan[other]] = [plan[other] as Act, plan[last] as Act];
  }
  return plan;
}

/** An act in a few words. */
export function nameOf(act: Act): string {
  switch (act.kind) {
    case 'kill':
      return act.moment ? `kill of ${act.role} at ${act.moment}` : `kill of ${act.victim}`;
    case 'pause':
      return `pause of ${act.role} ${act.moment ? `at ${act.moment}` : 'at random'}`;
    case 'cut':
      return `cut of ${act.role} from ${act.from === 'both' ? 'everything' : act.from}, then ${act.end}`;
    case 'restore':
      return act.loses ? 'restore of a dump, with loss' : 'restore of a dump';
    case 'settings':
      return `restart of a worker with other sources: ${act.sources}`;
  }
}
