import { checkSync } from 'recheck';
import type { FoundPattern } from './find-patterns.ts';

// Chooses the checker in plain JavaScript; the others are a Java program and binaries. The variable is read at each check.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** For one pattern on a busy machine; most take a few milliseconds. */
const TIMEOUT_MS = 20_000;

/** The time of a pattern without repetition does not depend on the length of the text. */
const repeats = /[*+?]|\{\d/;

/**
 * Checks whether some text causes excessive backtracking. @returns the kind of growth and a text that shows it, or that the
 * checker timed out; null for a safe pattern, whose time grows no faster than the text
 */
export function verdictOn({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>): string | null {
  if (!repeats.test(source)) return null;
  const found = checkSync(source, flags.replaceAll(/[dg]/g, ''), { timeout: TIMEOUT_MS, attackTimeout: TIMEOUT_MS });
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable') return `${found.complexity.summary}: ${found.attack.pattern.slice(0, 300)}`;
  return `unknown: ${found.error.kind}`;
}
