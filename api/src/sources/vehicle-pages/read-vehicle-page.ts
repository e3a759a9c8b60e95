import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { makeItemReader } from '../marketplace-items/read-marketplace-items.ts';
import type { ParseContext } from '../source-body.ts';
import { vehiclesInPage } from './vehicles-in-page.ts';

export interface VehiclePage {
  /** Each car of the page as facts, or why it is rejected. */
  records: ParsedRecord[];
  /** Whether the page has any markup of schema.org. */
  hasMarkup: boolean;
  /** Whether the page is so large that only its beginning was read. */
  isCut: boolean;
}

/**
 * Reads one page of a dealer's site.
 * @param url its address, after redirects
 * @param place where the cars are that state no place of their own; null where the page has to say it
 */
export function readVehiclePage(html: string, url: string, place: string | null, context: ParseContext): VehiclePage {
  const { vehicles, hasMarkup, isCut } = vehiclesInPage(html, url, context.now);
  const readItem = makeItemReader(context);
  return {
    records: vehicles.map((vehicle) => readItem(place === null ? vehicle : { ...vehicle, locationText: place })),
    hasMarkup,
    isCut,
  };
}
