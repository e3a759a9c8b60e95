import type { ListingFacts } from '../../domain/facts/listing-facts.ts';

/** What was understood of a pushed record, under the names that a Listing has everywhere outside. */
export function presentFacts(facts: ListingFacts) {
  const { title, make, model, year, price, transmission, color, condition, status, url, images, lat, lng } = facts;
  return {
    title,
    make,
    model,
    year,
    price,
    mileage: facts.mileageMiles,
    transmission,
    color,
    condition,
    location: facts.city === null ? null : { reverse_geocode: { city: facts.city, state: facts.state } },
    latitude: lat,
    longitude: lng,
    imageUrl: images[0] ?? null,
    images,
    status,
    url,
    createdAt: facts.listedAt,
  };
}
