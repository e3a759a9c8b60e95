import { useMemo, useState } from 'react';
import { createStore, useStore, useStored } from './store.ts';

/** The cars that the viewer has hidden since the app was loaded. The server leaves them out of what is fetched since. */
const hiddenCars = createStore<ReadonlySet<string>>(new Set());

/** Notes that a car was hidden, or is shown again. @param carId of all its listings */
export function noteHidden(carId: string, hidden: boolean): void {
  const cars = new Set(hiddenCars.get());
  if (hidden) cars.add(carId);
  else cars.delete(carId);
  hiddenCars.set(cars);
}

/** For another viewer, or none. */
export const forgetHidden = (): void => hiddenCars.set(new Set());

export const useHiddenCars = (): ReadonlySet<string> => useStore(hiddenCars);

export const useIsHidden = (carId: string): boolean => useStored(hiddenCars, (cars) => cars.has(carId));

/** The cars of a list without those that were hidden before it was opened; those that are hidden here stay, to undo it. */
export function useWithoutHidden<T>(items: readonly T[], carOf: (item: T) => string): T[] {
  const [before] = useState(hiddenCars.get);
  const now = useHiddenCars();
  return useMemo(
    () => items.filter((item) => !(before.has(carOf(item)) && now.has(carOf(item)))),
    [items, carOf, before, now],
  );
}
