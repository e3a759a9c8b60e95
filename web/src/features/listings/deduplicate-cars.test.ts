import { expect, it } from 'vitest';
import { deduplicateListings, deduplicateMatches } from './deduplicate-cars.ts';

const listing = (id: string, carId = id, offers: (string | null)[] = [id]) => ({
  id,
  carId,
  offers: offers.map((offer) => ({ id: offer })),
});
const shown = (...listings: ReturnType<typeof listing>[]) => deduplicateListings(listings).map(({ id }) => id);

it('leaves cars with one listing as they are', () => {
  expect(shown(listing('9'), listing('8'), listing('7'))).toEqual(['9', '8', '7']);
});

it('shows the best offer of a car at the position of its newest listing', () => {
  expect(shown(listing('9', '4', ['4', '9']), listing('8'), listing('4', '4'))).toEqual(['4', '8']);
  expect(shown(listing('9', '4', ['9', '4']), listing('8'), listing('4', '4'))).toEqual(['9', '8']);
});

it('skips offers that are not in the list, and shows the newest if none is', () => {
  expect(shown(listing('9', '4', [null, '5', '9']), listing('4', '4'))).toEqual(['9']);
  expect(shown(listing('9', '4', [null]), listing('4', '4'))).toEqual(['9']);
});

it('shows the match of the best offer, with all offers that the newest knows of', () => {
  const match = (of: ReturnType<typeof listing>, distance: number) => ({ distance, listing: of });
  const matches = [match(listing('9', '4', ['4', '9']), 1), match(listing('4'), 2), match(listing('3'), 3)];
  expect(deduplicateMatches(matches)).toEqual([
    { distance: 2, listing: listing('4', '4', ['4', '9']) },
    { distance: 3, listing: listing('3') },
  ]);
});
