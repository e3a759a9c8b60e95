import { progress } from '../progress.ts';
import { type Act, type Kind, nameOf } from './act-plan.ts';
import { type Impairment, isSound, perform, type Stage } from './perform.ts';
import type { Probe } from './probe.ts';

/** How soon LotWatch must do its work again after whatever happened to it. */
export const RECOVERY_MS = 30_000;
/** After so many times without any recovery the rest would tell nothing more. */
const MOST_STUCK = 3;

export interface ActsDone {
  done: Record<Kind, number>;
  /** Milliseconds that each recovery took. */
  recoveries: { act: string; ms: number }[];
  faults: string[];
}

export interface ActsOptions {
  stage: Stage;
  plan: readonly Act[];
  probe: Probe;
  /** How long a recovery may take, and how long it is waited for at most. */
  recoveryMs: number;
  patienceMs: number;
  /** A planted defect is looked for: the run ends as soon as a recovery fails, and a slow one says nothing. */
  untilFault: boolean;
  /** Called before each act while no part is away. */
  between(done: number): Promise<void>;
}

/**
 * Lets the acts happen, one as soon as LotWatch has recovered from the last. While one worker is away, the acts go on
 * that don't need it.
 */
export async function runActs({
  stage,
  plan,
  probe,
  recoveryMs,
  patienceMs,
  untilFault,
  between,
}: ActsOptions): Promise<ActsDone> {
  const done: ActsDone['done'] = { kill: 0, pause: 0, cut: 0, restore: 0, settings: 0 };
  const result: ActsDone = { done, recoveries: [], faults: [] };
  const waiting = [...plan];
  let away: Impairment | undefined;
  let stuck = 0;
  while (waiting.length > 0) {
    if (stuck >= MOST_STUCK || (untilFault && result.faults.length > 0)) break;
    const at = waiting.findIndex((act) => isSound(act, away));
    if (at < 0) {
      await away?.over;
      continue;
    }
    if (!away) await between(plan.length - waiting.length);
    const [act] = waiting.splice(at, 1);
    if (!act) break;
    const name = nameOf(act);
    try {
      const { at: from, impairment } = await perform(stage, act, away);
      if (impairment) {
        away = impairment;
        void impairment.over.then(() => {
          if (away === impairment) away = undefined;
        });
      }
      done[act.kind] += 1;
      const { at: to, reached, missed } = await probe.run(patienceMs);
      const ms = to - from;
      const times = [...reached].map(([station, at]) => `${station} ${((at - from) / 1000).toFixed(1)}`).join(', ');
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
  if (stuck >= MOST_STUCK) result.faults.push(`unfinished: ${waiting.length} acts were left out`);
  return result;
}
