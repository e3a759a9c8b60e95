import type { Gazetteer, Place } from '../places/places.ts';

/** Most names that are looked up in a wish with their misspellings: four places, each of up to five words. */
const MAX_LOOK_UPS = 20;

/** The gazetteer for one wish: it looks up each name once, and finds no misspelt ones after the first few, as they are slow. */
export function withFewLookUps(gazetteer: Gazetteer): Gazetteer {
  const found = new Map<string, Place | null>();
  let lookUps = 0;
  return {
    ...gazetteer,
    resolve(text) {
      const known = found.get(text);
      if (known !== undefined) return known;
      const isCode = /^\d{5}$/.test(text);
      if (!isCode && ++lookUps > MAX_LOOK_UPS) return null;
      const place = gazetteer.resolve(text);
      found.set(text, place);
      return place;
    },
  };
}
