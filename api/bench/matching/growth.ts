import type { SearchTime } from './search-only.ts';

export interface Growth {
  fixedMicros: number;
  microsPerMatch: number;
  /** Share of the variance of the batches' times that the line explains. */
  rSquared: number;
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Time a listing = fixed + c × matches: the straight line through the batches, by least squares. */
export function fitGrowth(batches: readonly SearchTime[]): Growth {
  const points = batches.map(({ listings, matches, ms }) => [matches / listings, (ms * 1_000) / listings] as const);
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length);
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spreadX = mean(([x]) => (x - meanX) ** 2);
  const spreadY = mean(([, y]) => (y - meanY) ** 2);
  const slope = spreadX === 0 ? 0 : mean(([x, y]) => (x - meanX) * (y - meanY)) / spreadX;
  const left = mean(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2);
  return {
    fixedMicros: rounded(meanY - slope * meanX, 1),
    microsPerMatch: rounded(slope, 3),
    rSquared: rounded(spreadY === 0 ? 1 : 1 - left / spreadY, 3),
  };
}
