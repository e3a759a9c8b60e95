import type { Delivery } from './processes.ts';

/** A pushed car: its expected subscribers, and when it was pushed. */
export interface Pushed {
  receivedAt: number;
  to: readonly number[];
}

/** The pushed cars by their marks, and the deliveries. */
export interface Outcome {
  pushed: ReadonlyMap<number, Pushed>;
  delivered: readonly Delivery[];
}

interface Tally {
  missed: number;
  doubled: number;
  /** Deliveries to subscribers whom they do not fit. */
  strangers: number;
}

/** Compares the deliveries with the expected ones. */
export function tally(outcomes: readonly Outcome[]): Tally {
  const result: Tally = { missed: 0, doubled: 0, strangers: 0 };
  const open = new Set(
    outcomes.flatMap(({ pushed }) =>
      [...pushed].flatMap(([carNumber, { to }]) => to.map((one) => `${carNumber}/${one}`)),
    ),
  );
  const expected = new Set(open);
  for (const { carNumber, subscriber } of outcomes.flatMap(({ delivered }) => delivered)) {
    const pair = `${carNumber}/${subscriber}`;
    if (open.delete(pair)) continue;
    if (expected.has(pair)) result.doubled += 1;
    else result.strangers += 1;
  }
  result.missed = open.size;
  return result;
}

/** The times from push to delivery of all deliveries, ascending. */
export function latenciesOf({ pushed, delivered }: Outcome): number[] {
  return delivered
    .map(({ carNumber, at }) => at - (pushed.get(carNumber)?.receivedAt ?? Number.NaN))
    .sort((a, b) => a - b);
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
