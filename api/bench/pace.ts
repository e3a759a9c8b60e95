import { type BenchResult, progress } from './options.ts';

const PASSES = 7;
const CHUNK = 100;
const FINALISTS = 25;
const ROUNDS = 40;

function timed<T>(inputs: readonly T[], answer: (input: T) => unknown): number {
  const started = performance.now();
  for (const input of inputs) answer(input);
  return performance.now() - started;
}

/**
 * How many of the inputs are answered a second, after one pass to warm up. Other work on the machine only ever makes
 * a pass slower: of every hundred inputs the best of several passes counts, so that a busy machine tells the same.
 */
export function perSecond<T>(inputs: readonly T[], answer: (input: T) => unknown): number {
  const chunks = Array.from({ length: Math.ceil(inputs.length / CHUNK) }, (_, index) =>
    inputs.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  const best = chunks.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const [index, chunk] of chunks.entries()) {
      const ms = timed(chunk, answer);
      if (pass > 0) best[index] = Math.min(best[index] ?? ms, ms);
    }
  }
  return Math.floor((inputs.length * 1000) / best.reduce((sum, ms) => sum + ms, 0));
}

/**
 * The input that takes longest, and how long in ms. Of each the best of several tries counts; the slowest are tried
 * again in turns, so that a pause from outside makes none of them the slowest.
 */
export function slowest<T>(inputs: readonly T[], answer: (input: T) => unknown): { input: T | null; ms: number } {
  const times = inputs.map((input) => ({ input, ms: Number.POSITIVE_INFINITY }));
  const tryAll = (list: typeof times, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const one of list) one.ms = Math.min(one.ms, timed([one.input], answer));
    }
    return list.toSorted((a, b) => b.ms - a.ms);
  };
  const finalists = tryAll(times, PASSES).slice(0, FINALISTS);
  return tryAll(finalists, ROUNDS)[0] ?? { input: null, ms: 0 };
}

/** What a benchmark of reading texts needs; its name is what the texts are. */
export interface PaceBench {
  bench: string;
  texts: readonly string[];
  /** Among which the slowest is looked for. */
  hostile: readonly string[];
  answer(text: string): unknown;
  leastPerSecond: number;
  mostMs: number;
}

/** How fast texts are read in one process, and how long the slowest one takes, in ms. */
export function measurePace({ bench, texts, hostile, answer, leastPerSecond, mostMs }: PaceBench): BenchResult {
  progress(`Reading ${texts.length} ${bench}, the best of several passes …`);
  const rate = perSecond(texts, answer);
  progress(`${rate} ${bench} a second. Looking for the slowest one …`);
  const { input, ms } = slowest(hostile, answer);
  const slowestMs = Number(ms.toFixed(3));
  progress(`${slowestMs} ms: ${JSON.stringify(input?.slice(0, 120) ?? '')}`);
  const missed: string[] = [];
  if (rate < leastPerSecond) missed.push(`${leastPerSecond} ${bench} a second`);
  if (slowestMs > mostMs) missed.push(`${mostMs} ms for any text`);
  const limit = { [`${bench}PerSecond`]: leastPerSecond, slowestMs: mostMs };
  return { line: { bench, [bench]: texts.length, [`${bench}PerSecond`]: rate, limit, slowestMs }, missed };
}
