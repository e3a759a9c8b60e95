import { AppError } from '../base/errors.ts';
import type { ParsedRecord, RecordReader } from '../domain/facts/listing-facts.ts';
import { parseMarketplacePage } from './marketplace-items/parse-page.ts';
import type { ParseContext } from './source-body.ts';
import { readFeedRecord } from './vehicle-feed/feed-items.ts';

function isJson(record: string): boolean {
  try {
    JSON.parse(record);
    return true;
  } catch {
    return false;
  }
}

/** As in its page: within an array a record stays one item, whatever it holds. */
function readItem(record: string, context: ParseContext): ParsedRecord[] {
  const read = parseMarketplacePage(`[${record}]`, context);
  // Where the JSON is still broken, the fault that was found in its page says more.
  return isJson(record) ? read : read.filter((one) => 'facts' in one);
}

/** Each takes the text that `rejected` kept of one record. */
const readers: Record<RecordReader, (record: string, context: ParseContext) => ParsedRecord[]> = {
  items: readItem,
  feed: readFeedRecord,
};

/**
 * Reads a record that was set aside once more, with the reader that set it aside. null when it can't be told apart
 * from its neighbours or taken alone, such as a broken line of a feed: its reason of then holds. Never throws.
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
