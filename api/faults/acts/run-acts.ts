import { progress } from '../../lab/command-line.ts';
import { type Act, type Kind, nameOf, noActs } from './act-plan.ts';
import { type Absence, isPossible, perform, type Stage } from './perform-act.ts';
import type { Probe } from './probe.ts';

/** Takes the next act that is possible now, and the kills that follow it. */
function takeBurst(waiting: Act[], away: Absence | undefined, most: number): Act[] {
  const at = waiting.findIndex((act) => isPossible(act, away));
  if (at < 0) return [];
  const burst = waiting.splice(at, 1);
  while (burst.length < most && burst[0]?.kind === 'kill' && waiting[at]?.kind === 'kill')
    burst.push(...waiting.splice(at, 1));
  return burst;
}

/** How soon LotWatch must do its work again after each act. */
export const RECOVERY_MS = 30_000;
/** After this many acts without a recovery the run ends. */
const MAX_STUCK = 3;

interface ActsDone {
  done: Record<Kind, number>;
  /** Milliseconds that each recovery took. */
  recoveries: { act: string; ms: number }[];
  faults: string[];
}

interface ActsOptions {
  stage: Stage;
  plan: readonly Act[];
  probe: Probe;
  /** How many kills may follow one another, during the recovery from the one before. */
  longestBurst: number;
  /** How long a recovery may take, and how long it is waited for at most. */
  recoveryMs: number;
  timeoutMs: number;
  /** Whether the run ends at the first failed recovery, and a slow one counts as failed, as with an injected fault. */
  untilFault: boolean;
  /** Called before each act while no process is away. */
  between(done: number): Promise<void>;
}

/**
 * Performs the acts, each as soon as LotWatch has recovered from the one before, except in a burst of kills. While one worker is away, only kills of
 * the others are performed.
 */
export async function runActs({
  stage,
  plan,
  probe,
  longestBurst,
  recoveryMs,
  timeoutMs,
  untilFault,
  between,
}: ActsOptions): Promise<ActsDone> {
  const done = noActs();
  const result: ActsDone = { done, recoveries: [], faults: [] };
  const waiting = [...plan];
  let away: Absence | undefined;
  let stuck = 0;
  while (waiting.length > 0) {
    if (stuck >= MAX_STUCK || (untilFault && result.faults.length > 0)) break;
    const burst = takeBurst(waiting, away, 1 + Math.floor(stage.random() * longestBurst));
    if (burst.length === 0) {
      await away?.over;
      continue;
    }
    if (!away) await between(plan.length - waiting.length - burst.length);
    const name = burst.map(nameOf).join(', ');
    try {
      let from = 0;
      for (const act of burst) {
        const { at, absence } = await perform(stage, act, away);
        from = at;
        done[act.kind] += 1;
        if (!absence) continue;
        away = absence;
        void absence.over.then(() => {
          if (away === absence) away = undefined;
        });
      }
      const { at: to, reached, missed } = await probe.run(timeoutMs);
      const ms = to - from;
      const times = [...reached].map(([milestone, at]) => `${milestone} ${((at - from) / 1000).toFixed(1)}`).join(', ');
      result.recoveries.push({ act: name, ms });
      const seconds = (ms / 1000).toFixed(1);
      if (missed.length > 0) {
        stuck += 1;
        result.faults.push(
          `no recovery in ${seconds} s after ${name}: a probe was not ${missed.join(', not ')} (${times})`,
        );
      } else if (ms > recoveryMs && !untilFault)
        result.faults.push(`slow recovery: ${seconds} s after ${name} (${times})`);
      progress(`${plan.length - waiting.length} of ${plan.length}: ${name}; recovered in ${seconds} s (${times})`);
    } catch (error) {
      result.faults.push(`unfinished: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await away?.over;
  if (stuck >= MAX_STUCK) result.faults.push(`unfinished: ${waiting.length} acts were left out`);
  return result;
}
