import { createStore, useStore } from './store.ts';

export interface ComparedCar {
  /** Of a listing. */
  id: string;
  carId: string;
  title: string;
}

/** How many cars are compared side by side. */
export const MAX_COMPARED = 4;

/** The cars that the viewer chose to compare since the app was loaded, in that order. */
const comparedCars = createStore<readonly ComparedCar[]>([]);

export const useComparedCars = (): readonly ComparedCar[] => useStore(comparedCars);

/** Adds a car to the compared ones, or removes it. A fifth one is not added. */
export function compareCar(car: ComparedCar, isChosen: boolean): void {
  const others = comparedCars.get().filter(({ carId }) => carId !== car.carId);
  if (!isChosen) comparedCars.set(others);
  else if (others.length < MAX_COMPARED) comparedCars.set([...others, car]);
}

/** Also for another viewer, or none. */
export const forgetCompared = (): void => comparedCars.set([]);
