/** Listings a second at five million a day. */
export const STEADY_PER_SECOND = 58;
const BURST_FACTOR = 10;
export const LISTINGS_A_PAGE = 20;
const BURST_EVERY_MS = 300_000;
const FIRST_BURST_MS = 60_000;
const BURST_MS = 20_000;

/** A page of listings that comes at a time, in milliseconds from the start. */
export interface Arrival {
  atMs: number;
  /** The number of its burst, from 0 on; null at the steady rate. */
  burst: number | null;
}

/** When each burst begins and ends. A run of a minute or two has one, which is shorter. */
export function planBursts(totalMs: number): { fromMs: number; toMs: number }[] {
  const first = Math.min(FIRST_BURST_MS, totalMs / 3);
  const length = Math.min(BURST_MS, totalMs / 6);
  const bursts: { fromMs: number; toMs: number }[] = [];
  for (let fromMs = first; fromMs + length <= totalMs; fromMs += BURST_EVERY_MS) {
    bursts.push({ fromMs, toMs: fromMs + length });
  }
  return bursts;
}

/** All pages of a run in their order: evenly spaced, and ten times as close in a burst. */
export function planArrivals(totalMs: number): Arrival[] {
  const bursts = planBursts(totalMs);
  const gapMs = (LISTINGS_A_PAGE / STEADY_PER_SECOND) * 1_000;
  const arrivals: Arrival[] = [];
  for (let atMs = 0; atMs < totalMs; ) {
    const burst = bursts.findIndex(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
    arrivals.push({ atMs, burst: burst < 0 ? null : burst });
    atMs += burst < 0 ? gapMs : gapMs / BURST_FACTOR;
  }
  return arrivals;
}
