import { channels } from '../../src/base/channels.ts';
import type { Listener } from '../../src/base/listener.ts';
import type { Arrival } from './plan.ts';

export interface Latencies {
  /** Notes that these listings were due at a time of `performance.now()`. */
  stored(listingIds: readonly number[], dueAt: number, arrival: Arrival): void;
  /** Milliseconds from the time at which a listing was due until its matches and notifications were committed. */
  steady: number[];
  inBursts: number[];
}

/**
 * Measures by NOTIFY, which comes when the rows of a listing are committed. Listings without a match have none, and are
 * not counted. What comes after a burst while listings of it still wait counts as a part of it.
 * @param isBacklog whether listings of a burst still wait
 */
export async function measureLatencies(listener: Listener, isBacklog: () => boolean): Promise<Latencies> {
  const due = new Map<number, { at: number; isBurst: boolean }>();
  /** Listings whose NOTIFY came before the answer to the page. */
  const early = new Map<number, number>();
  const latencies: Latencies = {
    steady: [],
    inBursts: [],
    stored(listingIds, dueAt, { burst }) {
      const isBurst = burst !== null || isBacklog();
      for (const id of listingIds) {
        const matchedAt = early.get(id);
        if (matchedAt === undefined) due.set(id, { at: dueAt, isBurst });
        else add(matchedAt - dueAt, isBurst);
        early.delete(id);
      }
    },
  };
  const add = (ms: number, isBurst: boolean) => (isBurst ? latencies.inBursts : latencies.steady).push(ms);
  await listener.on(channels.matches, (payload) => {
    const now = performance.now();
    const { listings = [] } = JSON.parse(payload) as { listings?: number[] };
    for (const id of listings) {
      const known = due.get(id);
      if (known) add(now - known.at, known.isBurst);
      else early.set(id, now);
      due.delete(id);
    }
  });
  return latencies;
}
