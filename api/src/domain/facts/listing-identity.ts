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
  ]);
}

/**
 * Equal for one car under two ids: the facts a seller repeats, whatever the order of the title's words.
 * null when too little is stated to tell two cars apart.
 */
export function carFingerprint(facts: ListingFacts): string | null {
  const { make, model, year, mileageMiles, city, state } = facts;
  if (model === null || year === null || mileageMiles === null || city === null) return null;
  const words = facts.title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return digest([make, model, year, mileageMiles, city, state, facts.transmission, facts.color, words.sort()]);
}
