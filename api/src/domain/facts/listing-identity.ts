import { createHash } from 'node:crypto';
import type { ListingFacts } from './listing-facts.ts';

const digest = (parts: unknown[]): string => createHash('sha1').update(JSON.stringify(parts)).digest('base64url');

/** Changes exactly when a fact changes: tells an updated record from an unchanged one. */
export function factsHash(facts: ListingFacts): string {
  return digest([
    facts.title,
    facts.make,
    facts.model,
    facts.year,
    facts.price,
    facts.mileageMiles,
    facts.transmission,
    facts.color,
    facts.condition,
    facts.city,
    facts.state,
    facts.lat,
    facts.lng,
    facts.images,
    facts.url,
    facts.status,
    // Most sources state none: their listings keep the hash they have.
    ...(facts.vin ? [facts.vin] : []),
  ]);
}
