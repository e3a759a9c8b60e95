import { type Failpoint, failpoints, textFailpoints } from '../failpoints/failpoints.ts';
import type { InjectedFaultName } from '../failpoints/injected-faults.ts';
import { troubles as allTroubles, type Trouble } from '../system/commit-proxy.ts';
import type { WorkerSources } from '../system/system.ts';

/** A server is one of a cluster, with rows of users. */
export type Victim = 'api' | 'worker' | 'database' | 'session' | 'server';
/** The process of LotWatch that an act is for. The worker is chosen when the act is performed. */
export type Role = 'api' | 'worker';

export type Act =
  /** `kill -9` of a process at a failpoint, or of one of the victims at any time. */
  | { kind: 'kill'; failpoint: Failpoint; role: Role }
  | { kind: 'kill'; failpoint: null; victim: Victim }
  /** SIGSTOP, and after a while SIGCONT. */
  | { kind: 'pause'; failpoint: Failpoint | null; role: Role }
  /** What the process sends or gets is withheld for a while. Then it is delivered, or the connections are reset. */
  | { kind: 'cut'; role: Role; from: 'database' | 'provider' | 'both'; end: 'mended' | 'reset' }
  /** The database is restored into a new cluster. `loses`: what the workers do after the dump is lost. */
  | { kind: 'restore'; loses: boolean }
  /** A worker is shut down and started again with other sources in its settings. */
  | { kind: 'settings'; sources: WorkerSources }
  /**
   * A shard is moved to another server of the cluster. `waits`: writes wait until it is copied. `killed` in the middle of it, after
   * which the move is done again: the command, or the server that has the shard, or that gets it.
   */
  | { kind: 'move'; waits: boolean; killed: 'command' | 'source' | 'target' | null }
  /** For a while some of the commits of prepared transactions come late, are lost, or their answers are. */
  | { kind: 'commits'; trouble: Trouble };

export type Kind = Act['kind'];
export const kinds: readonly Kind[] = ['kill', 'pause', 'cut', 'restore', 'settings'];
/** Those of a run on a cluster, which is not restored. */
export const clusterKinds: readonly Kind[] = ['kill', 'pause', 'cut', 'settings', 'move', 'commits'];

interface PlanOptions {
  acts: number;
  only: readonly Kind[];
  /** The failpoints of this run. */
  at?: readonly Failpoint[];
  /** The only failpoint for kills: the one at which an injected fault shows. */
  focus?: Failpoint | undefined;
  /** The victims of random kills; with them there are no kills at failpoints. */
  victims?: readonly Victim[] | undefined;
  /** What happens to commits, if not all in turn. */
  troubles?: readonly Trouble[];
  /** Whether the database is one of a cluster, whose servers are killed too. */
  onCluster?: boolean;
}

/** The acts that show each injected fault soonest. A run with an injected fault has no others. */
export const revealingActs: Record<
  InjectedFaultName,
  Pick<PlanOptions, 'focus' | 'victims' | 'troubles'> & {
    only: readonly Kind[];
    /** Whether nobody changes alerts: a change shows matches again that a reader has passed. */
    isCalm?: boolean;
  }
> = {
  'no-claim': { only: ['kill'] },
  'no-mark': { only: ['kill'], focus: 'mid-match' },
  'no-unique': { only: ['kill'] },
  'old-position': { only: ['kill'] },
  'old-cluster': { only: ['restore'] },
  'held-lock': { only: ['kill'], focus: 'source-claimed' },
  'doubled-expiry': { only: ['kill'], victims: ['database'] },
  'ended-sources': { only: ['settings'] },
  'no-hold': { only: ['kill'] },
  'lost-push': { only: ['kill'], focus: 'push-claimed' },
  'kept-device': { only: ['kill'] },
  'no-filters': { only: ['kill'] },
  'no-seen-check': { only: ['commits'] },
  'position-from-coordinator': { only: ['commits'], troubles: ['decidedLate'], isCalm: true },
  'move-without-epoch': { only: ['move'] },
};

const randomVictims: readonly Victim[] = ['database', 'worker', 'api', 'database', 'worker', 'session'];
const clusterVictims: readonly Victim[] = ['server', 'database', 'worker', 'server', 'api', 'server', 'session'];
const cuts: readonly Pick<Act & { kind: 'cut' }, 'role' | 'from' | 'end'>[] = [
  { role: 'worker', from: 'database', end: 'mended' },
  { role: 'api', from: 'database', end: 'reset' },
  { role: 'worker', from: 'both', end: 'reset' },
  { role: 'worker', from: 'provider', end: 'mended' },
  { role: 'api', from: 'database', end: 'mended' },
  { role: 'worker', from: 'database', end: 'reset' },
  { role: 'worker', from: 'provider', end: 'reset' },
];

const moves: readonly Pick<Act & { kind: 'move' }, 'waits' | 'killed'>[] = [
  { waits: false, killed: null },
  { waits: true, killed: 'command' },
  { waits: false, killed: 'target' },
  { waits: true, killed: null },
  { waits: false, killed: 'source' },
  { waits: false, killed: 'command' },
  { waits: true, killed: 'source' },
  { waits: true, killed: 'target' },
];

/** The failpoint's process. A worker that polls commits listings too, so it is sometimes killed there. */
const roleAt = (failpoint: Failpoint, n: number): Role =>
  failpoint === 'after-commit' && n % 5 !== 4 ? 'api' : 'worker';

/** @param at the nth of its kind */
type Make = (at: number) => Act;

function makersFor({
  at: named = failpoints,
  focus,
  victims,
  onCluster = false,
  troubles = allTroubles,
}: PlanOptions): Record<Kind, Make> {
  const nthOf = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  const ofTexts = named.some((failpoint) => textFailpoints.some((text) => text === failpoint));
  return {
    // Four of five kills are at failpoints.
    kill: (n) => {
      if (victims) return { kind: 'kill', failpoint: null, victim: nthOf(victims, n) };
      if (focus) return { kind: 'kill', failpoint: focus, role: roleAt(focus, n) };
      const round = Math.floor(n / 5);
      if (n % 5 === 4)
        return { kind: 'kill', failpoint: null, victim: nthOf(onCluster ? clusterVictims : randomVictims, round) };
      const nth = round * 4 + (n % 5);
      const failpoint = nthOf(named, nth);
      return { kind: 'kill', failpoint, role: roleAt(failpoint, Math.floor(nth / named.length)) };
    },
    pause: (n) => {
      const slots = named.length + 1;
      const round = Math.floor(n / slots);
      const failpoint = focus ?? named[n % slots] ?? null;
      return {
        kind: 'pause',
        failpoint,
        role: failpoint ? roleAt(failpoint, round) : nthOf(['worker', 'api'] as const, round),
      };
    },
    cut: (n) => ({ kind: 'cut', ...nthOf(ofTexts ? cuts.filter(({ from }) => from === 'database') : cuts, n) }),
    restore: (n) => ({ kind: 'restore', loses: n % 2 === 1 }),
    settings: (n) => ({ kind: 'settings', sources: nthOf(['none', 'two', 'both', 'one'] as const, n) }),
    move: (n) => ({ kind: 'move', ...nthOf(moves, n) }),
    commits: (n) => ({ kind: 'commits', trouble: nthOf(troubles, n) }),
  };
}

export const noActs = (): Record<Kind, number> => ({
  ...{ kill: 0, pause: 0, cut: 0, restore: 0, settings: 0 },
  ...{ move: 0, commits: 0 },
});

/** How many acts of each kind there are: a tenth are pauses, and the rest are kills. */
function share(acts: number, only: readonly Kind[]): Record<Kind, number> {
  const wanted = {
    ...{ pause: acts / 10, cut: acts / 12, settings: acts / 20, restore: acts / 50 },
    ...{ move: acts / 15, commits: acts / 20 },
  };
  const counts = noActs();
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
 * Makes the acts of a run, in random order. Each kind cycles through its variants, so that a short plan has the first
 * variant of each kind.
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
      return act.failpoint ? `kill of ${act.role} at ${act.failpoint}` : `kill of ${act.victim}`;
    case 'pause':
      return `pause of ${act.role} ${act.failpoint ? `at ${act.failpoint}` : 'at random'}`;
    case 'cut':
      return `cut of ${act.role} from ${act.from === 'both' ? 'everything' : act.from}, then ${act.end}`;
    case 'restore':
      return act.loses ? 'restore of a dump, with loss' : 'restore of a dump';
    case 'settings':
      return `restart of a worker with other sources: ${act.sources}`;
    case 'move': {
      const killed = { command: 'the command', source: 'the server that has it', target: 'the server that gets it' };
      const name = act.waits ? 'move of a shard while writes wait' : 'move of a shard';
      return act.killed ? `${name}, and kill of ${killed[act.killed]}` : name;
    }
    case 'commits':
      return {
        late: 'late commits',
        cut: 'lost commits',
        unanswered: 'unanswered commits',
        decidedLate: 'commits of matches that are decided late',
      }[act.trouble];
  }
}
