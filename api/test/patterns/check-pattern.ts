import { checkSync } from 'recheck';
import type { FoundPattern } from './find-patterns.ts';

// The other engines are a Java program and a binary of each platform; this one is plain JavaScript. Read at each check.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** What the checker found: null where the time of matching grows with the text's length and no faster. */
export type Verdict = null | string;

/** A pattern without repetition takes no longer for a longer text. */
const repeats = /[*+?]|\{\d/;

/**
 * Whether some text makes a pattern try again and again: the kind of growth and the text that shows it, or that the
 * checker could not tell in its time.
 */
export function verdictOn({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>, timeoutMs: number): Verdict {
  if (!repeats.test(source)) return null;
  const found = checkSync(source, flags.replaceAll(/[dg]/g, ''), { timeout: timeoutMs, attackTimeout: timeoutMs });
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable') return `${found.complexity.summary}: ${found.attack.pattern.slice(0, 300)}`;
  return `not known: ${found.error.kind}`;
}
