interface OfCar {
  id: string;
  carId: string;
  offers: readonly { id?: string | null }[];
}

/** Newest first. One entry for each car: its best listing, with all offers that the newest listing has. */
function bestOf<L extends OfCar>(newest: L, group: readonly L[]): L {
  const best = newest.offers
    .map(({ id }) => group.find((listing) => listing.id === id))
    .find((listing) => listing !== undefined);
  // An older listing was read before the newest came, and doesn't know of it.
  return best === undefined || best === newest ? newest : { ...best, offers: newest.offers };
}

function grouped<T>(items: readonly T[], carOf: (item: T) => string): T[][] {
  const cars = new Map<string, T[]>();
  for (const item of items) cars.set(carOf(item), [...(cars.get(carOf(item)) ?? []), item]);
  return [...cars.values()];
}

/** One listing of each car: its best offer, at the position of its newest listing. The list is newest first. */
export function deduplicateListings<L extends OfCar>(listings: readonly L[]): L[] {
  return grouped(listings, ({ carId }) => carId).flatMap((group) => (group[0] ? bestOf(group[0], group) : []));
}

/** One match of each car: that of its best offer, at the position of the newest. */
export function deduplicateMatches<M extends { listing: OfCar }>(matches: readonly M[]): M[] {
  return grouped(matches, ({ listing }) => listing.carId).flatMap((group) => {
    const [newest] = group;
    if (!newest || group.length === 1) return group;
    const listing = bestOf(
      newest.listing,
      group.map((match) => match.listing),
    );
    const match = group.find((one) => one.listing.id === listing.id) ?? newest;
    return { ...match, listing };
  });
}
