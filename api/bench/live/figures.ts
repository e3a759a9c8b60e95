import type { Told } from './processes.ts';

/** What one car should do: whom it is told to, and when it was handed to the server. */
export interface Pushed {
  receivedAt: number;
  to: readonly number[];
}

/** What was pushed by its mark, and what came of it. */
export interface Outcome {
  pushed: ReadonlyMap<number, Pushed>;
  told: readonly Told[];
}

interface Tally {
  missed: number;
  doubled: number;
  /** Told to whom it does not fit. */
  strangers: number;
}

/** Compares what was told with what should have been. */
export function tally(outcomes: readonly Outcome[]): Tally {
  const result: Tally = { missed: 0, doubled: 0, strangers: 0 };
  const open = new Set(
    outcomes.flatMap(({ pushed }) => [...pushed].flatMap(([mark, { to }]) => to.map((one) => `${mark}/${one}`))),
  );
  const expected = new Set(open);
  for (const { mark, subscriber } of outcomes.flatMap(({ told }) => told)) {
    const pair = `${mark}/${subscriber}`;
    if (open.delete(pair)) continue;
    if (expected.has(pair)) result.doubled += 1;
    else result.strangers += 1;
  }
  result.missed = open.size;
  return result;
}

/** From received to told, of everybody who was told, ascending. */
export function latenciesOf({ pushed, told }: Outcome): number[] {
  return told.map(({ mark, at }) => at - (pushed.get(mark)?.receivedAt ?? Number.NaN)).sort((a, b) => a - b);
}

/** @param ascending sorted */
function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export const rounded = (ms: number) => Math.round(ms * 10) / 10;

export const percentilesOf = (ascending: readonly number[]) => ({
  p50Ms: rounded(percentile(ascending, 0.5)),
  p95Ms: rounded(percentile(ascending, 0.95)),
  p99Ms: rounded(percentile(ascending, 0.99)),
});
