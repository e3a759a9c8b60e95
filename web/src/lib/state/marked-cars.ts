import { createStore, useStore, useStored } from './store.ts';

/** The cars under the pointer or with the focus, which list and map show together. */
interface MarkedCars {
  ids: ReadonlySet<string>;
  /** Where they are pointed at: the other one shows it more clearly. */
  from: 'list' | 'map';
}

const none: MarkedCars = { ids: new Set(), from: 'list' };
const markedCars = createStore(none);

export const markCars = (ids: readonly string[], from: MarkedCars['from']): void =>
  markedCars.set({ ids: new Set(ids), from });

export const unmarkCars = (): void => markedCars.set(none);

export const useMarkedCars = (): MarkedCars => useStore(markedCars);

/** Whether a car's point on the map is pointed at. */
export const useMarkedOnMap = (carId: string): boolean =>
  useStored(markedCars, ({ ids, from }) => from === 'map' && ids.has(carId));
