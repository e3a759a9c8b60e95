import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 50;
/** How much longer than asked it may take on a machine that is too busy. */
const MAX_TIMES = 3;
const MAX_WAIT_MS = 7_500;

/** Waits in small steps, so that a time in which the process could answer nobody, not even a proxy's check, hardly counts. */
export async function waitWhileAnswering(ms: number): Promise<void> {
  const end = performance.now() + Math.max(ms, Math.min(MAX_TIMES * ms, MAX_WAIT_MS));
  for (let left = ms; left > 0 && performance.now() < end; left -= STEP_MS) await sleep(Math.min(left, STEP_MS));
}
