import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 200;

/** Asks until it is true; what is thrown counts as not yet. @throws Error that says what did not come */
export async function untilTrue(what: string, patienceMs: number, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; ; await sleep(EVERY_MS)) {
    if (await isTrue().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${what} did not come in ${patienceMs / 1000} s`);
  }
}
