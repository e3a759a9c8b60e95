import { createHash } from 'node:crypto';

/** `pending` and `sold` take a listing out of matching; `gone` is one that its source no longer shows. */
export enum ListingStatus {
  forSale = 'for_sale',
  pending = 'pending',
  sold = 'sold',
  gone = 'gone',
}

/** What a source's record says about one car. null is "not stated"; nothing here is guessed. */
export interface ListingFacts {
  externalId: string;
  title: string;
  make: string;
  model: string | null;
  year: number | null;
  /** Whole US dollars. */
  price: number | null;
  mileageMiles: number | null;
  /** Vehicle identification number, where a source states one. */
  vin?: string | null;
  transmission: 'automatic' | 'manual' | null;
  /** A colour of the catalogue, or 'other'. */
  color: string | null;
  condition: string | null;
  city: string | null;
  /** Two letters. */
  state: string | null;
  lat: number | null;
  lng: number | null;
  images: string[];
  url: string | null;
  /** When the seller listed it; never in the future. */
  listedAt: Date | null;
  status: ListingStatus;
}

export const rejectCodes = [
  'NO_ID',
  'NOT_A_CAR',
  'UNKNOWN_MAKE',
  'BAD_PRICE',
  'BAD_YEAR',
  'BAD_PLACE',
  'TOO_LARGE',
  'MALFORMED',
  'DUPLICATE_ID',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** Who can read a record that was set aside again: one marketplace item, or one row of a vehicle feed. */
export type RecordReader = 'items' | 'feed';

/** A record that is set aside; made by `rejected`. */
export interface Rejection {
  externalId: string | null;
  code: RejectCode;
  reason: string;
  record: string;
  /** 'items' where it is left out. */
  reader?: RecordReader;
  /** false: `record` is only the beginning of what came in. */
  whole?: boolean;
}

export type ParsedRecord = { facts: ListingFacts } | { rejection: Rejection };

const digest = (parts: unknown[]): string => createHash('sha1').update(JSON.stringify(parts)).digest('base64url');

/** Changes exactly when a fact changes: tells an updated record from an unchanged one. */
export function factsHash(facts: ListingFacts): string {
  return digest([
    facts.title,
    facts.make,
    facts.model,
    facts.year,
    facts.price,
    facts.mileageMiles,
    facts.transmission,
    facts.color,
    facts.condition,
    facts.city,
    facts.state,
    facts.lat,
    facts.lng,
    facts.images,
    facts.url,
    facts.status,
    // Most sources state none: their listings keep the hash they have.
    ...(facts.vin ? [facts.vin] : []),
  ]);
}

/** A record of up to this many bytes of UTF-8 is kept whole; of a larger one its beginning is. */
export const MAX_WHOLE_BYTES = 64 * 1024;
const EXCERPT_LENGTH = 8000;

/** What is kept of a record that is set aside. */
export function storedRecord(record: string): { record: string; whole: boolean } {
  if (record.length <= MAX_WHOLE_BYTES && Buffer.byteLength(record) <= MAX_WHOLE_BYTES) {
    return { record, whole: true };
  }
  // A copy: a slice would keep all megabytes of its string alive.
  return { record: Buffer.from(record.slice(0, EXCERPT_LENGTH)).toString(), whole: false };
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
  return { rejection: { externalId, code, reason, reader, ...storedRecord(record) } };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * PostgreSQL's text holds no NUL, half a surrogate pair is no character, and other control characters only harm who
 * shows them: all become U+FFFD. Tabs and line ends stay.
 */
export const storableText = (text: string): string => text.toWellFormed().replace(controls, '\uFFFD');
