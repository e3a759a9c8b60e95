/** How a source is doing, in a word. */
export enum SourceState {
  /** New, and not read yet. */
  waiting = 'waiting',
  healthy = 'healthy',
  /** Its last read failed. */
  degraded = 'degraded',
  /** Nothing could be read from it for long. */
  failing = 'failing',
  /** It was ended by an operator or by the settings: it is polled no more. */
  stopped = 'stopped',
}

export interface SourceSigns {
  kind: string;
  everySeconds: number;
  /** null: no poll will come. */
  nextPollAt: Date | null;
  createdAt: Date;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

const SILENT_INTERVALS = 10;
const MIN_SILENCE_MS = 10 * 60_000;

/** The silence of a pushed source says nothing: who pushes decides when. */
export function sourceState(source: SourceSigns, now: Date): SourceState {
  const calm = source.lastSuccessAt ? SourceState.healthy : SourceState.waiting;
  if (source.kind !== 'push') {
    if (!source.nextPollAt) return SourceState.stopped;
    const maxSilenceMs = Math.max(SILENT_INTERVALS * source.everySeconds * 1000, MIN_SILENCE_MS);
    const silentMs = now.getTime() - (source.lastSuccessAt ?? source.createdAt).getTime();
    if (silentMs > maxSilenceMs) return SourceState.failing;
  }
  return source.lastError === null ? calm : SourceState.degraded;
}

const BUCKETS_A_DOUBLING = 8;
const INT4_MAX = 2 ** 31 - 1;

/** How many lags fell into one bucket. */
export interface LagCount {
  bucket: number;
  listings: number;
}

/** The bucket of a lag in milliseconds: eight to a doubling, so that its middle is at most 4.5 % off. */
export function lagBucket(lagMs: number): number {
  return lagMs < 1 ? 0 : 1 + Math.floor(BUCKETS_A_DOUBLING * Math.log2(Math.min(lagMs, INT4_MAX)));
}

const middleMs = (bucket: number): number =>
  bucket === 0 ? 0 : Math.min(INT4_MAX, Math.round(2 ** ((bucket - 0.5) / BUCKETS_A_DOUBLING)));

/** Lags in milliseconds, counted by bucket, lowest first. */
export function countLags(lagsMs: readonly number[]): LagCount[] {
  const counts = new Map<number, number>();
  for (const lag of lagsMs) {
    const bucket = lagBucket(lag);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return [...counts].map(([bucket, listings]) => ({ bucket, listings })).sort((a, b) => a.bucket - b.bucket);
}

/**
 * The lag that this share of the listings did not exceed (nearest rank), in milliseconds, 4.5 % off at most; null
 * without listings. @param share 0.5 is the median @param counts a bucket may stand more than once
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

/** Milliseconds from listed to seen; a clock that runs ahead counts as none. */
export const lagMs = (listedAt: Date, seenAt: Date): number => Math.max(0, seenAt.getTime() - listedAt.getTime());

/** The middle one, within int4; null when there is none. */
export function medianMs(lags: readonly number[]): number | null {
  const middle = lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)];
  return middle === undefined ? null : Math.min(middle, INT4_MAX);
}
