import { type CarSighting, contradicts } from './compare-cars.ts';

export interface GroupedSighting extends CarSighting {
  id: number;
  /** The lowest id among the listings that are known to be this car. */
  car: number;
}

/**
 * Joins pairs of listings into cars, the surest pair first. Two cars are not joined while any listing of the one
 * contradicts any of the other. Returns for each car that takes part its number afterwards, unchanged ones included.
 */
export function groupCars(
  pairs: readonly (readonly [GroupedSighting, GroupedSighting])[],
  others: readonly GroupedSighting[] = [],
): Map<number, number> {
  const members = new Map<number, GroupedSighting[]>();
  const numbers = new Map<number, number>();
  const seen = new Set<number>();
  for (const sighting of [...pairs.flat(), ...others]) {
    if (seen.has(sighting.id)) continue;
    seen.add(sighting.id);
    members.set(sighting.car, [...(members.get(sighting.car) ?? []), sighting]);
  }
  const numberOf = (car: number): number => {
    const next = numbers.get(car);
    return next === undefined || next === car ? car : numberOf(next);
  };
  for (const [one, other] of pairs) {
    const [low = 0, high = 0] = [numberOf(one.car), numberOf(other.car)].sort((a, b) => a - b);
    if (low === high) continue;
    const [kept, joining] = [members.get(low) ?? [], members.get(high) ?? []];
    if (kept.some((member) => joining.some((joined) => contradicts(member, joined)))) continue;
    members.set(low, [...kept, ...joining]);
    members.delete(high);
    numbers.set(low, low);
    numbers.set(high, low);
  }
  return new Map([...numbers.keys()].map((car) => [car, numberOf(car)]));
}
