import { drawnUser } from './drawn.ts';
import { createStore } from './store.ts';

/** How many cars are new to the viewer, as the server counts them; null while it is not known. */
export const newCarCount = createStore<number | null>(null, () => drawnUser()?.newCount ?? null);

/** The alerts that were created since the app was loaded, each with how many of its matches are news. */
export const createdAlerts = createStore<ReadonlyMap<string, number>>(new Map());

export function noteCreated(alertId: string): void {
  createdAlerts.set(new Map([...createdAlerts.get(), [alertId, 0]]));
}

/** An edited alert has had another backfill, so that its matches no longer tell when they were listed. */
export function forgetCreated(alertId: string): void {
  createdAlerts.set(new Map([...createdAlerts.get()].filter(([id]) => id !== alertId)));
}

/** What the live matches of this start have been counted for: cars, cars of an alert, and pairs. */
const counted = new Set<string>();
const MAX_KEPT = 10_000;

/** Begins with a count of the server's, or with none for a viewer who is not known. */
export function startNewCars(count: number | null): void {
  counted.clear();
  newCarCount.set(count);
  if (count === null) createdAlerts.set(new Map());
}

function isFirst(key: string): boolean {
  if (counted.has(key)) return false;
  if (counted.size >= MAX_KEPT) counted.clear();
  counted.add(key);
  return true;
}

interface CountedMatch {
  foundByBackfill: boolean;
  alert: { id: string };
  listing: { id: string; carId: string; isNew: boolean };
}

/**
 * Counts a match that arrived live, so that the numbers are right until the server counts again.
 * @returns whether its alert has one more new car
 */
export function countNewCar({ foundByBackfill, alert, listing }: CountedMatch): boolean {
  if (foundByBackfill || !listing.isNew) return false;
  const count = newCarCount.get();
  if (isFirst(listing.carId) && count !== null) newCarCount.set(count + 1);
  const news = createdAlerts.get().get(alert.id);
  if (isFirst(`${alert.id} listing ${listing.id}`) && news !== undefined)
    createdAlerts.set(new Map([...createdAlerts.get(), [alert.id, news + 1]]));
  return isFirst(`${alert.id} car ${listing.carId}`);
}
