import type { ParsedRecord, RecordReader, RejectCode } from './listing-facts.ts';

/** A record of up to this many bytes of UTF-8 is kept whole; of a larger one its beginning is. */
export const KEPT_WHOLE_BYTES = 64 * 1024;
const BEGINNING_CHARACTERS = 8000;

/** What is kept of a record that is set aside. */
export function keptRecord(record: string): { record: string; whole: boolean } {
  if (record.length <= KEPT_WHOLE_BYTES && Buffer.byteLength(record) <= KEPT_WHOLE_BYTES) {
    return { record, whole: true };
  }
  // A copy: a slice would keep all megabytes of its string alive.
  return { record: Buffer.from(record.slice(0, BEGINNING_CHARACTERS)).toString(), whole: false };
}

/**
 * A record set aside. @param record what came in, as text that `reader` can read again: an item's JSON, or a feed's
 * row as JSON of column names and values
 */
export function rejected(
  reader: RecordReader,
  externalId: string | null,
  code: RejectCode,
  reason: string,
  record: string,
): ParsedRecord {
  return { rejection: { externalId, code, reason, reader, ...keptRecord(record) } };
}
