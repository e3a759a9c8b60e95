interface OfCar {
  id: string;
  carId: string;
  offers: readonly { id?: string | null }[];
}

/**
 * Of each car one item, where its newest listing stands: the one that is the best offer among them. The list is newest
 * first, and only the newest listing knows of all offers: an older one may have come before them.
 */
export function oneOfEachCar<T>(items: readonly T[], listingOf: (item: T) => OfCar): T[] {
  const cars = new Map<string, T[]>();
  for (const item of items) {
    const { carId } = listingOf(item);
    cars.set(carId, [...(cars.get(carId) ?? []), item]);
  }
  return [...cars.values()].flatMap((group) => {
    const [newest] = group;
    if (!newest) return [];
    const best = listingOf(newest)
      .offers.map(({ id }) => group.find((item) => listingOf(item).id === id))
      .find((item) => item !== undefined);
    return best ?? newest;
  });
}
