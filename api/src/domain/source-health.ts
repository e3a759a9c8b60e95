/** The state of a source, as the admin sees it. */
export enum SourceState {
  /** It is new and was not read yet. */
  waiting = 'waiting',
  healthy = 'healthy',
  /** Its last read failed. */
  degraded = 'degraded',
  /** It could not be read for ten intervals, or ten minutes if that is longer. */
  failing = 'failing',
  /** It was stopped by an operator or removed from the settings, and is not polled any more. */
  stopped = 'stopped',
}

export interface SourceActivity {
  kind: string;
  everySeconds: number;
  /** null: it is not polled any more. */
  nextPollAt: Date | null;
  createdAt: Date;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

const SILENT_INTERVALS = 10;
const MIN_SILENCE_MS = 10 * 60_000;

/** The state of a source. A pushed source never fails by silence, as its sender decides when to push. */
export function sourceState(source: SourceActivity, now: Date): SourceState {
  const withoutError = source.lastSuccessAt ? SourceState.healthy : SourceState.waiting;
  if (source.kind !== 'push') {
    if (!source.nextPollAt) return SourceState.stopped;
    const maxSilenceMs = Math.max(SILENT_INTERVALS * source.everySeconds * 1000, MIN_SILENCE_MS);
    const silentMs = now.getTime() - (source.lastSuccessAt ?? source.createdAt).getTime();
    if (silentMs > maxSilenceMs) return SourceState.failing;
  }
  return source.lastError === null ? withoutError : SourceState.degraded;
}

const BUCKETS_PER_DOUBLING = 8;
const INT4_MAX = 2 ** 31 - 1;

/** A bucket of the histogram, with the number of listings whose lag is in it. */
export interface LagCount {
  bucket: number;
  listings: number;
}

/** The bucket of a lag in milliseconds. Eight buckets per doubling keep the error of a bucket's middle below 4.5 %. */
export function lagBucket(lagMs: number): number {
  return lagMs < 1 ? 0 : 1 + Math.floor(BUCKETS_PER_DOUBLING * Math.log2(Math.min(lagMs, INT4_MAX)));
}

const middleMs = (bucket: number): number =>
  bucket === 0 ? 0 : Math.min(INT4_MAX, Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING)));

/** The histogram of lags in milliseconds, lowest bucket first. */
export function countLags(lagsMs: readonly number[]): LagCount[] {
  const counts = new Map<number, number>();
  for (const lag of lagsMs) {
    const bucket = lagBucket(lag);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return [...counts].map(([bucket, listings]) => ({ bucket, listings })).sort((a, b) => a.bucket - b.bucket);
}

/**
 * A percentile of the lags (nearest rank) in milliseconds, with an error of at most 4.5 %; null without listings.
 * @param counts histograms to be added up, so a bucket may occur more than once
 * @param share 0.5 is the median
 */
export function lagPercentileMs(counts: readonly LagCount[], share: number): number | null {
  const total = counts.reduce((sum, { listings }) => sum + listings, 0);
  let left = Math.max(1, Math.ceil(total * share));
  for (const { bucket, listings } of counts.toSorted((a, b) => a.bucket - b.bucket)) {
    left -= listings;
    if (left <= 0) return middleMs(bucket);
  }
  return null;
}

/** Milliseconds from `listedAt` to `seenAt`; 0 if the source's clock is ahead. */
export const lagMs = (listedAt: Date, seenAt: Date): number => Math.max(0, seenAt.getTime() - listedAt.getTime());

/** The upper median of lags in milliseconds, at most the maximum of int4; null without lags. */
export function medianMs(lags: readonly number[]): number | null {
  const middle = lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)];
  return middle === undefined ? null : Math.min(middle, INT4_MAX);
}
