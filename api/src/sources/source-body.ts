import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../domain/places/places.ts';

/** What reading a record needs besides the record. */
export interface ParseContext {
  gazetteer: Gazetteer;
  now: Date;
  /** True for an append source, where the later of two records with one id is the newer one. */
  laterCounts?: boolean;
}

/** A stored body, which can be read any number of times from its start. */
export interface SourceBody {
  /** The decoded text in chunks of any length, without its byte order mark. A fault of the body is thrown after its text. */
  text(): AsyncIterable<string>;
  contentType: string | null;
  /** A path or an address, for its ending. */
  name: string;
}

/**
 * One kind of source's reader: a whole page or feed becomes records, one by one, in the body's order. One bad record
 * is a rejection, never an error; an error of `text()` passes through after all records that came whole before it.
 * @throws AppError MALFORMED when nothing can be read
 */
export type ReadRecords = (body: SourceBody, context: ParseContext) => AsyncIterable<ParsedRecord>;
