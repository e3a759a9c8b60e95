import { AppError } from '../base/errors.ts';
import type { ParsedRecord, RecordReader } from '../domain/facts/listing-facts.ts';
import { rejected } from '../domain/facts/rejection.ts';
import { parseMarketplacePage } from './marketplace-items/parse-page.ts';
import type { ParseContext } from './source-body.ts';

/** One record alone, as text: what `rejected` kept of it. */
type ReadRecord = (record: string, context: ParseContext) => ParsedRecord[];

const readers: Record<RecordReader, ReadRecord> = {
  // As in its page: within an array a record stays one item, whatever it holds.
  items: (record, context) => parseMarketplacePage(`[${record}]`, context),
  feed: () => [],
};

/** Reads a record that was set aside once more, with the reader that set it aside. Never throws for a bad one. */
export function readAgain(reader: RecordReader, record: string, context: ParseContext): ParsedRecord {
  const malformed = (reason: string) => rejected(reader, null, 'MALFORMED', reason, record);
  try {
    const [read, ...more] = readers[reader](record, context);
    return read && more.length === 0 ? read : malformed('It is no single record.');
  } catch (error) {
    if (error instanceof AppError) return malformed(error.message);
    throw error;
  }
}
