import type { CarSighting } from '../../domain/same-car/compare-cars.ts';

/** A listing of the table as it is compared; `car` is its own number while no other listing is known to be the car. */
export interface KnownSighting extends CarSighting {
  id: number;
  car: number;
  hasPhoto: boolean;
}

/** Of `listings o`; `lastSeenAt` is the caller's to say. */
export const sightingColumns = `
  o.id, coalesce(o.car_id, o.id) as car, o.source, o.status, o.title, o.make, o.model, o.year, o.price,
  o.mileage as "mileageMiles", o.vin, o.transmission, o.color, o.condition, o.lat, o.lng, o.seen_at as "seenAt",
  o.image_url is not null as "hasPhoto"`;
