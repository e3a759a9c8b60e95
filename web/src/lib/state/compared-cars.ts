import { createStore, useStore } from './store.ts';

export interface ComparedCar {
  /** Of a listing. */
  id: string;
  carId: string;
  title: string;
}

/** How many cars are compared side by side. */
export const MAX_COMPARED = 4;

/** In the session storage, which `stored-data.ts` names. */
const KEY = 'lotwatch-compared';

/** Of the viewer whose choice it is; null for visitors. */
let userId: string | null = null;

/** The cars that the viewer chose to compare in this tab, in that order. */
export const comparedCars = createStore<readonly ComparedCar[]>([]);

export const useComparedCars = (): readonly ComparedCar[] => useStore(comparedCars);

const isCar = (car: unknown): car is ComparedCar =>
  typeof car === 'object' &&
  car !== null &&
  ['id', 'carId', 'title'].every((name) => typeof Reflect.get(car, name) === 'string');

/** What was chosen before the page was loaded again; nothing of another viewer's. */
function readChosen(): ComparedCar[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('userId' in stored) || !('cars' in stored)) return [];
    if (stored.userId !== userId || !Array.isArray(stored.cars)) return [];
    return stored.cars.filter(isCar).slice(0, MAX_COMPARED);
  } catch {
    return [];
  }
}

function choose(cars: readonly ComparedCar[]): void {
  comparedCars.set(cars);
  try {
    if (userId === null || cars.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ userId, cars }));
  } catch {
    // Without storage the choice lasts until the page is loaded again.
  }
}

/** Takes up the choice of the signed-in viewer. */
export function startCompared(viewerId: string): void {
  if (viewerId === userId) return;
  userId = viewerId;
  choose(readChosen());
}

/** Adds a car to the compared ones, or removes it. A fifth one is not added. */
export function compareCar(car: ComparedCar, isChosen: boolean): void {
  const others = comparedCars.get().filter(({ carId }) => carId !== car.carId);
  if (!isChosen) choose(others);
  else if (others.length < MAX_COMPARED) choose([...others, car]);
}

/** Removes cars that the viewer may no longer see. @param ids of listings */
export function dropCompared(ids: readonly string[]): void {
  choose(comparedCars.get().filter(({ id }) => !ids.includes(id)));
}

/** Also for another viewer, or none. */
export const forgetCompared = (): void => choose([]);
