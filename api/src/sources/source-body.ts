import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../domain/places/places.ts';

/** What parsing needs besides the record. */
export interface ParseContext {
  gazetteer: Gazetteer;
  now: Date;
  /** True for an append source, where the later of two records with one id is the newer one. */
  laterWins?: boolean;
}

/** A stored body, which can be read any number of times from its start. */
export interface SourceBody {
  /** The decoded text in chunks of any length, without its byte order mark. A fault of the body is thrown after its text. */
  text(): AsyncIterable<string>;
  contentType: string | null;
  /** A path or an address, of which the extension is used. */
  name: string;
}

/**
 * Reads one kind of source: a page or feed becomes records, one by one, in the body's order. A bad record is a rejection,
 * never an error; an error of `text()` is thrown after all records that were complete before it.
 * @throws AppError MALFORMED when nothing can be read
 */
export type ReadRecords = (body: SourceBody, context: ParseContext) => AsyncIterable<ParsedRecord>;
