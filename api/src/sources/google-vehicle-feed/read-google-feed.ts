import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { ParseContext, SourceBody } from '../source-body.ts';
import { readFeed } from '../vehicle-feed/read-feed.ts';
import { googleIds, type Stores, toMetaRow } from './google-row.ts';

/**
 * Reads a feed of Google's vehicle ads or vehicle listings, in the formats of `readFeed`.
 * @throws AppError MALFORMED when it is no feed, and after all complete rows when it is cut off
 */
export function readGoogleFeed(body: SourceBody, context: ParseContext, stores: Stores): AsyncGenerator<ParsedRecord> {
  return readFeed(body, context, { ids: googleIds, toMetaRow: (row) => toMetaRow(row, stores) });
}
