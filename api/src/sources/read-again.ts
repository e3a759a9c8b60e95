import { AppError } from '../base/errors.ts';
import type { ParsedRecord, RecordReader } from '../domain/facts/listing-facts.ts';
import { parseMarketplacePage } from './marketplace-items/read-marketplace-items.ts';
import type { ParseContext } from './source-body.ts';
import { readFeedRecord } from './vehicle-feed/read-feed.ts';

function isJson(record: string): boolean {
  try {
    JSON.parse(record);
    return true;
  } catch {
    return false;
  }
}

/** Reads the record within an array, as in its page, so that it stays one item whatever it holds. */
function readItem(record: string, context: ParseContext): ParsedRecord[] {
  const read = parseMarketplacePage(`[${record}]`, context);
  // When the JSON is still broken, the fault that was found in its page says more.
  return isJson(record) ? read : read.filter((one) => 'facts' in one);
}

/** Each reader takes the text of one record that `rejected` stored. */
const readers: Record<RecordReader, (record: string, context: ParseContext) => ParsedRecord[]> = {
  items: readItem,
  feed: readFeedRecord,
};

/**
 * Reads a quarantined record again, with the reader that rejected it. Never throws.
 * @returns null when the record can't be read alone, such as a broken line of a feed; its stored reason then stays
 */
export function readAgain(reader: RecordReader, record: string, context: ParseContext): ParsedRecord | null {
  try {
    const [read, ...more] = readers[reader](record, context);
    return read && more.length === 0 ? read : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
