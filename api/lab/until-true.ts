import { setTimeout as sleep } from 'node:timers/promises';

/** Checks a condition until it is true; an error counts as false. @throws Error that names what did not happen in time */
export async function untilTrue(
  what: string,
  timeoutMs: number,
  isTrue: () => Promise<boolean>,
  everyMs = 200,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    if (await isTrue().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${what} did not happen in ${timeoutMs / 1000} s`);
  }
}
