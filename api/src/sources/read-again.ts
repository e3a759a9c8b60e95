import { AppError } from '../base/errors.ts';
import type { ParsedRecord, RecordReader } from '../domain/facts/listing-facts.ts';
import { parseMarketplacePage } from './marketplace-items/parse-page.ts';
import type { ParseContext } from './source-body.ts';
import { parseFeedRow } from './vehicle-feed/parse-feed-row.ts';

function readRow(record: string, context: ParseContext): ParsedRecord[] {
  const row: unknown = JSON.parse(record);
  return typeof row === 'object' && row !== null ? [parseFeedRow({ ...row }, context)] : [];
}

/** Each takes the text that `rejected` kept of one record. */
const readers: Record<RecordReader, (record: string, context: ParseContext) => ParsedRecord[]> = {
  // Within an array a record stays one item, whatever it holds.
  items: (record, context) => parseMarketplacePage(`[${record}]`, context),
  feed: readRow,
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
    if (error instanceof AppError || error instanceof SyntaxError) return null;
    throw error;
  }
}
