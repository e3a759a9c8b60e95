import type { ListingFacts, ParsedRecord } from '../../src/domain/facts/listing-facts.ts';
import { readVehiclePage } from '../../src/sources/vehicle-pages/read-vehicle-page.ts';
import { gazetteer, now } from './marketplace-items.ts';

export const pageUrl = 'https://dealer.example/used/7';

/** A page with markup in its head and in its body. */
export const pageWith = (head: string, body = ''): string =>
  `<!doctype html><html><head><title>Cars</title>${head}</head><body><h1>Cars</h1>${body}</body></html>`;

/** A page with scripts of JSON-LD; values are written as JSON, texts as they are. */
export const jsonLdPage = (...scripts: unknown[]): string =>
  pageWith(
    scripts
      .map(
        (one) => `<script type="application/ld+json">${typeof one === 'string' ? one : JSON.stringify(one)}</script>`,
      )
      .join('\n'),
  );

export const recordsOf = (html: string, place: string | null = null): ParsedRecord[] =>
  readVehiclePage(html, pageUrl, place, { gazetteer, now }).records;

/** The cars of a page, all of which must be accepted. */
export function carsOf(html: string, place: string | null = null): ListingFacts[] {
  return recordsOf(html, place).map((record) => {
    if ('rejection' in record) throw new Error(`${record.rejection.code}: ${record.rejection.reason}`);
    return record.facts;
  });
}
